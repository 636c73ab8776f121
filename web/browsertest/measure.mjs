// What can be measured of how a page looks, in the page itself: text that is cut
// or outside of the screen, targets too small for a finger, and text in another
// language than the page's.
import { readFile } from 'node:fs/promises'

// What is called the same in every language.
const names = ['Kalends', 'HTTP', 'iCalendar', 'CNAME', 'DNS TXT', 'JSON', 'Outlook', 'Outlook.com', 'Outlook (Microsoft 365)', 'RSS']

const messages = async (language) => JSON.parse(await readFile(new URL(`../../i18n/texts/${language}.json`, import.meta.url), 'utf8'))

/** Runs in the page; says what is wrong with its boxes. */
export function boxes() {
  const found = new Set()
  const name = (one) => `${one.localName}${one.id ? `#${one.id}` : ''}${one.classList[0] ? `.${one.classList[0]}` : ''} “${(one.innerText || one.value || one.getAttribute('aria-label') || '').trim().slice(0, 40)}”`
  const wide = document.documentElement.clientWidth, page = getComputedStyle(document.documentElement).direction
  const within = (one, selector) => one.closest(selector) !== null
  const unseen = (one) => within(one, '.unseen, .hidden, .skip, .default-button, [aria-hidden="true"], .move, .rich-tools, option, noscript, svg')
  const scrolls = (one) => { for (let p = one.parentElement; p && p !== document.body; p = p.parentElement) if (/auto|scroll/.test(getComputedStyle(p).overflowX)) return true }
  const hasText = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  const broken = (one) => [...one.childNodes].some((node) => {
    if (node.nodeType !== 3 || /[\s\u00ad-]|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u.test(node.data.trim()) || node.data.trim().length < 2) return false
    const range = document.createRange()
    range.selectNodeContents(node)
    const lines = [...range.getClientRects()]
    if (lines.reduce((sum, line) => sum + line.width, 0) > 320) return false // no phone has room for such a word in one line
    return new Set(lines.map((line) => Math.round(line.top))).size > 1
  })
  const roomy = (one, box) => { // has lines that are shorter than itself
    if (!/^(block|grid|flex)$/.test(getComputedStyle(one).display)) return false
    const range = document.createRange()
    range.selectNodeContents(one)
    return [...range.getClientRects()].some((line) => line.width < box.width - 2)
  }
  const whole = (one) => !one.innerText?.trim() || one.closest('[title]') || one.querySelector(':scope > [title]') // nothing is cut, or it is told there

  for (const one of document.body.querySelectorAll('*')) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || unseen(one)) continue
    const box = one.getBoundingClientRect(), style = getComputedStyle(one)
    if (!box.width || !box.height) continue
    if (one.matches('td, th') && style.display !== 'table-cell' && getComputedStyle(one.parentElement).display === 'table-row') found.add(`a cell leaves its row: ${name(one)}`)
    if (hasText(one) && !scrolls(one)) {
      if (box.right > wide + 1 || box.left < -1) found.add(`outside of the screen: ${name(one)}`)
      const room = one.closest('.wrap')?.getBoundingClientRect(), edge = room && parseFloat(getComputedStyle(one.closest('.wrap')).paddingInlineEnd)
      if (room && (box.right > room.right - edge + 1 || box.left < room.left + edge - 1)) found.add(`in the margin of the page: ${name(one)}`)
    }
    if (one.matches('th *, th, button, .button, .badge, nav a') && broken(one)) found.add(`a word is broken: ${name(one)}`)
    if (one.localName === 'bdi' && /^(start|end)$/.test(style.textAlign) && style.direction !== getComputedStyle(one.parentElement).direction && roomy(one, box)) found.add(`text is at the other side: ${name(one)}`)
    const thumb = one.matches('.entry > .keep') && one.parentElement.querySelector(':scope > .thumb')?.getBoundingClientRect()
    if (thumb?.height && (box.top < thumb.top - 8 || box.bottom > thumb.bottom + 8)) found.add(`beside its picture: ${name(one)}`)
    if (one.dir === 'auto' && one.matches(':placeholder-shown') && style.direction !== page) found.add(`its example is at the other side: ${name(one)} “${one.placeholder}”`)
    const beside = one.matches('th > img') && one.parentElement.querySelector(':scope > .name')?.getBoundingClientRect()
    if (beside && beside.top >= box.bottom - 1) found.add(`not beside its picture: ${name(one.parentElement)}`)
    const hides = (axis) => /hidden|clip/.test(axis) && !one.matches('input, select, textarea')
    if (hides(style.overflowX) && one.scrollWidth > one.clientWidth + 1 && !whole(one)) found.add(`text is cut: ${name(one)}`)
    if (hides(style.overflowY) && one.scrollHeight > one.clientHeight + 3 && !whole(one)) found.add(`text is cut below: ${name(one)}`)
    if (/BUTTON|A/.test(one.tagName) && hasText(one) && one.scrollWidth > one.clientWidth + 1 && style.display !== 'inline' && !whole(one)) found.add(`text is wider than ${name(one)}`)
    if (one.matches('a[href], button, input:not([type=hidden]), select, textarea, summary') && !within(one, 'p, li, dd, td, .prose, .hint') || one.matches('button, input:not([type=hidden]), select, summary')) {
      const parts = [one, ...one.labels ?? []].map((part) => part.getBoundingClientRect())
      const side = (from, to) => Math.max(...parts.map((part) => part[to])) - Math.min(...parts.map((part) => part[from]))
      const [width, height] = [side('left', 'right'), side('top', 'bottom')]
      if (width < 23.5 || height < 23.5) found.add(`too small for a finger (${Math.round(width)}×${Math.round(height)}): ${name(one)}`)
    }
  }
  return [...found]
}

/** Runs in the page; its texts but those that people have written. */
export function texts() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const theirs = 'bdi, .month-name, .plan-head h1, code, pre, .prose, .version, .value, .secret, .diff, del, ins, [dir="auto"], [lang]:not(html), time, script, style, select, textarea, kbd, .file, label[for^="f-fields"], label[for^="f-event_language"]'
  const found = []
  for (let node; (node = walker.nextNode());) {
    const text = node.data.trim().replace(/\s+/g, ' ')
    if (/[A-Za-z]{3}/.test(text) && !node.parentElement.closest(theirs)) found.push(text)
  }
  return [...new Set(found)]
}

/** What of the texts of a page, seen in many languages, is English in another. */
export async function untranslated(seen) {
  const english = await messages('en'), wrong = []
  const values = (catalogue) => Object.values(catalogue).flatMap((one) => typeof one === 'string' ? [one] : Object.values(one))
  for (const [page, byLanguage] of seen) {
    for (const [language, found] of Object.entries(byLanguage)) {
      if (language === 'en' || !byLanguage.en) continue
      const word = (text) => text.replace(/\{\{[^{}]*\}\}|[\d:·]+| \([^()]+\)$/g, '').trim() // of what is counted, numbered, in a language or stands after another
      const known = (catalogue) => new Set(values(catalogue).flatMap((one) => [one, word(one)]))
      const [own, ours] = [known(await messages(language)), known(english)]
      const same = (text) => names.includes(text) || [text, word(text)].some((one) => ours.has(one) && own.has(one))
      for (const text of found) if (byLanguage.en.includes(text) && !same(text)) wrong.push(`${page}-${language}: English: ${text}`)
    }
  }
  return wrong
}
