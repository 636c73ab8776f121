// The description of the API: a filter of its operations, and requests sent from the page.
customElements.define('filter-list', class extends HTMLElement {
  connectedCallback() {
    this.hidden = false
    const input = this.querySelector('input'), none = this.querySelector('[role=status]')
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
      for (const item of document.querySelectorAll('.operations [data-find]')) {
        item.hidden = !words.every((word) => item.dataset.find.includes(word))
      }
      none.hidden = document.querySelector('.operations [data-find]:not([hidden])') !== null
    })
  }
})

let key = '' // of all requests of the page; nothing keeps it

customElements.define('try-it', class extends HTMLElement {
  connectedCallback() {
    this.hidden = false
    const form = this.querySelector('form')
    form.elements.key.addEventListener('focus', (event) => { event.target.value ||= key })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      key = form.elements.key.value.trim()
      this.#send(form.elements.address.value, form.elements.body?.value)
    })
  }

  async #send(address, body) {
    const button = this.querySelector('button'), shown = this.querySelector('[role=status]')
    const text = document.createElement('pre')
    Object.assign(text, { dir: 'ltr', tabIndex: 0 })
    button.disabled = true
    try {
      const to = new URL(address, location.origin)
      if (to.origin !== location.origin) throw new Error(to.origin)
      const headers = {}
      if (key) headers.Authorization = `Bearer ${key}`
      if (body) headers['Content-Type'] = 'application/json'
      const answer = await fetch(to, { method: this.dataset.method, headers, body: body || undefined, credentials: 'omit' })
      const content = await answer.text()
      let read = content
      try { read = JSON.stringify(JSON.parse(content), null, 2) } catch { /* no JSON */ }
      const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`)
      text.textContent = [`${answer.status} ${answer.statusText}`, ...lines, '', read].join('\n')
    } catch (problem) {
      text.textContent = `${this.dataset.failed} ${problem.message}`
    }
    button.disabled = false
    shown.replaceChildren(text)
  }
})
