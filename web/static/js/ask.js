// How the scripts of a page ask for parts of it. Texts and rules come from
// there; a script puts them where they belong.

let heard = performance.now()

/** Whether the session was there a moment ago. */
export const fresh = () => performance.now() - heard < 20_000

/** Asks for a part of a page: whether it came, its status and what it holds. */
export async function ask(address, options = {}) {
  const answer = await fetch(address, { ...options, headers: { 'Kalends-Part': '1' } }).catch((error) => {
    if (error.name !== 'AbortError') heard = -Infinity
    throw error
  })
  const template = document.createElement('template')
  template.innerHTML = await answer.text()
  heard = answer.status === 401 ? -Infinity : performance.now()
  return { ok: answer.ok, status: answer.status, part: template.content }
}

/** Calls do when nothing has called for it for a while. */
export function later(milliseconds, run) {
  let timer
  return (...given) => {
    clearTimeout(timer)
    timer = setTimeout(() => run(...given), milliseconds)
  }
}

/** Says something to people who listen. */
export function tell(place, text) {
  place.textContent = ''
  requestAnimationFrame(() => { place.textContent = text })
}
