// A map of what stands in a list, or of one place. Its parts are loaded once it is looked at.
const far = 15 // how near one place is shown

const sheet = (href) => new Promise((resolve, reject) => {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload: resolve, onerror: reject })
  document.head.append(link)
})

customElements.define('event-map', class extends HTMLElement {
  connectedCallback() {
    new IntersectionObserver((seen, watch) => {
      if (!seen.some((one) => one.isIntersecting)) return
      watch.disconnect()
      this.show()
    }, { rootMargin: '200px' }).observe(this)
  }

  async show() {
    const { tiles, library, sheet: href, in: zoomInTitle, out: zoomOutTitle, credit, creditAt } = this.dataset
    await Promise.all([sheet(href), import(library)])
    const { L } = window
    const map = L.map(this, { zoomControl: false, attributionControl: false, scrollWheelZoom: false, zoomSnap: 0.5 })
    L.control.zoom({ zoomInTitle, zoomOutTitle, position: getComputedStyle(this).direction === 'rtl' ? 'topright' : 'topleft' }).addTo(map)
    if (credit) {
      const link = Object.assign(document.createElement('a'), { href: creditAt, textContent: credit, rel: 'noopener external' })
      L.control.attribution({ prefix: false }).addAttribution(link.outerHTML).addTo(map)
    }
    map.getPane('markerPane').ariaHidden = 'true'
    L.tileLayer(tiles, { maxZoom: 19, crossOrigin: false }).addTo(map)
    const points = [...this.places()].map((place) => this.pin(L, map, place))
    if (points.length === 1) map.setView(points[0], far)
    else map.fitBounds(L.latLngBounds(points), { padding: [36, 36], maxZoom: far + 1 })
  }

  * places() {
    if (this.dataset.at) yield { at: this.dataset.at, name: this.dataset.name }
    else for (const item of document.getElementById(this.dataset.of).querySelectorAll('[data-at]')) {
      const link = item.querySelector('a')
      yield { at: item.dataset.at, name: link.textContent, item, amount: item.querySelector('.amount')?.textContent }
    }
  }

  // A pin leads to the place in the list, which says all there is to it: pins are for who sees and points.
  pin(L, map, { at, name, item, amount }) {
    const point = at.split(',').map(Number)
    const icon = L.divIcon({ className: 'pin', iconSize: [28, 28], iconAnchor: [14, 28] })
    L.marker(point, { icon, title: amount ? `${name}, ${amount}` : name, keyboard: false, interactive: Boolean(item) }).addTo(map).on('click', () => {
      item.scrollIntoView({ block: 'center', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' })
      item.querySelector('a').focus({ preventScroll: true })
    })
    return point
  }
})

// The nearest places first, from about where somebody is: to a kilometre, which is all the site learns.
customElements.define('near-first', class extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector('button')
    button.hidden = !(navigator.geolocation && window.isSecureContext)
    button.addEventListener('click', () => navigator.geolocation.getCurrentPosition(({ coords }) => {
      const to = new URL(location.href)
      to.searchParams.set('geoloc_lat', coords.latitude.toFixed(2))
      to.searchParams.set('geoloc_lng', coords.longitude.toFixed(2))
      location.assign(to)
    }, () => { button.disabled = true }))
  }
})
