// What a page does beyond being read: search, copying, and marking what is being read. All of it can be done without.
"use strict";
(() => {
  const root = document.currentScript.dataset.root;

  // ---- search ----

  let rows = null;
  const load = () => new Promise((resolve) => {
    if (rows) return resolve();
    // A script and no fetch: pages may be opened from a disk.
    const script = document.createElement("script");
    script.src = root + "assets/search.js";
    script.onload = () => {
      rows = window.cxSearch.map(([name, kind, of, to, about]) => ({ name, kind, of, to, about, low: name.toLowerCase() }));
      resolve();
    };
    document.head.append(script);
  });

  // The whole name, its beginning, the beginning of a word in it, a part of it, then what is said about it.
  const rank = (row, word) => {
    const at = row.low.indexOf(word);
    if (row.low === word) return 0;
    if (at === 0) return 1;
    if (at > 0 && !/[a-z0-9]/.test(row.low[at - 1])) return 2;
    if (at > 0) return 3;
    if (row.of.toLowerCase().includes(word)) return 4;
    return row.about.toLowerCase().includes(word) || row.kind.toLowerCase().includes(word) ? 5 : -1;
  };
  const find = (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = [];
    for (const row of words.length ? rows : []) {
      const ranks = words.map((word) => rank(row, word));
      if (!ranks.includes(-1)) found.push([ranks.reduce((a, b) => a + b), row]);
    }
    found.sort((a, b) => a[0] - b[0] || a[1].name.length - b[1].name.length || a[1].name.localeCompare(b[1].name));
    return found.slice(0, 40).map(([, row]) => row);
  };

  const text = (tag, words) => {
    const element = document.createElement(tag);
    element.textContent = words;
    return element;
  };

  const search = () => {
    const form = document.querySelector(".search");
    const input = form.querySelector("input");
    const list = form.querySelector("ul");
    let chosen = -1;
    const options = () => [...list.querySelectorAll("[role=option]")];
    const close = () => {
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
      input.removeAttribute("aria-activedescendant");
      chosen = -1;
    };
    const choose = (at) => {
      const all = options();
      if (!all.length) return;
      chosen = (at + all.length) % all.length;
      all.forEach((option, index) => option.setAttribute("aria-selected", String(index === chosen)));
      input.setAttribute("aria-activedescendant", all[chosen].id);
      all[chosen].scrollIntoView({ block: "nearest" });
    };
    const show = async () => {
      const query = input.value.trim();
      if (!query) return close();
      await load();
      // What was typed in the meantime counts.
      if (input.value.trim() !== query) return;
      list.replaceChildren();
      find(query).forEach((row, index) => {
        const option = document.createElement("li");
        option.setAttribute("role", "option");
        option.id = "result-" + index;
        const link = document.createElement("a");
        link.href = root + row.to;
        link.tabIndex = -1;
        link.append(text("b", row.name), text("small", row.kind + (row.of ? " · " + row.of : "")));
        if (row.about) link.append(text("p", row.about));
        option.append(link);
        list.append(option);
      });
      if (!list.children.length) {
        const none = text("li", "Nothing is called so.");
        none.className = "none";
        list.append(none);
      }
      list.hidden = false;
      input.setAttribute("aria-expanded", "true");
      choose(0);
    };
    input.addEventListener("input", show);
    input.addEventListener("focus", show);
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") choose(chosen + 1);
      else if (event.key === "ArrowUp") choose(chosen - 1);
      else if (event.key === "Escape") { close(); input.blur(); }
      else return;
      event.preventDefault();
    });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await show();
      const link = options()[Math.max(chosen, 0)]?.querySelector("a");
      if (link) { link.click(); close(); input.blur(); }
    });
    document.addEventListener("click", (event) => { if (!form.contains(event.target)) close(); });
    document.addEventListener("keydown", (event) => {
      const typing = event.target.closest("input, textarea, select");
      if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        input.focus();
        input.select();
      }
    });
  };

  // ---- copying ----

  const copy = async (words) => {
    try {
      await navigator.clipboard.writeText(words);
    } catch {
      // Pages from a disk have no clipboard in some browsers; what is selected can be copied in all.
      const area = document.createElement("textarea");
      area.value = words;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  const buttons = () => {
    for (const code of document.querySelectorAll(".code.copy")) {
      const button = text("button", "Copy");
      button.type = "button";
      button.addEventListener("click", async () => {
        await copy(code.querySelector("code").textContent);
        button.textContent = "Copied";
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      });
      code.append(button);
    }
  };

  // ---- the language that was chosen once is chosen everywhere ----

  const choices = () => {
    const inputs = [...document.querySelectorAll(".choice input")];
    const choose = (label) => {
      for (const input of inputs) if (input.dataset.label === label) input.checked = true;
    };
    let kept = null;
    try { kept = localStorage.getItem("cx-language"); } catch { /* no storage */ }
    if (kept) choose(kept);
    for (const input of inputs) {
      input.addEventListener("change", () => {
        const top = input.closest(".choice").getBoundingClientRect().top;
        choose(input.dataset.label);
        // What was clicked stays where it is, whatever grew above it.
        window.scrollBy(0, input.closest(".choice").getBoundingClientRect().top - top);
        try { localStorage.setItem("cx-language", input.dataset.label); } catch { /* no storage */ }
      });
    }
  };

  // ---- what is being read ----

  const outline = () => {
    const links = new Map([...document.querySelectorAll(".outline a")].map((link) => [link.hash.slice(1), link.parentElement]));
    if (!links.size) return;
    const sections = [...document.querySelectorAll("main section[id]")].filter((section) => links.has(section.id));
    const mark = () => {
      const read = sections.filter((section) => section.getBoundingClientRect().top < 120).at(-1);
      for (const [id, item] of links) item.classList.toggle("is-read", read !== undefined && id === read.id);
    };
    document.addEventListener("scroll", mark, { passive: true });
    mark();
  };

  document.addEventListener("DOMContentLoaded", () => {
    search();
    buttons();
    choices();
    outline();
  });
})();
