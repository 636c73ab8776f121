// Draws a map with the library in L: of one place, or of those of a list with what is on there.
import { Pins } from '../pins.js'

const far = 15 // how near one place is shown
const deepest = 19 // how near tiles are there

/** Draws the map in a box. */
export function draw(box, L) {
  const { tiles, in: zoomInTitle, out: zoomOutTitle, credit, creditAt, at } = box.dataset
  const moves = !matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = L.map(box, { zoomControl: false, attributionControl: false, scrollWheelZoom: false, zoomSnap: 0.5, maxZoom: deepest,
    fadeAnimation: moves, zoomAnimation: moves, inertia: moves })
  L.control.zoom({ zoomInTitle, zoomOutTitle, position: getComputedStyle(box).direction === 'rtl' ? 'topright' : 'topleft' }).addTo(map)
  if (credit) {
    const link = Object.assign(document.createElement('a'), { href: creditAt, textContent: credit, rel: 'noopener external' })
    L.control.attribution({ prefix: false }).addAttribution(link.outerHTML).addTo(map)
  }
  L.tileLayer(tiles, { maxZoom: deepest, crossOrigin: false }).addTo(map)
  if (at) one(box, L, map)
  else several(box, L, map)
}

// One place is told of beside the map: its pin is for who sees.
function one(box, L, map) {
  const { at, name } = box.dataset, point = at.split(',').map(Number)
  map.getPane('markerPane').ariaHidden = 'true'
  L.marker(point, { icon: L.divIcon({ className: 'pin', iconSize: [28, 28], iconAnchor: [14, 28] }), title: name, keyboard: false, interactive: false }).addTo(map)
  map.setView(point, far)
}

function several(box, L, map) {
  const { of, area } = box.dataset
  const places = [...document.getElementById(of)?.querySelectorAll('[data-at]') ?? []].map((item) => ({
    venue: item.dataset.venue, point: L.latLng(item.dataset.at.split(',').map(Number)), events: Number(item.dataset.events ?? 0),
    link: item.querySelector('a'), amount: item.querySelector('.amount')?.textContent,
  }))
  if (area) look(map, L, area.split(',').map(Number))
  else if (places.length === 1) map.setView(places[0].point, far)
  else map.fitBounds(L.latLngBounds(places.map(({ point }) => point)), { padding: [44, 44], maxZoom: far + 1, animate: false })
  new Pins(box, L, map, places)
  offer(box, map)
}

// The area is what reaches the corners of the map on which it was chosen: there the map is as it was.
function look(map, L, [lat, lng, km]) {
  const bounds = L.latLng(lat, lng).toBounds(km * 2000)
  map.setView([lat, lng], map.getBoundsZoom(bounds), { animate: false })
  while (map.getZoom() < map.getMaxZoom() && corner(map, map.getZoom() + 0.5) >= km * 0.99) map.setZoom(map.getZoom() + 0.5, { animate: false })
}

// How far the corners are from the middle in kilometers.
function corner(map, zoom) {
  const middle = map.project(map.getCenter(), zoom)
  return map.distance(map.unproject(middle.add(map.getSize().divideBy(2)), zoom), map.getCenter()) / 1000
}

// Whoever has moved the map can look there for what the list has.
function offer(box, map) {
  const button = box.querySelector('.search-here')
  if (!button) return
  const place = () => `${map.getZoom()} ${map.project(map.getCenter()).round()}`, before = place()
  map.on('moveend', () => { button.hidden = place() === before })
  for (const kind of ['mousedown', 'dblclick', 'touchstart']) button.addEventListener(kind, (event) => event.stopPropagation())
  button.addEventListener('click', (event) => {
    event.stopPropagation()
    const to = new URL(location.href), { lat, lng } = map.getCenter().wrap()
    const asked = { geoloc_lat: lat.toFixed(5), geoloc_lng: lng.toFixed(5), geoloc_radius: Math.min(corner(map, map.getZoom()), 20038).toFixed(2) }
    for (const [name, value] of Object.entries(asked)) to.searchParams.set(name, value)
    to.hash = box.id
    location.assign(to)
  })
}
