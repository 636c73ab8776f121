// Twelve things a visitor does, who has never been here, each with the clicks it takes; with a picture of how it
// ends in out/.
//
//	node visitor.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { start } from './service.mjs'

const out = new URL('../../out/', import.meta.url).pathname
const service = await start(process.argv[2])
const { api, base } = service
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
const same = (got, want, text) => { if (got !== want) problems.push(`${text}: ${got}, not ${want}`) }
const has = (got, want, text) => { if (!got.includes(want)) problems.push(`${text}: no ${want} in ${got.slice(0, 300)}`) }

// Days of the site, which is in Berlin.
const today = new Date(`${new Date().toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })}T00:00Z`)
const day = (offset) => new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
const saturday = today.getUTCDay() === 0 ? day(0) : day(6 - today.getUTCDay()) // or what is left of the weekend

let clicks = 0 // of the task that is counted

async function visitor(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, locale: 'en', permissions: ['clipboard-read', 'clipboard-write'], ...options })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  if (options.javaScriptEnabled === false) return page
  await page.exposeFunction('clicked', () => clicks++)
  await page.addInitScript(() => addEventListener('pointerdown', () => window.clicked(), true))
  return page
}

/** Does a task and counts the clicks it takes. */
async function counted(most, name, task) {
  clicks = 0
  await task()
  console.log(`${name}: ${clicks} clicks`)
  if (clicks > most) problems.push(`${name} takes ${clicks} clicks, not ${most}`)
}

const picture = (page, name) => page.screenshot({ path: `${out}visitor-${name}.png` })
const go = (page, press) => Promise.all([page.waitForEvent('load'), press()])
const title = (page) => page.locator('h1').innerText()

const pier = { venue: 'The Long Pier', slug: 'long-pier', address: 'Uferweg 9', city: 'Lindau', zip: '88131', country: 'Germany', geo_lat: 47.5442, geo_lng: 9.6869 }
const jazz = { title: 'Jazz on the pier', slug: 'jazz-pier', start_date: `${saturday} 23:00`, end_date: `${saturday} 23:50`, venue: pier, cost: 'Free', tags: ['jazz'] }

const tasks = {
  async jazzThisWeekend(page) {
    await page.goto(`${base}/en/`)
    await counted(2, 'jazz this weekend', async () => {
      await page.locator('.masthead input[type=search]').click()
      await page.keyboard.type('jazz')
      await go(page, () => page.keyboard.press('Enter'))
      await go(page, () => page.locator('.near a', { hasText: 'Weekend' }).click())
    })
    has(await page.locator('.agenda').first().innerText(), 'Jazz on the pier', 'jazz this weekend')
    for (const name of await page.locator('.entry h3').allInnerTexts()) if (!/jazz|cellar|swing/i.test(name)) problems.push(`jazz this weekend: ${name}`)
    await picture(page, 'jazz')
  },

  async whileTyping(page) {
    const asked = []
    page.on('request', (request) => { if (request.url().includes('/found/')) asked.push(request.url()) })
    await page.goto(`${base}/en/events/`)
    await page.waitForLoadState('networkidle')
    same(asked.length, 0, 'requests before anybody types')
    await counted(0, 'an event by its name, with the keyboard alone', async () => {
      while (!(await page.evaluate(() => document.activeElement.matches('.masthead input[type=search]')))) await page.keyboard.press('Tab')
      await page.keyboard.type('on the pier', { delay: 40 })
      await page.locator('.masthead .found a').first().waitFor()
      if (asked.length > 3) problems.push(`eleven letters sent ${asked.length} requests`)
      has(await page.locator('.masthead [role=status]').innerText(), 'event', 'what is said of it')
      await picture(page, 'typing')
      await page.keyboard.press('Escape')
      same(await page.locator('.masthead .found a').count(), 0, 'Escape leaves')
      await page.keyboard.press('Backspace')
      await page.locator('.masthead .found a').first().waitFor()
      await page.keyboard.press('ArrowDown')
      await go(page, () => page.keyboard.press('Enter'))
    })
    has(await title(page), 'pier', 'the event')
  },

  async subscribe(page) {
    await page.goto(`${base}/en/events/category/music/`)
    await counted(2, 'subscribe to a category', async () => {
      await page.locator('.subscribe > button').click()
      has(await page.locator('.subscribe a', { hasText: 'Google' }).getAttribute('href'), 'calendar.google.com', 'Google')
      await page.locator('copy-line button').click()
    })
    const address = await page.evaluate(() => navigator.clipboard.readText())
    const answer = await fetch(address.replace(/^webcal/, 'http'))
    has(await answer.text(), 'BEGIN:VCALENDAR', `the calendar at ${address}`)
  },

  async keep(page) {
    await page.goto(`${base}/en/events/`)
    const where = () => page.evaluate(() => JSON.stringify([...document.querySelectorAll('.entry, .masthead a:not([data-kept])')].map((one) => one.getBoundingClientRect().toJSON())))
    const before = await where()
    same(await page.locator('[data-kept]').isVisible(), false, 'the way to what is kept before anything is')
    await counted(1, 'keep', () => page.locator('.entry .keep').first().click())
    await page.locator('.entry .keep').nth(1).focus()
    await page.keyboard.press('Enter')
    same(await page.locator('.keep[aria-pressed=true]').count(), 2, 'kept by a click and by a key')
    same(await page.locator('[data-kept] .count').innerText(), '2', 'the number beside the way')
    same(await where(), before, 'something moved when an event was kept')
    await go(page, () => page.locator('[data-kept]').click())
    await page.locator('#plan .entry').first().waitFor()
    same(await page.locator('#plan .entry').count(), 2, 'the list of what is kept')
    await picture(page, 'kept')
    const file = await (await fetch(await page.locator('copy-line code').textContent())).text()
    same(file.match(/BEGIN:VEVENT/g)?.length, 2, 'the calendar of what is kept')
    const friend = await visitor()
    await friend.goto(await page.locator('share-line').getAttribute('data-address'))
    same(await friend.locator('#plan .entry').count(), 2, 'the shared list')
    same(await friend.locator('.keep[aria-pressed=true]').count(), 0, 'kept by who only looks')
    await friend.locator('[data-keep-all]').click()
    same(await friend.locator('.keep[aria-pressed=true]').count(), 2, 'all kept')
    await friend.context().close()
    await page.locator('#plan .keep').first().click()
    await page.evaluate(() => localStorage.setItem('kept', JSON.stringify([...JSON.parse(localStorage.getItem('kept')), '999999', 'x'])))
    await page.reload()
    await page.locator('#plan .entry').first().waitFor()
    same(await page.locator('#plan .entry').count(), 1, 'what is given up')
    has(await page.locator('#plan-status').innerText(), 'have been removed from the list', 'what is gone')
    await page.locator('#plan .keep').first().click()
    await page.reload()
    await page.locator('#plan .nothing').waitFor()
    const plain = await visitor({ javaScriptEnabled: false })
    await plain.goto(`${base}/en/events/`)
    same(await plain.locator('.keep:visible').count(), 0, 'buttons without scripts')
    await plain.goto(`${base}/en/events/kept/`)
    has(await plain.locator('main').innerText(), 'JavaScript', 'the list without scripts')
    await plain.context().close()
  },

  async addToCalendar(page) {
    await page.goto(`${base}/en/event/jazz-pier/`)
    let file
    await counted(2, 'an event into a calendar', async () => {
      await page.locator('.glance .subscribe > button').click()
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('.glance a[download]').click()])
      file = download.suggestedFilename()
    })
    has(file, '.ics', 'the file')
    await picture(page, 'event')
  },

  async tonight(page) {
    await page.goto(`${base}/en/venues/`)
    await counted(1, 'what is on tonight', () => go(page, () => page.locator('.near a', { hasText: 'Tonight' }).click()))
    has(page.url(), '/en/events/tonight/', 'the address')
    has(await page.title(), 'Events tonight', 'the title')
  },

  async weekend(page) {
    await page.goto(`${base}/en/venues/`)
    await counted(1, 'what is on at the weekend', () => go(page, () => page.locator('.near a', { hasText: 'Weekend' }).click()))
    has(page.url(), '/en/events/weekend/', 'the address')
    has(await page.locator('.agenda').first().innerText(), 'Jazz on the pier', 'the weekend')
  },

  async jazzInMarch(page) {
    await page.goto(`${base}/en/`)
    await counted(3, 'jazz in March', async () => {
      await page.locator('.masthead input[type=search]').click()
      await page.keyboard.type('jazz in march')
      await go(page, () => page.keyboard.press('Enter'))
    })
    const found = await page.locator('.entry h3').allInnerTexts()
    same(found.join(), 'Jazz under the dome', 'jazz in March')
  },

  async share(page) {
    await page.goto(`${base}/en/event/jazz-pier/`)
    await counted(1, 'share an event', () => page.locator('share-line button:visible').first().click())
    has(await page.evaluate(() => navigator.clipboard.readText()), '/event/jazz-pier/', 'what is shared')
  },

  async amount(page) {
    const asked = []
    page.on('request', (request) => { if (request.url().includes('/events/count/')) asked.push(request.url()) })
    await page.goto(`${base}/en/events/`)
    await page.locator('button[popovertarget=pick-more]').click()
    await page.locator('#pick-more input[name=cost]').check()
    await page.locator('#pick-more input[value=here]').check()
    const button = page.locator('#pick-more button[type=submit]')
    await page.waitForFunction((one) => /\d/.test(one.textContent), await button.elementHandle())
    same(asked.length, 1, 'requests for two ticks at once')
    const said = (await button.innerText()).match(/\d+/)[0]
    await picture(page, 'amount')
    await go(page, () => button.click())
    has(await page.locator('.chips > p').innerText(), `${said} event`, 'the number on the button')
  },

  async restOfADay(page) {
    await page.goto(`${base}/en/events/month/`)
    const rest = page.locator('.rest > summary:visible').first()
    if (!(await rest.count())) return
    await counted(1, 'the rest of a day, where it stands', () => rest.click())
    same(await page.locator('.rest[open] .item:visible').count() > 0, true, 'events that open in place')
  },

  async wayThere(page) {
    await page.goto(`${base}/en/events/map/`) // which no view leads to here: the site has no tiles
    await counted(0, 'the way to an event', async () => {
      has(await page.locator('.places li', { hasText: 'The Long Pier' }).innerText(), 'Uferweg 9', 'the address')
      has(await page.locator('.places li', { hasText: 'The Long Pier' }).locator('a', { hasText: 'Directions' }).getAttribute('href'), '47.5442', 'the way')
    })
    await picture(page, 'map')
  },

  async nearest() {
    const page = await visitor({ geolocation: { latitude: 47.5442, longitude: 9.6869 }, permissions: ['geolocation'] })
    await page.goto(`${base}/en/events/map/`)
    await counted(1, 'what is nearest', () => go(page, () => page.locator('near-first button').click()))
    has(page.url(), 'geoloc_lat=47.54&geoloc_lng=9.69', 'the address')
    has(await page.locator('.places li').first().innerText(), 'About 1 km', 'the first place')
    await page.context().close()
  },

  async onADay(page) {
    await page.goto(`${base}/en/events/month/`)
    await counted(1, 'what happens on a day', async () => {
      await page.fill('#on', saturday)
      await go(page, () => page.locator('.jump button').click())
    })
    has(page.url(), saturday.slice(0, 7), 'the month')
    await go(page, () => page.locator(`td:not(.out) .day:has(time[datetime="${saturday}"])`).click())
    has(await page.locator('.day-list').innerText(), 'Jazz on the pier', 'the day')
    await picture(page, 'day')
  },

  async freeForChildren(page) {
    await page.goto(`${base}/en/events/`)
    await counted(2, 'free events for families', async () => {
      await go(page, () => page.locator('.near a', { hasText: 'Children' }).click())
      await go(page, () => page.locator('.near a', { hasText: 'Free' }).click())
    })
    has(page.url(), 'for=children', 'the address')
    has(page.url(), 'cost=free', 'the address')
    const found = Number((await page.locator('.chips > p').innerText()).match(/\d+/)[0])
    same(await page.locator('.entry').count(), found, 'events that are listed')
    same(await page.locator('.chips .chip').count(), 2, 'chips')
    await page.goto(`${base}/en/`)
    await counted(2, 'free events for children this weekend', async () => {
      await page.locator('.masthead input[type=search]').click()
      await page.keyboard.type('free for children this weekend')
      await go(page, () => page.keyboard.press('Enter'))
    })
    has(await page.locator('.agenda').first().innerText(), 'Puppets on the pier', 'free for children this weekend')
    same(await page.locator('.agenda', { hasText: 'Jazz on the pier' }).count(), 0, 'jazz among what is for children')
    await page.goto(`${base}/en/events/?for=children&cost=free`)
    await counted(1, 'one filter less', () => go(page, () => page.locator('.chips .chip', { hasText: 'Free' }).click()))
    same(page.url().includes('cost=free'), false, 'the filter is still there')
  },

  async myLanguage(page) {
    await page.goto(`${base}/en/event/jazz-pier/`)
    await counted(2, 'the page in another language', async () => {
      const link = page.locator('a[hreflang=de]:visible').first()
      if (!(await link.count())) await page.locator('summary[aria-label], .languages > button').first().click()
      await go(page, () => page.locator('a[hreflang=de]:visible').first().click())
    })
    same(await page.getAttribute('html', 'lang'), 'de', 'the language')
    has(await page.locator('main').innerText(), 'Kostenlos', 'the page')
  },

  async whatElse(page) {
    await page.goto(`${base}/en/event/jazz-pier/`)
    await counted(1, 'what else is at the place', () => go(page, () => page.locator('.glance a', { hasText: 'The Long Pier' }).click()))
    has(await page.locator('main').innerText(), 'Called off on the pier', 'the place')
    await page.goBack()
    await counted(1, 'the event that comes next', () => go(page, () => page.locator('.beside a[rel=next]').click()))
  },

  async calledOff(page) {
    await page.goto(`${base}/en/venue/long-pier/`)
    await counted(0, 'that an event is cancelled', async () => has(await page.locator('.entry', { hasText: 'Called off' }).innerText(), 'Cancelled', 'the list'))
    await go(page, () => page.locator('h3 a', { hasText: 'Called off' }).click())
    has(await page.locator('.notice').innerText(), 'This event is cancelled.', 'the page')
    has(await page.locator('.notice').innerText(), 'The storm', 'the reason')
    same(await page.locator('h1 s').count(), 1, 'titles that are struck out')
    await picture(page, 'cancelled')
  },

  async lost(page) {
    await page.goto(`${base}/en/evnets/jazz`)
    await counted(1, 'from an address that is wrong', async () => {
      await page.locator('main input[type=search]').click()
      await page.keyboard.type('pier')
      await go(page, () => page.keyboard.press('Enter'))
    })
    has(await page.locator('.agenda').first().innerText(), 'Jazz on the pier', 'what was looked for')
  },

  async withoutScripts() {
    const page = await visitor({ javaScriptEnabled: false })
    await page.goto(`${base}/en/`)
    await page.fill('.masthead input[type=search]', 'jazz')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    await Promise.all([page.waitForNavigation(), page.locator('.near a', { hasText: 'Weekend' }).click()])
    has(await page.locator('.agenda').first().innerText(), 'Jazz on the pier', 'without scripts')
    await page.goto(`${base}/en/events/map/`)
    same(await page.locator('button:visible', { hasText: 'Nearest' }).count(), 0, 'buttons that do nothing')
    has(await page.locator('.places').innerText(), 'The Long Pier', 'the list of places')
    await page.context().close()
  },
}

let done = 0
try {
  await mkdir(out, { recursive: true })
  await api('POST', '/events', jazz)
  await api('POST', '/events', { title: 'Called off on the pier', slug: 'called-off', start_date: `${day(20)} 18:00`, end_date: `${day(20)} 19:00`, venue: pier,
    event_status: 'cancelled', event_status_reason: 'The storm has taken the stage.' })
  await api('POST', '/events', { title: 'Puppets on the pier', start_date: `${saturday} 22:00`, end_date: `${saturday} 23:30`, venue: pier, cost: 'Free', audience: ['children'] })
  const march = `${today.getUTCFullYear() + (today.getUTCMonth() < 2 ? 0 : 1)}-03-14`
  await api('POST', '/events', { title: 'Jazz under the dome', start_date: `${march} 19:00`, end_date: `${march} 21:00`, tags: ['jazz'] })
  const page = await visitor()
  for (const [name, task] of Object.entries(tasks)) {
    if (process.env.ONLY && !process.env.ONLY.includes(name)) continue
    await task(page).then(() => done++, (error) => problems.push(`${name}: ${error.stack}`))
  }
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${done} of ${Object.keys(tasks).length} tasks of a visitor done, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
