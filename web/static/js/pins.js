// Pins of the places of a map, and what is on there. Places whose pins would touch share one.
import { ask, make } from './ask.js'
import { number } from './say.js'

const apart = 46 // pixels between the middles of two pins
const named = 3 // places that a shared pin names

export class Pins {
  #shown = new Map() // markers and buttons, by the venues of a pin
  #known = new Map() // what is on, by venue

  constructor(box, L, map, places) {
    Object.assign(this, { box, L, map, places })
    map.on('moveend', () => this.#show())
    box.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.popup) return
      event.stopPropagation()
      this.#close()
    })
    box.addEventListener('focusin', ({ target }) => {
      const pin = [...this.#shown.values()].find(({ button }) => button === target)
      if (pin) map.panInside(pin.marker.getLatLng(), { padding: [44, 44], animate: false })
    })
    this.#show()
  }

  // The places with most events come first, and gather those around them.
  #groups() {
    const zoom = this.map.getZoom(), groups = []
    for (const place of this.places) {
      const at = this.map.project(place.point, zoom)
      const near = groups.find((group) => group.at.distanceTo(at) < apart)
      if (near) near.places.push(place)
      else groups.push({ at, places: [place] })
    }
    return groups
  }

  #show() {
    const seen = this.map.getBounds().pad(0.3), wanted = new Map()
    for (const { places } of this.#groups()) {
      const bounds = this.L.latLngBounds(places.map(({ point }) => point))
      if (seen.intersects(bounds)) wanted.set(places.map(({ venue }) => venue).join(), { places, bounds })
    }
    let left
    for (const [key, { marker, button }] of this.#shown) {
      if (wanted.has(key)) continue
      if (button === document.activeElement) [left] = key.split(',')
      marker.remove()
      this.#shown.delete(key)
    }
    for (const [key, one] of wanted) if (!this.#shown.has(key)) this.#shown.set(key, this.#pin(one))
    if (left) (this.#at(left)?.button ?? this.box).focus({ preventScroll: true })
  }

  #at(venue) {
    return [...this.#shown].find(([key]) => key.split(',').includes(venue))?.[1]
  }

  #pin({ places, bounds }) {
    const many = places.length > 1, [first] = places, n = places.reduce((sum, { events }) => sum + events, 0) || (many ? places.length : 0)
    const names = places.slice(0, named).map(({ link }) => link.textContent).join(' · ') + (places.length > named ? ' …' : '')
    const label = [names, many ? number(n) : first.amount].filter(Boolean).join(', ')
    const button = make('button', { type: 'button', className: many ? 'cluster' : 'pin', title: label, ariaLabel: label })
    if (n) button.dataset.events = number(n)
    const size = many ? 44 : 36, point = many ? bounds.getCenter() : first.point
    const icon = this.L.divIcon({ className: '', html: button, iconSize: [size, size], iconAnchor: [size / 2, many ? size / 2 : size] })
    const marker = this.L.marker(point, { icon, keyboard: false, riseOnHover: true }).addTo(this.map)
    marker.on('click', () => (many ? this.#open(places, bounds) : this.#tell(point, size, [this.#card(first)], first.venue)))
    return { marker, button }
  }

  // Places in one pin come apart as one looks closer; those that do not are named together.
  #open(places, bounds) {
    const zoom = Math.min(Math.max(this.map.getBoundsZoom(bounds, false, this.L.point(88, 88)), this.map.getZoom() + 1), this.map.getMaxZoom())
    if (this.map.getZoom() < this.map.getMaxZoom()) this.map.setView(bounds.getCenter(), zoom)
    else this.#tell(bounds.getCenter(), 22, places.map((place) => this.#card(place, true)), places[0].venue)
  }

  #tell(point, above, cards, venue) {
    const close = make('button', { type: 'button', className: 'plain close', ariaLabel: this.box.dataset.close, title: this.box.dataset.close, textContent: '×' })
    const { x, y } = this.map.getSize(), room = [56, 12] // beside the buttons for zooming
    const side = getComputedStyle(this.box).direction === 'rtl' ? 'autoPanPaddingBottomRight' : 'autoPanPaddingTopLeft'
    const popup = this.L.popup({ minWidth: 180, maxWidth: Math.min(320, x - 80), maxHeight: y - 80, closeButton: false, offset: [0, 4 - above], autoPanPadding: [12, 12], [side]: room })
      .setLatLng(point).setContent(make('div', { className: 'at-pin' }, close, ...cards))
    close.addEventListener('click', () => this.#close())
    popup.on('remove', () => { if (this.popup === popup) this.popup = null })
    popup.openOn(this.map)
    Object.assign(this, { popup, told: venue })
    popup.getElement().querySelector('a').focus({ preventScroll: true })
  }

  #close() {
    this.popup.close();
    (this.#at(this.told)?.button ?? this.box).focus({ preventScroll: true })
  }

  // The library puts the card in anew to find its size, which takes the focus from it.
  #fit() {
    const focused = document.activeElement
    this.popup?.update()
    focused.focus({ preventScroll: true })
  }

  // What a card says of a place: what is on there next, as the list is filtered.
  #card({ venue, link, amount }, short) {
    const card = make('div', { className: 'card' }, make('p', { className: 'name' }, link.cloneNode(true)))
    if (amount) card.append(make('p', { className: 'soft', textContent: amount }))
    if (short) return card
    const list = make('div', { className: 'next', ariaBusy: 'true' })
    card.append(list)
    this.#next(venue).then((items) => {
      list.replaceChildren(...items.map((item) => item.cloneNode(true)))
      list.ariaBusy = null
      this.#fit()
    })
    return card
  }

  // A venue of which nothing can be read has its page.
  #next(venue) {
    if (!this.#known.has(venue)) {
      const to = new URL(this.box.dataset.found, location.href)
      to.searchParams.set('venue', venue)
      this.#known.set(venue, ask(to, { credentials: 'omit' }).then(({ ok, part }) => {
        if (!ok) this.#known.delete(venue)
        return ok ? [...part.children] : []
      }))
    }
    return this.#known.get(venue)
  }
}
