// Keeps what is being typed into the form of an event, a moment after the last
// key and when the page is left. Without it nothing is missing but that.
const note = document.querySelector("[data-autosave]");
const form = document.querySelector("form.editor");

if (note && form) {
  const wait = 3000; // milliseconds after the last key
  const secret = new Set(["post_password", "do"]);
  let timer = 0;
  let leaving = false;

  const typed = () => {
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (typeof value === "string" && !secret.has(name)) body.append(name, value);
    }
    body.set("event", note.dataset.autosave);
    return body.toString();
  };
  let kept = typed();

  const keep = async (last) => {
    clearTimeout(timer);
    const body = typed();
    if (leaving || body === kept) return;
    const before = kept;
    kept = body;
    try {
      const answer = await fetch("/admin/drafts", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body,
        keepalive: last && body.length < 60000,
        redirect: "error",
      });
      if (!answer.ok) throw new Error(String(answer.status));
      note.textContent = await answer.text();
    } catch {
      kept = before;
      note.textContent = note.dataset.failed;
    }
  };

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => keep(false), wait);
  });
  form.addEventListener("submit", () => {
    leaving = true;
    clearTimeout(timer);
  });
  addEventListener("pageshow", () => { leaving = false; });
  addEventListener("pagehide", () => keep(true));
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") keep(true);
  });
}
