// A map of what stands in a list, or of one place. Its parts are loaded once it is looked at.
const sheet = (href) => new Promise((resolve, reject) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: resolve, onerror: reject })
  document.head.append(link)
})

customElements.define('event-map', class extends HTMLElement {
  connectedCallback() {
    new IntersectionObserver(async (seen, watch) => {
      if (!seen.some((one) => one.isIntersecting)) return
      watch.disconnect()
      const { script, library, sheet: href } = this.dataset
      const [{ draw }] = await Promise.all([import(script), import(library), sheet(href)])
      draw(this, window.L)
    }, { rootMargin: '200px' }).observe(this)
  }
})

// The nearest places first, from about where somebody is: to a kilometre, which is all the site learns.
customElements.define('near-first', class extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector('button')
    button.hidden = !(navigator.geolocation && window.isSecureContext)
    button.addEventListener('click', () => navigator.geolocation.getCurrentPosition(({ coords }) => {
      const to = new URL(location.href)
      to.hash = ''
      to.searchParams.delete('geoloc_radius')
      to.searchParams.set('geoloc_lat', coords.latitude.toFixed(2))
      to.searchParams.set('geoloc_lng', coords.longitude.toFixed(2))
      location.assign(to)
    }, () => { button.disabled = true }))
  }
})
