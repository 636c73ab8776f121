// Lists that are searched by typing: which entries match, which one the arrows lead to, and a combobox after the ARIA authoring practices.
import { fold } from './say.js'

/** Hides the entries that lack a text, and returns how many have it. Those that are ticked stay. */
export function narrow(all, text, of = (one) => one.textContent) {
  const wanted = fold(text.trim())
  let found = 0
  for (const one of all) {
    const match = fold(of(one)).includes(wanted)
    if (match) found++
    one.hidden = !match && !one.querySelector(':checked')
  }
  return found
}

/** Moves the focus among elements by the arrows up and down, or across with Home and End. */
export function walk(event, all, across) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || !all.length) return
  const sideways = getComputedStyle(event.currentTarget).direction === 'rtl' ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
  const [back, on] = across ? sideways : ['ArrowUp', 'ArrowDown']
  const at = all.indexOf(document.activeElement), to = { [back]: at - 1, [on]: at + 1, ...across && { Home: 0, End: -1 } }[event.key]
  if (to === undefined) return
  event.preventDefault()
  all.at(to % all.length).focus()
}

/** Makes one of several elements the one that the Tab key stops at. */
export const stop = (all, one) => { for (const other of all) other.tabIndex = other === one ? 0 : -1 }

/** A field and its list of options, of which the arrows mark one and Enter chooses it. offer shows the list if it isn't shown. */
export class Combo {
  constructor(input, list, choose, offer) {
    Object.assign(this, { input, list })
    input.addEventListener('keydown', async (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (event.isComposing) return
      if (by) {
        event.preventDefault()
        await offer?.()
        const { shown } = this, at = shown.indexOf(this.active)
        if (shown.length) this.mark(shown.at((at < 0 && by < 0 ? by : at + by) % shown.length))
      } else if (event.key === 'Enter' && this.active) {
        event.preventDefault()
        choose(this.active)
      }
    })
    list.addEventListener('mousedown', (event) => event.preventDefault()) // the field keeps the focus
    list.addEventListener('click', ({ target }) => {
      const option = target.closest('[role=option]')
      if (option) choose(option)
    })
  }

  get shown() { return [...this.list.children].filter((one) => !one.hidden) }

  /** Marks the option that Enter chooses. */
  mark(option) {
    this.active?.setAttribute('aria-selected', 'false')
    this.active = option
    if (!option) return this.input.removeAttribute('aria-activedescendant')
    option.id ||= `${this.list.id}-${[...this.list.children].indexOf(option)}`
    option.setAttribute('aria-selected', 'true')
    this.input.setAttribute('aria-activedescendant', option.id)
    option.scrollIntoView({ block: 'nearest' })
  }
}
