// A town as it is on the busiest month of its year: 24 exhibitions that run for weeks, 280 events, and a series that takes place every day
// for ten years. What one asks of its calendar: that a concert can be seen on each day of the month, at every width, however much is on show.
//
//	node town.mjs ../../bin/kalends                   asks it of a service of its own
//	KALENDS_URL=… KALENDS_USER=login:password node town.mjs seed    makes the town in a service that runs
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { start } from './service.mjs'

const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const pick = (list, n) => list[n % list.length]

const venues = [
  { venue: 'Philharmonic Hall', slug: 'philharmonic', address: 'Lake Promenade 1', city: 'Seestadt', geo_lat: 47.5442, geo_lng: 9.6869 },
  { venue: 'Old Town Hall', slug: 'old-town-hall', address: 'Market 4', city: 'Seestadt', geo_lat: 47.5461, geo_lng: 9.6842 },
  { venue: 'Harbour Warehouse', slug: 'warehouse', address: 'Quay 9', city: 'Seestadt', geo_lat: 47.5433, geo_lng: 9.6821 },
  { venue: 'City Library', slug: 'library', address: 'School Lane 12', city: 'Seestadt', geo_lat: 47.5478, geo_lng: 9.6891 },
  { venue: 'Blue Cellar', slug: 'blue-cellar', address: 'Tower Street 3', city: 'Altdorf', geo_lat: 47.5502, geo_lng: 9.6913 },
  { venue: 'St. Nicholas', slug: 'st-nicholas', address: 'Church Square', city: 'Seestadt', geo_lat: 47.5455, geo_lng: 9.6857 },
  { venue: 'Museum of the Lake', slug: 'lake-museum', address: 'Museum Island', city: 'Seestadt', geo_lat: 47.5429, geo_lng: 9.6878 },
]
const kinds = [
  ['Concerts', '#1d5c86', ['Piano at eight', 'String quartet in D minor', 'Brass on the balcony', 'Organ by candlelight', 'Songs without words', 'The harbour choir']],
  ['Jazz', '#7b3b86', ['Trio after midnight', 'Swing on the pier', 'Late set at the Blue Cellar', 'Big band rehearsal, open doors']],
  ['Theatre', '#a1323a', ['The Cherry Orchard', 'A room with two doors', 'Improvised evening', 'The storm, retold']],
  ['Children', '#8a4b00', ['Puppets in the attic', 'Reading for small ears', 'Build a lantern', 'The paper theatre']],
  ['Talks', '#0f6b6b', ['On the dating of oak piles', 'Who owns the shore?', 'An evening about maps', 'How a town keeps warm']],
  ['Markets', '#2f6b3c', ['Farmers’ market', 'Book market on the quay', 'Night market']],
  ['Film', '#4a4aa0', ['Silent film with live piano', 'Short films of the lake', 'Original version: late show']],
]
const shows = ['Maps, Myths and the Measuring of Lakes', 'Glass', 'Portraits of a Harbour', 'Everything Blue', 'The Collector’s Room', 'Woodcuts', 'After the Flood', 'Light and Salt',
  'Toys from Tin', 'New Acquisitions', 'The Long Shore', 'Textiles of Three Valleys']

/** Pictures as a photographer might send them, drawn in the browser: skies, stages, water. */
async function pictures(page, many) {
  return page.evaluate(async (n) => {
    const list = []
    for (let i = 0; i < n; i++) {
      const portrait = i % 5 === 3, canvas = Object.assign(document.createElement('canvas'), { width: portrait ? 900 : 1500, height: portrait ? 1300 : 1000 }), c = canvas.getContext('2d'), hue = i * 47 % 360
      const sky = c.createLinearGradient(0, 0, 0, canvas.height)
      sky.addColorStop(0, `hsl(${hue} 45% 22%)`)
      sky.addColorStop(0.6, `hsl(${(hue + 30) % 360} 60% 58%)`)
      sky.addColorStop(1, `hsl(${(hue + 50) % 360} 70% 80%)`)
      c.fillStyle = sky
      c.fillRect(0, 0, canvas.width, canvas.height)
      for (let k = 0; k < 9; k++) {
        c.fillStyle = `hsl(${(hue + 200 + k * 9) % 360} 40% ${20 + k * 5}% / 55%)`
        c.beginPath()
        if (i % 3 === 0) c.ellipse(canvas.width * ((k * 0.37 + i * 0.11) % 1), canvas.height * (0.3 + ((k * 0.23) % 0.5)), 60 + k * 34, 60 + k * 30, 0, 0, 7)
        else for (let x = 0; x <= canvas.width; x += 20) c.lineTo(x, canvas.height * (0.5 + k * 0.06) + Math.sin(x / (90 + k * 17) + i + k) * 46)
        if (i % 3) { c.lineTo(canvas.width, canvas.height); c.lineTo(0, canvas.height) }
        c.fill()
      }
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8))
      list.push([...new Uint8Array(await blob.arrayBuffer())])
    }
    return list
  }, many)
}

/** Makes the town. */
export async function seedTown({ base, login, password, api }, browser) {
  const authorization = 'Basic ' + Buffer.from(`${login}:${password}`).toString('base64')
  const page = await browser.newPage(), images = []
  for (const bytes of await pictures(page, 14)) {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), `town-${images.length}.jpg`)
    const sent = await fetch(`${base}/calendar/events/v1/media`, { method: 'POST', body: form, headers: { Authorization: authorization } })
    images.push(String((await sent.json()).id))
  }
  await page.close()
  for (const [name, color] of kinds) await api('POST', '/categories', { name, color }).catch(() => {})
  await api('POST', '/categories', { name: 'Exhibitions', color: '#6b6213' }).catch(() => {})
  for (let n = 0; n < 24; n++) {
    await api('POST', '/events', { title: n < shows.length ? shows[n] : `${pick(shows, n)}: second part`, all_day: true, start_date: day(n % 6 - 30 + n), end_date: day(30 + n * 4), categories: ['Exhibitions'],
      venue: pick(venues, n * 3 + 6), image: n % 4 ? pick(images, n) : undefined, cost: n % 3 ? '€6' : 'Free' })
  }
  for (let n = 0; n < 280; n++) {
    const [category, , titles] = pick(kinds, n * 3 + Math.floor(n / 7)), hour = 9 + (n * 5) % 14, on = day(Math.floor(n / 8) - 1)
    await api('POST', '/events', { title: pick(titles, Math.floor(n / 7)), start_date: `${on} ${String(hour).padStart(2, '0')}:${n % 2 ? '30' : '00'}`, end_date: `${on} ${Math.min(hour + 2, 23)}:45`,
      categories: [category], venue: pick(venues, n), image: n % 3 ? pick(images, n) : undefined, cost: n % 4 ? `€${5 + n % 20}` : 'Free', featured: n % 37 === 9,
      description: '<p>An evening with friends of the house. The bar is open from an hour before, and the doors close when it begins.</p><p>Please bring a coat: the hall is as old as the town.</p>' })
  }
  for (let ago = new Date().getUTCDate() + 6; ago > 1; ago--) { // the month and the week so far
    for (const hour of ['18', '20']) {
      const [category, , titles] = pick(kinds, ago + Number(hour))
      await api('POST', '/events', { title: pick(titles, ago), start_date: `${day(-ago)} ${hour}:00`, end_date: `${day(-ago)} ${hour}:50`, categories: [category], venue: pick(venues, ago), cost: 'Free' })
    }
  }
  await api('POST', '/events', { title: 'Guided walk through the old town', slug: 'walk', start_date: `${day(-1)} 11:00`, end_date: `${day(-1)} 12:30`, categories: ['Talks'], venue: venues[1], cost: '€4',
    image: images[2], recurrence: { every: 'day', count: 3650 } })
}

async function seedOnly() {
  const [login, password] = process.env.KALENDS_USER.split(':'), base = process.env.KALENDS_URL
  const api = async (method, path, body) => {
    const answer = await fetch(`${base}/calendar/events/v1${path}`, { method, body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', Authorization: 'Basic ' + Buffer.from(`${login}:${password}`).toString('base64') } })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const browser = await launched()
  await seedTown({ base, login, password, api }, browser)
  await browser.close()
}

const launched = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const called = process.argv[1] === new URL(import.meta.url).pathname // not imported for its town
if (called && process.argv[2] === 'seed') await seedOnly()
else if (called && process.argv[2]) process.exit(await ask())

/** Asks of the month and the week that what happens on a day can be seen there, at every width. */
async function ask() {
  const out = new URL('../../out/', import.meta.url).pathname, problems = []
  await mkdir(out, { recursive: true })
  const service = await start(process.argv[2]), browser = await launched()
  try {
    await seedTown(service, browser)
    const page = await browser.newPage({ locale: 'en' })
    for (const width of [390, 820, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${service.base}/en/events/month/`)
      const days = await page.locator('.month td:not(.out)').evaluateAll((all) => all.map((one) => {
        const items = [...one.querySelectorAll('.item, .dots i')].filter((item) => item.checkVisibility())
        return { day: one.id, shown: items.length, shelf: one.querySelectorAll('.on-show').length }
      }))
      if (days.length < 28) problems.push(`a month of ${days.length} days at ${width}`)
      for (const { day, shown, shelf } of days) if (!shown || shelf !== 1) problems.push(`${day} at ${width}: ${shown} events, ${shelf} shelves`)
      await page.screenshot({ path: `${out}town-month-${width}.png`, fullPage: true })
      for (const [name, path] of Object.entries({ front: '/en/', list: '/en/events/', week: '/en/events/week/' })) {
        await page.goto(`${service.base}${path}`)
        await page.screenshot({ path: `${out}town-${name}-${width}.png` })
        if (name === 'week') {
          const shown = await page.locator('.week > li').evaluateAll((all) => all.map((one) => [...one.querySelectorAll('.block')].filter((block) => block.checkVisibility() && block.getBoundingClientRect().height > 0).length))
          if (shown.length !== 7 || shown.includes(0)) problems.push(`a week at ${width} shows ${shown} events`)
          if (await page.locator('.week-strip .on-show:visible').count() !== 1) problems.push(`a week at ${width} does not say what is on show`)
        }
        if (name === 'front') {
          const hidden = await page.locator('.lead-text:visible').evaluateAll((all) => all.filter((one) => {
            one.scrollIntoView({ block: 'center' })
            const { left, top, width, height } = one.getBoundingClientRect(), there = document.elementsFromPoint(left + width / 2, top + height / 2)
            return there.includes(one) && there.slice(0, there.indexOf(one)).some((other) => other.matches('.thumb'))
          }).length)
          if (hidden) problems.push(`${hidden} pictures hide their titles at ${width}`)
          const tops = await page.locator('.few > .photo:visible').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
          const rows = [...new Set(tops)].map((top) => tops.filter((one) => one === top).length)
          if (new Set(rows).size > 1) problems.push(`rows of ${rows} pictures at ${width}`)
        }
        if (name === 'front' && width === 390) {
          const top = (await page.locator('.lead-item, .entry').first().boundingBox()).y
          if (top > 260) problems.push(`the first event is ${top} pixels down`)
        }
        if (name === 'list' && await page.locator('.agenda .entry h3', { hasText: 'Guided walk' }).count() > 1) problems.push('a series stands several times in a list')
      }
    }
    console.log(`the month and the week of a town at four widths, ${problems.length} problems; pictures in out/`)
  } finally {
    await browser.close()
    await service.stop()
  }
  for (const problem of problems) console.error(problem)
  return problems.length ? 1 : 0
}
