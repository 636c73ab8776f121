// How scripts ask for parts of pages and put them in. Texts and rules come from there; a script puts them where they belong.
let heard = performance.now()

/** Whether the session was there a moment ago. */
export const fresh = () => performance.now() - heard < 20_000

/** Asks for a page or a part of one, or sends something there: the status, 0 if no answer came, the text and what it holds. */
export async function ask(address, { headers, ...options } = {}) {
  const template = make('template'), part = template.content
  try {
    const method = options.body === undefined ? 'GET' : 'POST'
    const answer = await fetch(address, { method, ...options, headers: { 'Kalends-Part': '1', ...headers } })
    const text = await answer.text(), { ok, status, url, redirected } = answer
    heard = status === 401 ? -Infinity : performance.now()
    template.innerHTML = text
    return { ok, status, url, redirected, text, part }
  } catch (error) {
    if (error.name !== 'AbortError') heard = -Infinity
    return { ok: false, status: 0, text: '', part }
  }
}

/** Asks as ask does, for what has only one answer at a time: asked again, the one before is undefined. */
export function newest() {
  let one
  const run = async (address, options) => {
    one?.abort()
    const { signal } = one = new AbortController()
    const answer = await ask(address, { ...options, signal })
    return signal.aborted ? undefined : answer
  }
  run.stop = () => one?.abort()
  return run
}

/** Calls do when nothing has called for it for a while. */
export function later(milliseconds, run) {
  let timer
  const soon = (...given) => {
    clearTimeout(timer)
    timer = setTimeout(run, milliseconds, ...given)
  }
  soon.stop = () => clearTimeout(timer)
  return soon
}

/** An element with some properties, and what it holds. */
export function make(name, properties, ...content) {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...content)
  return made
}

/** What finds an element again on a page that has been drawn anew. */
export function way(one) {
  if (one.id) return `#${CSS.escape(one.id)}`
  const name = { a: 'href', button: 'value' }[one.localName] ?? 'name', value = one.getAttribute(name)
  return value && `${one.localName}[${name}="${CSS.escape(value)}"]`
}

const regions = (part) => [...part.querySelectorAll('[role=region][tabindex]')]

/** Puts a part in the place of another, or only what is in it. People keep their focus, what they have chosen, and where they had
 *  scrolled to. */
export function put(old, fresh, inner) {
  const active = old.contains(document.activeElement) && way(document.activeElement)
  const at = regions(old).map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])
  const chosen = new Set([...old.querySelectorAll('input[name=id]:checked')].map(({ value }) => value))
  if (inner) old.replaceChildren(...fresh.childNodes)
  else old.replaceWith(fresh)
  const now = inner ? old : fresh
  for (const box of now.querySelectorAll('input[name=id][type=checkbox]')) box.checked ||= chosen.has(box.value)
  regions(now).forEach((one, i) => { [one.scrollLeft, one.scrollTop] = at[i] ?? [0, 0] })
  if (active) now.querySelector(active)?.focus({ preventScroll: true })
}
