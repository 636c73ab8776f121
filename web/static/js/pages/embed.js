// <kalends-calendar>: the calendar of this site within a page of another. It reads the same
// pages that frames show, and what it holds before that is shown until they are here.
const site = new URL(import.meta.url).origin
const filters = ['categories', 'tags', 'category', 'tag', 'city', 'organizer', 'search', 'audience', 'accessibility', 'event_language', 'featured', 'cost', 'how', 'when',
  'categories_exclude', 'tags_exclude', 'venue_exclude', 'theme', 'accent']

class Calendar extends HTMLElement {
  static observedAttributes = ['view', 'event', 'lang', 'fields', ...filters]
  #asked // what is being read
  #due = false

  connectedCallback() {
    if (!this.shadowRoot) {
      this.attachShadow({ mode: 'open' }).append(document.createElement('slot'))
      this.shadowRoot.addEventListener('click', (event) => this.#step(event))
    }
    this.attributeChangedCallback()
  }

  disconnectedCallback() { this.#asked?.abort() }

  // Several attributes that change at once are one change.
  attributeChangedCallback() {
    if (!this.isConnected || !this.shadowRoot || this.#due) return
    this.#due = true
    queueMicrotask(() => {
      this.#due = false
      this.#show(this.#address(this.getAttribute('lang')))
    })
  }

  #address(language) {
    const event = this.getAttribute('event')
    const view = event ? `event/${event}` : this.getAttribute('view') ?? 'list'
    const address = new URL(`${language ? `/${language}` : ''}/embed/${view}/`, site)
    for (const name of filters) if (this.getAttribute(name)) address.searchParams.set(name, this.getAttribute(name))
    for (const one of (this.getAttribute('fields') ?? '').split(';')) {
      const [key, values] = one.split('=')
      if (values) address.searchParams.set(`fields[${key.trim()}]`, values.trim())
    }
    return address
  }

  // What is there stays where the address can't be read.
  async #show(address, moved) {
    this.#asked?.abort()
    const asked = this.#asked = new AbortController()
    const busy = (on) => this.shadowRoot.querySelector('.embed')?.setAttribute('aria-busy', on)
    busy(true)
    try {
      const page = await this.#read(address, asked).catch((problem) => {
        if (moved || !this.getAttribute('lang')) throw problem
        return this.#read(this.#address(), asked) // a language that the site doesn't have
      })
      await this.#place(page.querySelector('.embed'), page)
      if (moved) this.shadowRoot.querySelector('h2')?.focus()
      this.dispatchEvent(new CustomEvent('kalends-shown', { bubbles: true }))
    } catch (problem) {
      if (asked.signal.aborted) return
      busy(false)
      if (moved) location.assign(address)
      else console.warn('kalends-calendar:', problem.message)
    }
  }

  async #read(address, { signal }) {
    const answer = await fetch(address, { credentials: 'omit', signal })
    if (!answer.ok) throw new Error(`${answer.status} ${address}`)
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  }

  // Addresses are made whole, for they are read on another page, and style sheets are here
  // before what they are for.
  async #place(content, page) {
    for (const name of ['href', 'src']) {
      for (const element of content.querySelectorAll(`[${name}]`)) element.setAttribute(name, new URL(element.getAttribute(name), site))
    }
    for (const element of content.querySelectorAll('[srcset]')) {
      element.srcset = element.getAttribute('srcset').split(',').map((one) => {
        const [address, ...size] = one.trim().split(' ')
        return [new URL(address, site), ...size].join(' ')
      }).join(', ')
    }
    const title = content.querySelector('h1') // the page around has its own
    if (title) {
      const lower = Object.assign(document.createElement('h2'), { className: title.className, tabIndex: -1 })
      lower.append(...title.childNodes)
      title.replaceWith(lower)
    }
    const sheets = [...page.querySelectorAll('link[rel=stylesheet]')].map((link) => new URL(link.getAttribute('href'), site).href)
    const there = [...this.shadowRoot.querySelectorAll('link')]
    const added = sheets.filter((href) => !there.some((link) => link.href === href)).map((href) => {
      const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
      const ready = new Promise((resolve) => { link.onload = link.onerror = resolve })
      this.shadowRoot.querySelector('.embed, slot').before(link)
      return ready
    })
    await Promise.all(added)
    for (const link of there) if (!sheets.includes(link.href)) link.remove()
    this.shadowRoot.querySelectorAll('.embed, slot').forEach((old) => old.remove())
    this.shadowRoot.append(content)
  }

  // Other days are shown here; everything else is for the site.
  #step(event) {
    const link = event.target.closest('a[target=_self]')
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    this.#show(new URL(link.href), true)
  }
}

if (!customElements.get('kalends-calendar')) customElements.define('kalends-calendar', Calendar)
