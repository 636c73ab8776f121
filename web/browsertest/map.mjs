// The map with events on it: pins, clusters, what is on at a place, the search in an area, keys, a phone, right to left, and no map without
// tiles. The tiles come from a server of the test, through the site as behind a proxy.
//
//	node map.mjs ../../bin/kalends
import { mkdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'
import { png, start } from './service.mjs'

const out = new URL('../../out/', import.meta.url).pathname
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const service = await start(process.argv[2])
const { api, base } = service
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let doing = ''
const wrong = (text) => problems.push(`${doing}: ${text}`)
const same = (got, want, text) => { if (got !== want) wrong(`${text}: ${got}, not ${want}`) }
const has = (got, want, text) => { if (!got?.includes(want)) wrong(`${text}: no ${want} in ${String(got).slice(0, 300)}`) }

// The server of tiles: it has what a map of the earth has, and nothing else.
const tile = png(256, 256)
let asked = 0
const tiles = createServer(({ url }, answer) => {
  const [, z, x, y] = (url.match(/^\/(\d+)\/(\d+)\/(\d+)\.png$/) ?? []).map(Number)
  const there = z <= 19 && x < 2 ** z && y < 2 ** z
  if (there) asked++
  else wrong(`the tile ${url}`)
  answer.writeHead(there ? 200 : 404, { 'Content-Type': 'image/png' }).end(there ? tile : '')
})
await new Promise((resolve) => tiles.listen(0, '127.0.0.1', resolve))

/** What an administrator does to have maps. */
async function configure() {
  const page = await (await browser.newContext({ locale: 'en' })).newPage()
  await page.goto(`${base}/admin/login`)
  await page.fill('#f-login', service.login)
  await page.fill('#f-password', service.signIn)
  await page.click('form[action="/admin/login"] button')
  await page.goto(`${base}/admin/settings/display`)
  await page.fill('#f-map_tiles', '/tiles/{z}/{x}/{y}.png')
  await page.fill('#f-map_credit', 'Makers of maps | https://example.org/maps')
  await Promise.all([page.waitForEvent('load'), page.click('form.settings p.buttons button[value=save]')])
  await page.context().close()
}

async function visit(path, look, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en', reducedMotion: 'reduce', ...options })
  await context.route('**/tiles/**', async (route) => {
    const answer = await fetch(`http://127.0.0.1:${tiles.address().port}${new URL(route.request().url()).pathname.slice('/tiles'.length)}`)
    await route.fulfill({ status: answer.status, contentType: 'image/png', body: Buffer.from(await answer.arrayBuffer()) })
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => wrong(`script: ${error.message}`))
  page.on('console', (message) => { if (message.type() === 'error') wrong(`console: ${message.text()}`) })
  await page.goto(`${base}${path}`)
  if (options.javaScriptEnabled !== false && await page.locator('event-map').count()) await page.locator('.leaflet-tile-loaded').first().waitFor()
  await look(page)
  await context.close()
}

const shot = (page, name) => page.screenshot({ path: `${out}map-${name}.png` })
const pins = (page) => page.locator('event-map .leaflet-marker-pane button')
const labels = async (page) => (await pins(page).evaluateAll((all) => all.map((one) => one.ariaLabel))).toSorted()
const at = (page, name) => page.locator(`event-map .leaflet-marker-pane button[aria-label^="${name}"]`)
const card = (page) => page.locator('.leaflet-popup .at-pin')
const wide = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

async function checked(page, name) {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  for (const v of violations) wrong(`${name}: ${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => n.target).join('; ')})`)
}

const day = (offset) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const venues = { 'Seebad Lindau': [47.5442, 9.6869], 'Inselhalle': [47.5486, 9.6895], 'Festspielhaus': [47.5052, 9.7392], 'Kunsthalle am Ufer': [47.5036, 9.7471], 'Alter Speicher': [47.6542, 9.4797],
  'Keller': [47.6612, 9.1752], 'Werkstatt': [47.6612, 9.1752] }
const events = [['Swimming by night', 'Seebad Lindau', 3, 'Sport'], ['Open water', 'Seebad Lindau', 5, 'Sport'], ['Fair of books', 'Inselhalle', 4, 'Literature'], ['An opera on the lake', 'Festspielhaus', 6, 'Music'],
  ['A second opera', 'Festspielhaus', 7, 'Music'], ['Paintings of water', 'Kunsthalle am Ufer', 8, 'Art'], ['Corn', 'Alter Speicher', 9, 'Art'], ['Below the ground', 'Keller', 9, 'Music'], ['Wood and glue', 'Werkstatt', 9, 'Art']]

const tests = {
  async noTiles() {
    await visit('/en/events/', async (page) => {
      same((await page.locator('.views a').allInnerTexts()).includes('Map'), false, 'a tab that is only a list')
    })
    await visit('/en/events/map/', async (page) => {
      same(await page.locator('event-map').count(), 0, 'maps without tiles')
      has(await page.locator('.places').innerText(), 'Seebad Lindau', 'the list')
      same(await page.locator('.views [aria-current]').count(), 0, 'a current view')
      has(await page.locator('h1').innerText(), 'Venues', 'the title')
      await shot(page, 'none')
    })
    await configure()
  },

  async pinsAndClusters() {
    await visit('/en/events/map/', async (page) => {
      await shot(page, 'all')
      same(await page.locator('.views a[aria-current]').first().innerText(), 'Map', 'the current view')
      const shared = page.locator('event-map .cluster')
      const before = await labels(page)
      const sum = (await pins(page).evaluateAll((all) => all.map((one) => Number(one.dataset.events)))).reduce((all, n) => all + n)
      same(sum, events.length, `events on all pins (${before.join('; ')})`)
      if (!(await shared.count())) return wrong(`nothing is gathered: ${before.join('; ')}`)
      has((await labels(page)).join(), 'Keller · Werkstatt, 2', 'places in one pin')
      for (const one of await pins(page).all()) {
        const { width, height } = await one.boundingBox()
        if (width < 36 || height < 36) wrong(`a pin has ${width} × ${height} pixels`)
      }
      await checked(page, 'pins')
      await page.locator('event-map .cluster[aria-label^="Festspielhaus"]').click()
      await at(page, 'Kunsthalle am Ufer, 1 event').waitFor()
      await shot(page, 'closer')
      if ((await labels(page)).join() === before.join()) wrong('a cluster does not come apart')
    })
  },

  async onAtAPlace() {
    await visit('/en/events/map/', async (page) => {
      await at(page, 'Alter Speicher').click()
      await card(page).locator('li').first().waitFor()
      has(await card(page).innerText(), 'Alter Speicher', 'the place')
      has(await card(page).innerText(), '1 event', 'the number')
      const letters = (one) => getComputedStyle(one).fontFamily
      same(await card(page).evaluate(letters), await page.locator('body').evaluate(letters), 'the letters of a card')
      has(await card(page).locator('time').innerText(), String(Number(day(9).slice(8))), 'the date')
      same(await card(page).locator('.name a').evaluate((a) => a === document.activeElement), true, 'the focus in the card')
      await shot(page, 'card')
      await checked(page, 'a card')
      await card(page).getByRole('button', { name: 'Close' }).click()
      same(await card(page).count(), 0, 'cards that were closed')
      same(await page.evaluate(() => document.activeElement.ariaLabel), 'Alter Speicher, 1 event', 'the focus after it')
      await at(page, 'Alter Speicher').click()
      await card(page).locator('li a').click()
      await page.waitForURL('**/en/event/corn/')
    })
    await visit('/en/events/map/?category=art', async (page) => {
      same((await labels(page)).some((one) => one.includes('Festspielhaus')), false, 'a place of another category')
    })
  },

  async filtersStay() {
    await visit('/en/events/?category=music&search=opera', async (page) => {
      await page.locator('.views a', { hasText: 'Map' }).click()
      await page.waitForURL('**/events/map/?category=music&search=opera')
      await page.locator('.leaflet-tile-loaded').first().waitFor()
      same((await labels(page)).join(), 'Festspielhaus, 2 events', 'places')
      await pins(page).click()
      await card(page).locator('li').first().waitFor()
      same(await card(page).locator('li').count(), 2, 'what is on, as filtered')
      await page.locator('.views a', { hasText: 'List' }).click()
      await page.waitForURL('**/events/?category=music&search=opera')
    })
  },

  async searchHere() {
    await visit('/en/events/map/?category=music', async (page) => {
      const button = page.getByRole('button', { name: 'Search this area' })
      same(await button.isVisible(), false, 'the button before the map has moved')
      await page.locator('event-map').evaluate((box) => box.scrollIntoView())
      const box = await page.locator('event-map').boundingBox(), opera = await at(page, 'Festspielhaus').boundingBox()
      await page.mouse.move(opera.x - 40, opera.y - 20)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width / 2 - 58, box.y + box.height / 2 - 56, { steps: 8 }) // its tip in the middle
      await page.mouse.up()
      await page.locator('event-map').focus()
      for (let n = 0; n < 3; n++) await page.keyboard.press('+')
      await button.waitFor()
      const before = await labels(page)
      await shot(page, 'moved')
      await button.click()
      await page.waitForURL('**geoloc_radius**')
      await page.locator('.leaflet-tile-loaded').first().waitFor()
      await page.waitForTimeout(300)
      const to = new URL(page.url())
      same(to.searchParams.get('category'), 'music', 'the filter')
      has(await page.locator('.chips').innerText(), 'In this part of the map', 'the chip')
      has(await page.locator('.places').innerText(), 'Festspielhaus', 'the list')
      same((await page.locator('.places').innerText()).includes('Keller'), false, 'a place outside')
      same(before.join(), 'Festspielhaus, 2 events', 'the pins before')
      same((await labels(page)).join(), before.join(), 'the pins of the area')
      same(await page.getByRole('button', { name: 'Search this area' }).isVisible(), false, 'the button after the search')
      same(await page.evaluate(() => document.querySelector('event-map').getBoundingClientRect().top < innerHeight / 2), true, 'the map is in sight')
      await shot(page, 'area')
      await page.locator('.views a', { hasText: 'List' }).click()
      await page.waitForURL('**/events/?**geoloc_radius**')
      has(await page.locator('main').innerText(), 'An opera on the lake', 'the list of the area')
      same((await page.locator('main').innerText()).includes('Below the ground'), false, 'an event outside')
      await page.locator('.chips .chip', { hasText: 'part of the map' }).click()
      await page.waitForURL('**/events/?category=music')
    })
    await visit('/en/events/map/?geoloc_lat=10&geoloc_lng=10&geoloc_radius=3', async (page) => {
      has(await page.locator('main').innerText(), 'No events found.', 'an area with nothing')
      same(await page.locator('event-map').isVisible(), true, 'the map of it')
      await shot(page, 'nothing')
    })
  },

  async keys() {
    await visit('/en/events/map/', async (page) => {
      await page.locator('event-map').focus()
      const reached = []
      for (let n = 0; n < 20 && !reached.some((one) => one?.startsWith('Keller')); n++) {
        await page.keyboard.press('Tab')
        reached.push(await page.evaluate(() => document.activeElement.ariaLabel))
      }
      if (!reached.some((one) => one?.startsWith('Keller'))) return wrong(`Tab reaches ${reached.join('; ')}`)
      const focused = () => page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.textContent)
      for (let n = 0; n < 20 && !(await card(page).count()); n++) { // two places in one house never come apart
        await page.keyboard.press('Enter')
        await page.waitForTimeout(350)
      }
      same(await card(page).locator('.name').count(), 2, 'places named together')
      same(await focused(), 'Keller', 'the focus in the card')
      await shot(page, 'together')
      await page.keyboard.press('Escape')
      same(await card(page).count(), 0, 'cards after Escape')
      has(await focused(), 'Keller · Werkstatt', 'the focus after Escape')
    })
  },

  async onAPhone() {
    for (const language of ['en', 'ar', 'de']) {
      await visit(`/${language}/events/map/`, async (page) => {
        same(await page.getAttribute('html', 'dir'), language === 'ar' ? 'rtl' : 'ltr', 'the direction')
        same(await wide(page), 0, `${language}: pixels too wide`)
        await page.locator('event-map').scrollIntoViewIfNeeded()
        await at(page, 'Alter Speicher').tap()
        await card(page).locator('li').first().waitFor()
        await page.waitForTimeout(300)
        const box = await page.locator('event-map').boundingBox(), inside = await page.locator('.leaflet-popup').boundingBox()
        if (inside.x < box.x || inside.x + inside.width > box.x + box.width || inside.y < box.y) wrong(`${language}: the card leaves the map: ${JSON.stringify({ box, inside })}`)
        same(await wide(page), 0, `${language}: pixels too wide with a card`)
        await checked(page, language)
        await shot(page, `phone-${language}`)
      }, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, colorScheme: language === 'de' ? 'dark' : 'light' })
    }
    await visit('/ar/events/map/', (page) => shot(page, 'ar'))
  },

  async withoutScripts() {
    await visit('/en/events/map/', async (page) => {
      same(await page.locator('event-map').isVisible(), false, 'an empty map')
      same(await page.locator('.search-here:visible').count(), 0, 'buttons that do nothing')
      has(await page.locator('.places').innerText(), 'Alter Speicher', 'the list')
    }, { javaScriptEnabled: false })
  },

  async onePlace() {
    await visit('/en/venue/alter-speicher/', async (page) => {
      await page.locator('event-map .leaflet-marker-icon').waitFor()
      same(await pins(page).count(), 0, 'a pin to press beside what it says')
      await shot(page, 'venue')
    })
  },
}

let done = 0
try {
  await mkdir(out, { recursive: true })
  const { events: samples } = await api('GET', '/events?per_page=50')
  for (const { id } of samples) await api('DELETE', `/events/${id}`)
  for (const [title, name, offset, category] of events) {
    const slug = name.toLowerCase().replaceAll(' ', '-'), [geo_lat, geo_lng] = venues[name]
    await api('POST', '/events', { title, start_date: `${day(offset)} 19:00`, end_date: `${day(offset)} 21:00`, categories: [category],
      venue: { venue: name, slug, address: 'Uferweg 9', city: 'Lindau', show_map: true, geo_lat, geo_lng } })
  }
  for (const [name, test] of Object.entries(tests)) {
    if (process.env.ONLY && name !== 'noTiles' && !process.env.ONLY.includes(name)) continue
    doing = name
    await test().then(() => done++, (error) => wrong(error.stack))
  }
  same(asked > 20, true, 'tiles were asked for')
} finally {
  await browser.close()
  await service.stop()
  tiles.close()
}
for (const problem of problems) console.error(problem)
console.log(`${done} checks of the map, ${asked} tiles, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
