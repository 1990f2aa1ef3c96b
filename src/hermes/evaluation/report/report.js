"use strict";
{
  const form = document.getElementById("filters");
  const shown = document.getElementById("shown");
  const text = document.getElementById("text");
  const choices = [...form.querySelectorAll("select")];
  const items = [...document.querySelectorAll("#questions > article")].map((element) => ({
    element,
    text: element.querySelector("h3").textContent.toLowerCase(),
    places: choices.map((choice) => new Set((element.dataset[choice.name] || "").split(" "))),
  }));

  const chosen = (choice) => (choice.selectedIndex > 0 ? String(choice.selectedIndex - 1) : null);
  const numbered = (number) => number.toLocaleString("en");

  // An option counts the questions that it would show, whatever its own filter is set to now.
  const apply = () => {
    const wanted = choices.map(chosen);
    const words = text.value.trim().toLowerCase();
    const counts = choices.map((choice) => new Array(choice.options.length).fill(0));
    let visible = 0;
    for (const item of items) {
      const fits = wanted.map((place, at) => place === null || item.places[at].has(place));
      const failing = fits.filter((fit) => !fit).length + (item.text.includes(words) ? 0 : 2);
      item.element.hidden = failing > 0;
      visible += failing === 0 ? 1 : 0;
      fits.forEach((fit, at) => {
        if (failing > (fit ? 0 : 1)) return;
        counts[at][0] += 1;
        for (const place of item.places[at]) if (place !== "") counts[at][Number(place) + 1] += 1;
      });
    }
    choices.forEach((choice, at) => {
      [...choice.options].forEach((option, place) => {
        option.textContent = `${option.value || "all"} (${counts[at][place]})`;
      });
    });
    shown.textContent = `${numbered(visible)} of ${numbered(items.length)} questions`;
  };

  const keep = () => {
    const state = new URLSearchParams();
    for (const field of [...choices, text]) if (field.value) state.set(field.name, field.value);
    history.replaceState(null, "", `#${state}`);
    apply();
  };

  // The fragment holds the filters, or names one question, which is then shown and opened.
  const restore = () => {
    const fragment = location.hash.slice(1);
    const state = new URLSearchParams(fragment.includes("=") ? fragment : "");
    for (const choice of choices) {
      const at = [...choice.options].findIndex((option) => option.value === state.get(choice.name));
      choice.selectedIndex = Math.max(at, 0);
    }
    text.value = state.get("text") || "";
    apply();
    const target = fragment ? document.getElementById(fragment) : null;
    const details = target && target.querySelector("details");
    if (details) {
      details.open = true;
      target.scrollIntoView();
      details.querySelector("summary").focus();
    }
  };

  const copy = async (button, code) => {
    let done = true;
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      getSelection().selectAllChildren(code);
      done = document.execCommand("copy");
    }
    button.textContent = done ? "Copied" : "Selected: copy it by hand";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  };

  const withButtons = (details) => {
    for (const query of details.querySelectorAll("pre.query:not(.cut)")) {
      if (query.previousElementSibling.tagName === "BUTTON") continue;
      const button = document.createElement("button");
      const title = query.previousElementSibling.textContent;
      button.type = "button";
      button.textContent = "Copy";
      button.setAttribute("aria-label", `Copy: ${title}`);
      button.addEventListener("click", () => copy(button, query.querySelector("code")));
      query.before(button);
    }
  };

  const openAll = (open) => {
    for (const { element } of items) {
      if (!open || !element.hidden) element.querySelector("details").open = open;
    }
  };

  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("clear").addEventListener("click", () => { form.reset(); keep(); });
  document.getElementById("open").addEventListener("click", () => openAll(true));
  document.getElementById("close").addEventListener("click", () => openAll(false));
  document.addEventListener("toggle", (event) => { if (event.target.open) withButtons(event.target); }, true);
  addEventListener("hashchange", restore);
  form.hidden = false;
  restore();
}
