// Shows a page as far as the recipes need it: runs its script, sends its form with the given fields, and prints what its elements show.
import { readFileSync } from "node:fs";

const html = readFileSync(process.argv[2], "utf8");
const fields = JSON.parse(process.argv[3] ?? "{}");
const found = new Map();

class Element {
  children = [];
  listeners = {};
  append(...more) { this.children.push(...more); }
  addEventListener(kind, listener) { this.listeners[kind] = listener; }
  querySelector(selector) { return document.querySelector(selector); }
  text() { return this.innerHTML ?? this.textContent ?? this.children.map((one) => one.text?.() ?? one).join(""); }
  links() { return (this.href ? [this.href] : []).concat(...this.children.map((one) => one.links?.() ?? [])); }
}

globalThis.document = {
  createElement: () => new Element(),
  querySelector(selector) {
    const there = selector.startsWith("#") ? html.includes(`id="${selector.slice(1)}"`) : html.includes(`<${selector}>`);
    if (there && !found.has(selector)) found.set(selector, new Element());
    return there ? found.get(selector) : null;
  },
};

globalThis.FormData = class extends FormData {
  constructor() {
    super();
    for (const [, name] of html.matchAll(/ name="([^"]+)"/g)) {
      this.set(name, name === "file" ? new Blob([]) : fields[name] ?? "");
    }
  }
};

const script = html.match(/<script type="module">(.*)<\/script>/s)[1];
await import("data:text/javascript," + encodeURIComponent(script));
for (const element of found.values()) await element.listeners.submit?.({ preventDefault() {} });
const shown = [...found].map(([selector, element]) => [selector, { text: element.text(), rows: element.children.map((one) => one.text()), links: element.links() }]);
console.log(JSON.stringify(Object.fromEntries(shown)));
