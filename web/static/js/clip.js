// An address or a text is copied, a page shared or printed, where the browser lets a page do so. A link to a page that asks for an address
// copies that.
import { tell } from './say.js'

const can = { copy: navigator.clipboard, share: navigator.share, print: window.print }

/** Shows the buttons of a part of the page that the browser can do. */
export const offer = (part) => { for (const button of part.querySelectorAll('button[data-clip]')) button.hidden = !can[button.dataset.clip] }

offer(document)

document.addEventListener('click', async ({ target }) => {
  const one = target.closest('[data-clip]'), what = one?.dataset.clip
  if (!can[what]) return
  if (what === 'print') return print()
  const line = one.closest('[data-copied]') ?? one.closest('.choices').querySelector('[data-copied]')
  const { title, address: url = line.querySelector('code')?.textContent, copied } = line.dataset
  if (what === 'share') return navigator.share({ title, url }).catch(() => {})
  await navigator.clipboard.writeText(url)
  tell(line.querySelector('[role=status]'), copied)
})
