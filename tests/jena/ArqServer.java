import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.apache.jena.query.Query;
import org.apache.jena.query.QueryExecution;
import org.apache.jena.query.QueryExecutionFactory;
import org.apache.jena.query.QueryFactory;
import org.apache.jena.query.ResultSetFormatter;
import org.apache.jena.rdf.model.Model;
import org.apache.jena.rdf.model.ModelFactory;
import org.apache.jena.riot.RDFDataMgr;

/** A SPARQL endpoint over one file, on the loopback: `java ArqServer PORT FILE`. It reads forms and writes JSON and Turtle. */
public class ArqServer {
    public static void main(String[] words) throws Exception {
        Model model = ModelFactory.createDefaultModel();
        RDFDataMgr.read(model, words[1]);
        HttpServer server = HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(words[0])), 0);
        server.createContext("/query", exchange -> answer(exchange, model));
        server.start();
    }

    private static void answer(HttpExchange exchange, Model model) throws java.io.IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String type = "application/sparql-results+json";
        int status = 200;
        try {
            Query query = QueryFactory.create(form(exchange, "query"));
            try (QueryExecution execution = QueryExecutionFactory.create(query, model)) {
                if (query.isSelectType()) {
                    ResultSetFormatter.outputAsJSON(body, execution.execSelect());
                } else if (query.isAskType()) {
                    ResultSetFormatter.outputAsJSON(body, execution.execAsk());
                } else {
                    type = "text/turtle";
                    Model found = query.isDescribeType() ? execution.execDescribe() : execution.execConstruct();
                    found.write(body, "TTL");
                }
            }
        } catch (org.apache.jena.query.QueryException | IllegalArgumentException error) {
            status = 400;
            type = "text/plain";
            body.reset();
            body.write(String.valueOf(error.getMessage()).getBytes(StandardCharsets.UTF_8));
        }
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Server", "Apache Jena ARQ");
        exchange.sendResponseHeaders(status, body.size() == 0 ? -1 : body.size());
        body.writeTo(exchange.getResponseBody());
        exchange.close();
    }

    private static String form(HttpExchange exchange, String wanted) throws java.io.IOException {
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        for (String part : text.split("&")) {
            if (part.startsWith(wanted + "=")) {
                return URLDecoder.decode(part.substring(wanted.length() + 1), StandardCharsets.UTF_8);
            }
        }
        throw new IllegalArgumentException("no field " + wanted);
    }
}
