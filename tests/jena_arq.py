"""Apache Jena ARQ behind a small HTTP server, of the Debian package libapache-jena-java and a JDK."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Final

from servers import free_port, turtle, wait_until_it_answers

WHY_NOT: Final = "Apache Jena is not installed (Debian: libapache-jena-java, default-jdk-headless)"
_JARS: Final = Path("/usr/share/java")
# All jars of the folder would bring several bridges of one logger, which call each other for ever.
_NAMES: Final = (
    *(
        "jena-arq",
        "jena-base",
        "jena-core",
        "jena-iri",
        "slf4j-api",
        "slf4j-nop",
        "thrift",
        "protobuf",
        "gson",
    ),
    *("commons-lang3", "commons-csv", "commons-codec", "commons-io", "commons-cli", "commons-compress"),
    *("jackson-core", "jackson-databind", "jackson-annotations", "jsonld-java", "jakarta.json-api"),
    *("httpclient", "httpcore", "guava", "dexx.collection"),
)
_SOURCE: Final = Path(__file__).parent / "jena" / "ArqServer.java"
_MOVED: Final = "org/apache/jena/ext/xerces/"


def installed() -> bool:
    """Whether Jena and a compiler are there."""
    return (_JARS / "jena-arq.jar").is_file() and all(map(shutil.which, ("java", "javac")))


def compile_server(folder: Path) -> str:
    """Compile the server into a folder; return the class path to run it with."""
    # Debian renamed the package of the XML parser in the classes, but not the folder of its messages.
    with zipfile.ZipFile(_JARS / "jena-core.jar") as jar:
        for name in jar.namelist():
            if name.startswith(_MOVED) and not name.endswith(("/", ".class")):
                path = folder / "xerces" / name.removeprefix(_MOVED)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(jar.read(name))
    jars = [str(path) for name in _NAMES if (path := _JARS / f"{name}.jar").is_file()]
    class_path = ":".join([str(folder), *jars])
    subprocess.run(
        ["javac", "-cp", class_path, "-d", str(folder), str(_SOURCE)],  # noqa: S607 - of the system's package
        check=True,
        capture_output=True,
        timeout=60,
    )
    return class_path


class Jena:
    """An endpoint over one graph."""

    def __init__(self, folder: Path, class_path: str, graph: str) -> None:
        self._file = folder / f"{graph}.ttl"
        self._file.write_bytes(turtle(graph) or b"")
        self._class_path = class_path
        self._port = free_port()
        self.url = f"http://127.0.0.1:{self._port}/query"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server."""
        self._process = subprocess.Popen(
            ["java", "-cp", self._class_path, "ArqServer", str(self._port), str(self._file)],  # noqa: S607
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until_it_answers(self.url, self._process, patience=60)

    def stop(self) -> None:
        """Stop the server."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
