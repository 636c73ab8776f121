// What an editor does, each task as a person would, its clicks counted, with pictures
// of how it ends in out/; with DOCS=1 those of the guide go to docs/pictures, too.
//
//	node tasks.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { drawn } from './pictures.mjs'
import { png, start } from './service.mjs'

const out = new URL('../../out/', import.meta.url).pathname
const guide = Boolean(process.env.DOCS)
const service = await start(process.argv[2])
const { api } = service
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
const same = (got, want, text) => { if (got !== want) problems.push(`${text}: ${got}, not ${want}`) }

const day = (offset, months = 0) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, now.getUTCDate() + offset)).toISOString().slice(0, 10)
}
const month = day(0, 1).slice(0, 7)

async function signedIn(language = 'en', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  await context.addCookies([{ name: 'kalends-language', value: language, url: service.base }])
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  await page.exposeFunction('clicked', () => clicks++)
  await page.addInitScript(() => addEventListener('pointerdown', () => window.clicked(), true))
  await page.goto(`${service.base}/admin`)
  await page.fill('#f-login', 'admin')
  await page.fill('#f-password', service.signIn)
  await Promise.all([page.waitForURL('**/admin'), page.click('main button[type=submit]')])
  return page
}

const open = async (page, path) => {
  await page.goto(`${service.base}/admin${path}`)
  if (/events\/(new|\d+)/.test(path)) await page.locator('.wide > rich-text[data-ready]').first().waitFor()
}
const save = (page) => Promise.all([page.waitForEvent('load'), page.click('.saves .first')])
const number = (page) => Number(page.url().match(/events\/(\d+)/)?.[1])

let clicks = 0 // of the task that is counted

/** Does a task and counts the clicks it takes. */
async function counted(page, most, name, task) {
  clicks = 0
  await task()
  console.log(`${name}: ${clicks} clicks`)
  if (clicks > most || clicks === 0) problems.push(`${name} takes ${clicks} clicks, not ${most}`)
}

/** A picture of the page from a part of it on, its head unless another is named. */
async function picture(page, name, inGuide, from = 'body') {
  await page.evaluate((from) => { document.querySelector(from).scrollIntoView(); document.getAnimations().forEach((a) => a.finish()) }, from)
  await page.screenshot({ path: `${out}task-${name}.png` })
  if (guide && inGuide) await drawn(page, name)
}

const tasks = {
  async firstEvent(page) {
    await open(page, '/events/new')
    await page.fill('#f-title', 'Summer concert')
    await page.fill('#f-start_date', `${month}-12T19:30`)
    await page.fill('#f-end_date', `${month}-12T22:00`)
    await page.locator('.rich-box#f-description').click()
    await page.keyboard.type('The choir sings by the lake.')
    await page.fill('#f-cost', '12, 18')
    await page.locator('[data-live=cost] p').waitFor()
    await picture(page, 'editor', true)
    await save(page)
    const event = await api('GET', `/events/${number(page)}`)
    same(event.title, 'Summer concert', 'the first event')
    same(event.status, 'publish', 'its state')
    await page.goto(`${service.base}/admin?view=month&date=${month}-01`)
    await page.locator('[data-id]', { hasText: 'Summer concert' }).first().waitFor()
    await picture(page, 'calendar', true)
    await page.goto(event.url)
    same(await page.locator('h1').innerText(), 'Summer concert', 'the public page')
    await picture(page, 'public', true)
    await page.goto(event.url.replace('/event/', '/ar/event/'))
    same(await page.getAttribute('html', 'dir'), 'rtl', 'the Arabic page')
    await picture(page, 'arabic')
  },

  async editFromThePage(page) {
    const event = await api('POST', '/events', { title: 'Evening of tales', slug: 'tales', start_date: `${month}-14 19:30`, end_date: `${month}-14 22:00` })
    await page.goto(event.url)
    await counted(page, 1, 'from the page of an event to its form', () => Promise.all([page.waitForURL(`**/admin/events/${event.id}`), page.locator('.desk a').first().click()]))
    for (const width of [390, 1280]) {
      const visitor = await (await browser.newContext({ viewport: { width, height: 860 } })).newPage()
      const asked = []
      visitor.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await visitor.goto(event.url)
      await visitor.waitForLoadState('networkidle')
      same(await visitor.locator('.desk').count(), 0, 'links to the administration for a visitor')
      same(asked.filter((path) => path.startsWith('/admin')).join(), '', 'what a visitor asks for')
      await visitor.context().close()
    }
    await page.goto(event.url)
    await page.screenshot({ path: `${out}task-edit-link.png` })
    const tab = await page.context().newPage()
    await tab.goto(`${service.base}/admin`)
    await Promise.all([tab.waitForURL('**/admin/login'), tab.locator('form[action$="/logout"] button').first().evaluate((button) => button.click())])
    await tab.goto(event.url)
    same(await tab.locator('.desk').count(), 0, 'links to the administration after signing out')
  },

  async leastEvent(page) {
    await page.goto(`${service.base}/admin/events`)
    await counted(page, 2, 'an event of one line', async () => {
      await page.locator('#f-text').click()
      await page.keyboard.type('Choir Thu 19:30 Riverside Park', { delay: 30 })
      await page.locator('.understood').waitFor()
      await Promise.all([page.waitForURL(/events\/\d+$/), page.click('#quick-read button')])
    })
    const event = await api('GET', `/events/${number(page)}`)
    same(`${event.title}, ${event.venue.venue}, ${event.status}, ${event.start_date.slice(11)}`, 'Choir, Riverside Park, draft, 19:30:00', 'the event of one line')
    await page.goto(`${service.base}/admin/events`)
    await counted(page, 2, 'an event with its form', async () => {
      await page.locator('a[href="/admin/events/new"]').first().click()
      await page.locator('.wide > rich-text[data-ready]').first().waitFor()
      await page.keyboard.type('Typed at once')
      await page.locator('.saves .first').click()
      await page.waitForURL(/events\/\d+$/)
    })
    same((await api('GET', `/events/${number(page)}`)).title, 'Typed at once', 'the event of the form')
  },

  async repeatAsCopy(page) {
    await api('POST', '/events', { title: 'Planning of the fair', start_date: `${day(-1)} 18:00`, end_date: `${day(-1)} 20:00` })
    await open(page, '/events?search=planning')
    await counted(page, 2, 'a copy for next week', async () => {
      await page.locator('#found a[href$="/copy"]').click()
      await Promise.all([page.waitForEvent('load'), page.click('form.stack button[value=publish]')])
    })
    same((await api('GET', `/events/${number(page)}`)).start_date, `${day(6)} 18:00:00`, 'the copy is stored')
    await picture(page, 'copy')
  },

  async moveByDragging(page) {
    const { id } = await api('POST', '/events', { title: 'Garden party', start_date: `${month}-09 15:00`, end_date: `${month}-09 18:00` })
    await page.goto(`${service.base}/admin?view=month&date=${month}-01`)
    const from = page.locator(`[data-id="${id}"] .title`).first(), to = page.locator(`td[data-day="${month}-17"]`)
    await from.scrollIntoViewIfNeeded()
    const a = await from.boundingBox(), b = await to.boundingBox()
    await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2)
    await page.mouse.down()
    await page.mouse.move(a.x + a.width / 2 + 9, a.y + a.height / 2 + 3)
    await page.mouse.move(b.x + b.width / 2, b.y + b.height * 0.7, { steps: 6 })
    await page.mouse.up()
    await page.locator('#calendar-status button').waitFor()
    same((await api('GET', `/events/${id}`)).start_date, `${month}-17 15:00:00`, 'dragged')
    await picture(page, 'moved')
  },

  async editInTheList(page) {
    const { id } = await api('POST', '/events', { title: 'Flea markt', start_date: `${month}-26 09:00`, end_date: `${month}-26 12:00` })
    await open(page, '/events?search=flea')
    await counted(page, 1, 'a title and a time in the list', async () => {
      await page.locator(`#event-${id} a[data-row]`).click()
      await page.locator('.row-open [name=title]').waitFor()
      await page.keyboard.type('Flea market')
      await page.fill('.row-open [name=start_date]', `${month}-27T10:00`)
      await page.keyboard.press('Enter')
      await page.locator('main > .said').waitFor()
    })
    const now = async () => { const e = await api('GET', `/events/${id}`); return `${e.title}, ${e.start_date}, ${e.end_date}` }
    same(await now(), `Flea market, ${month}-27 10:00:00, ${month}-27 13:00:00`, 'changed in the list')
    same(await page.evaluate(() => document.activeElement.closest('tr')?.id), `event-${id}`, 'the focus after saving')
    await page.keyboard.press('Enter')
    await page.locator('.row-open [name=title]').waitFor()
    await picture(page, 'row')
    await page.keyboard.type('Never')
    await page.keyboard.press('Escape')
    same(await page.evaluate(() => document.activeElement.closest('tr')?.id), `event-${id}`, 'the focus after Escape')
    await Promise.all([page.waitForEvent('load'), page.click('form.said.undo button')])
    same(await now(), `Flea markt, ${month}-26 09:00:00, ${month}-26 12:00:00`, 'taken back')
  },

  async cancelOne(page) {
    const { id } = await api('POST', '/events', { title: 'Outdoor cinema', start_date: `${month}-20 21:00`, end_date: `${month}-20 23:00` })
    await open(page, `/events/${id}`)
    await Promise.all([page.waitForEvent('load'), page.click('button[value=remove]')])
    same((await fetch(`${service.base}/calendar/events/v1/events/${id}`)).ok, false, 'a cancelled event is still there')
    await open(page, '/trash')
    await page.locator('label', { hasText: 'Outdoor cinema' }).waitFor()
    await picture(page, 'trash')
  },

  async findLastYears(page) {
    const year = Number(month.slice(0, 4)) - 1
    await api('POST', '/events', { title: 'Advent concert of last year', start_date: `${year}-12-05 19:00`, end_date: `${year}-12-05 21:00` })
    await open(page, '/events')
    await page.locator('#f-search').pressSequentially('concert last')
    await page.waitForFunction(() => document.querySelectorAll('#found tbody tr').length === 1)
    await picture(page, 'found', true)
    await page.locator('#found tbody a.name').click()
    await page.locator('.wide > rich-text[data-ready]').first().waitFor()
    same(await page.inputValue('#f-title'), 'Advent concert of last year', 'found')
  },

  async publishTwenty(page) {
    for (let n = 1; n <= 20; n++) {
      await api('POST', '/events', { title: `Lantern workshop ${n}`, status: 'draft', start_date: `${month}-21 1${n % 10}:00`, end_date: `${month}-21 1${n % 10}:30` })
    }
    await open(page, '/events?search=lantern+workshop&status=draft&length=20')
    for (const box of await page.locator('#found tbody input[name=id]').all()) await box.check()
    await Promise.all([page.waitForEvent('load'), page.click('#found button[value=publish]')])
    const answer = await api('GET', `/events?search=${encodeURIComponent('lantern workshop')}&start_date=${month}-01&per_page=50`)
    same(answer.total, 20, 'published at once')
    await picture(page, 'bulk')
  },

  async thirtyWrongVenues(page) {
    const wrong = await api('POST', '/venues', { venue: 'Wrong hall' })
    const right = await api('POST', '/venues', { venue: 'Arsenal' })
    for (let n = 1; n <= 30; n++) {
      await api('POST', '/events', { title: `Bassoon class ${n}`, venue: wrong.id, start_date: `${month}-11 ${10 + n % 10}:00`, end_date: `${month}-11 ${10 + n % 10}:30` })
    }
    await open(page, '/events')
    const at = async () => (await api('GET', `/events?venue=${right.id}&start_date=${month}-01&per_page=50`)).total
    await counted(page, 6, 'thirty wrong venues', async () => {
      await page.locator('#f-search').click()
      await page.keyboard.type('bassoon')
      await page.waitForFunction(() => [...document.querySelectorAll('#found tbody a.name')].every((a) => a.textContent.includes('Bassoon')))
      await page.locator('#many input[name=all]').click()
      await Promise.all([page.waitForEvent('load'), page.click('#many button[value=bulk]')])
      await page.locator('#f-set_venue').click()
      await page.keyboard.press('Escape')
      await page.keyboard.type('Arsenal')
      await Promise.all([page.waitForEvent('load'), page.click('button[value=look]')])
      await picture(page, 'bulk-look', true)
      await Promise.all([page.waitForEvent('load'), page.click('button[value=save]')])
    })
    same(await at(), 30, 'events at the right venue')
    await Promise.all([page.waitForEvent('load'), page.click('form.said.undo button')])
    same(await at(), 0, 'events at the right venue after Undo')
  },

  async addAnother(page) {
    await open(page, '/events/new')
    await counted(page, 3, 'two events one after the other', async () => {
      await page.keyboard.type('First of two')
      await save(page)
      await page.locator('a[href="/admin/events/new"]').first().click()
      await page.locator('.wide > rich-text[data-ready]').first().waitFor()
      await page.keyboard.type('Second of two')
      await save(page)
    })
    same((await api('GET', `/events/${number(page)}`)).title, 'Second of two', 'the other event')
  },

  async likeLastSunday(page) {
    for (const n of [-14, -7]) await api('POST', '/events', { title: 'Sunday service', start_date: `${day(n)} 10:00`, end_date: `${day(n)} 11:30` })
    await open(page, '/venues')
    await counted(page, 3, 'an event like an earlier one', async () => {
      await page.locator('a[href="/admin/events/new"]').first().click()
      await page.locator('.patterns a', { hasText: 'Sunday service' }).click()
      await page.locator('.wide > rich-text[data-ready]').first().waitFor()
      await page.locator('.said a[href="#f-start_date"]').waitFor()
      await picture(page, 'like-earlier', false)
      await save(page)
    })
    const made = await api('GET', `/events/${number(page)}`)
    same(made.title, 'Sunday service', 'the copy')
    same(new Date(made.start_date.slice(0, 10)).getUTCDay(), new Date(day(-7)).getUTCDay(), 'its day of the week')
    same(made.start_date.slice(0, 10) >= day(0), true, 'the copy is to come')
  },

  async byName(page) {
    const { id } = await api('POST', '/events', { title: 'Harvest supper', start_date: `${month}-22 18:00`, end_date: `${month}-22 22:00` })
    await open(page, '/desk')
    await counted(page, 1, 'an event by its name, from any page', async () => {
      await page.locator('[data-palette]').click()
      await page.keyboard.type('harvest')
      await page.locator('#palette [aria-selected=true]', { hasText: 'Harvest supper' }).waitFor()
      await Promise.all([page.waitForURL(/events\/\d+$/), page.keyboard.press('Enter')])
    })
    same(number(page), id, 'the event that was found')
  },

  async placeInTheList(page) {
    const { id } = await api('POST', '/events', { title: 'Lute recital', venue: { venue: 'Chapel' }, start_date: `${month}-18 19:00`, end_date: `${month}-18 20:00` })
    await api('POST', '/venues', { venue: 'Town hall cellar' })
    await open(page, '/events?search=lute')
    await counted(page, 1, 'a venue in the list', async () => {
      await page.locator(`#event-${id} a[data-row]`).click()
      await page.locator('.row-open [name=venue]').fill('Town hall cellar')
      await page.keyboard.press('Enter')
      await page.locator('main > .said').waitFor()
    })
    same((await api('GET', `/events/${id}`)).venue.venue, 'Town hall cellar', 'the venue from the list')
  },

  async nextWeekAgain(page) {
    for (const n of [1, 2, 3]) await api('POST', '/events', { title: `Open studio ${n}`, start_date: `${month}-0${n} 10:00`, end_date: `${month}-0${n} 12:00` })
    await open(page, '/events?search=open+studio')
    await counted(page, 3, 'a week of events once more', async () => {
      await page.locator('#many [data-every] input').click()
      await Promise.all([page.waitForEvent('load'), page.click('#many button[value=copies]')])
      await Promise.all([page.waitForEvent('load'), page.click('button[value=same]')])
    })
    const { events } = await api('GET', `/events?search=open+studio&start_date=${month}-01&per_page=20`)
    same(events.map((one) => one.start_date.slice(8, 10)).join(), '01,02,03,08,09,10', 'the events and their copies')
  },

  async cancelAll(page) {
    const made = []
    for (const n of [1, 2, 3]) made.push(await api('POST', '/events', { title: `Ice rink ${n}`, start_date: `${month}-0${n + 3} 14:00`, end_date: `${month}-0${n + 3} 18:00` }))
    await open(page, '/events?search=ice+rink')
    await counted(page, 4, 'three events are cancelled, and why', async () => {
      await page.locator('#many [data-every] input').click()
      await Promise.all([page.waitForEvent('load'), page.click('#many button[value=bulk]')])
      await page.selectOption('#f-event_status', 'cancelled')
      await page.fill('#f-event_status_reason', 'It is too warm.')
      await Promise.all([page.waitForEvent('load'), page.click('button[value=look]')])
      await Promise.all([page.waitForEvent('load'), page.click('button[value=save]')])
    })
    const now = await Promise.all(made.map(({ id }) => api('GET', `/events/${id}`)))
    same(now.map((one) => `${one.event_status} ${one.event_status_reason}`).join(), Array(3).fill('cancelled It is too warm.').join(), 'cancelled at once')
  },

  async soldOut(page) {
    const { id, url } = await api('POST', '/events', { title: 'Gala of the year', start_date: `${month}-19 20:00`, end_date: `${month}-19 23:00`,
      tickets: [{ name: 'Seat', price: 20, currency: 'EUR', url: 'https://example.org/gala' }] })
    await open(page, `/events/${id}`)
    await counted(page, 1, 'sold out', async () => {
      await page.selectOption('[name="tickets[0][status]"]', 'sold_out')
      await save(page)
    })
    await page.goto(url)
    same((await page.locator('main').innerText()).includes('Sold out'), true, 'visitors read that it is sold out')
  },

  async beforeItIsPublic(page) {
    await open(page, '/events/new')
    await page.fill('#f-title', 'Too late')
    await page.locator('#f-start_date').evaluate((one) => { one.value = '202619-01-01T10:00' })
    await page.locator('.saves .first').click()
    same(await page.evaluate(() => `${location.pathname} ${document.querySelectorAll('#f-start_date:invalid').length}`), '/admin/events/new 1', 'a year of six digits')
    await page.fill('#f-start_date', `${day(-3)}T10:00`)
    await page.fill('#f-end_date', `${day(-3)}T11:00`)
    await counted(page, 2, 'an event that is over is asked about once', async () => {
      await save(page)
      await page.locator('.notice[role=alert]').waitFor()
      await page.locator('.saves .first').click()
      await page.waitForURL(/events\/\d+$/)
    })
    same((await api('GET', `/events/${number(page)}`)).status, 'publish', 'the event that is over')
  },

  async venueTwice(page) {
    const a = await api('POST', '/venues', { venue: 'Boathouse by the mill' }), b = await api('POST', '/venues', { venue: 'Boathouse at the mill' })
    const days = []
    for (const venue of [a.id, b.id]) days.push(await api('POST', '/events', { title: 'Rowing day', venue, start_date: `${month}-14 10:00`, end_date: `${month}-14 12:00` }))
    const where = async () => (await Promise.all(days.map(({ id }) => api('GET', `/events/${id}`)))).map((one) => one.venue.id)
    await open(page, '/venues?search=boathouse')
    await counted(page, 4, 'a venue that exists twice', async () => {
      for (const one of [a, b]) await page.locator(`main input[name=id][value="${one.id}"]`).click()
      await Promise.all([page.waitForEvent('load'), page.click('main button[value=merge]')])
      await Promise.all([page.waitForEvent('load'), page.click('form.conflict button[value=merge]')])
    })
    same(new Set(await where()).size, 1, 'venues of the two events')
    await Promise.all([page.waitForEvent('load'), page.click('form.said.undo button')])
    same((await where()).join(), [a.id, b.id].join(), 'their venues after Undo')
  },

  async outOfTheTrash(page) {
    const made = []
    for (const n of [1, 2, 3]) made.push(await api('POST', '/events', { title: `Thrown away ${n}`, start_date: `${month}-16 1${n}:00`, end_date: `${month}-16 1${n}:30` }))
    for (const { id } of made) await api('DELETE', `/events/${id}`)
    await open(page, '/events?status=trash&search=thrown')
    await counted(page, 2, 'all of the trash that a search finds', async () => {
      await page.locator('#many [data-every] input').click()
      await Promise.all([page.waitForEvent('load'), page.click('#many button[value=restore]')])
    })
    same((await Promise.all(made.map(({ id }) => api('GET', `/events/${id}`)))).map((one) => one.status).join(), 'publish,publish,publish', 'restored')
  },

  async venueOnTheSpot(page) {
    await open(page, '/events/new')
    await page.fill('#f-title', 'Book launch')
    await page.fill('#f-start_date', `${month}-23T18:00`)
    await page.fill('#f-end_date', `${month}-23T20:00`)
    await page.locator('input[role=combobox][name=venue]').fill('Corner Bookshop')
    await page.locator('#pick-venue [data-new]').click()
    await page.fill('#f-new_venue\\.city', 'Constance')
    await picture(page, 'venue', true, '#f-venue')
    await save(page)
    const { venue } = await api('GET', `/events/${number(page)}`)
    same(`${venue.venue}, ${venue.city}`, 'Corner Bookshop, Constance', 'the new venue')
  },

  async imageByDrop(page) {
    await open(page, '/events/new')
    await page.fill('#f-title', 'Exhibition of stripes')
    await page.fill('#f-start_date', `${month}-24T10:00`)
    await page.fill('#f-end_date', `${month}-24T18:00`)
    await page.evaluate((bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], 'stripes.png', { type: 'image/png' }))
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    }, [...png(480, 270)])
    await page.locator('image-field figure').waitFor()
    await page.fill('#f-image_alt', 'Blue stripes')
    await save(page)
    const { image } = await api('GET', `/events/${number(page)}`)
    same(image && image.extension, 'png', 'the dropped picture')
    await page.locator('image-field figure').scrollIntoViewIfNeeded()
    await page.screenshot({ path: `${out}task-image.png` })
  },

  async fixConflict(page) {
    const { id } = await api('POST', '/events', { title: 'Town meeting', start_date: `${month}-25 19:00`, end_date: `${month}-25 21:00` })
    await open(page, `/events/${id}`)
    await api('POST', `/events/${id}`, { title: 'Town meeting in the hall' })
    await page.fill('#f-title', 'Big town meeting')
    await page.fill('#f-cost', '5')
    await save(page)
    await page.locator('form.conflict').waitFor()
    await page.check('input[name="choose.title"][value=theirs]')
    await picture(page, 'conflict', true)
    await Promise.all([page.waitForEvent('load'), page.click('button[value=resolve]')])
    const event = await api('GET', `/events/${id}`)
    same(`${event.title}, ${event.cost_details.values.join()}`, 'Town meeting in the hall, 5', 'what was chosen')
  },

  async colleague(page) {
    await open(page, '/users/new')
    await page.fill('#f-handle', 'colleague')
    await page.fill('#f-name', 'Colleague')
    await page.fill('#f-email', 'colleague@example.org')
    await page.selectOption('#f-role', 'editor')
    await page.fill('#f-confirm', service.signIn)
    await page.click('main button[value=save]')
    const link = (await page.locator('code.secret').innerText()).trim()
    await picture(page, 'invitation')
    const other = await (await browser.newContext()).newPage()
    await other.goto(service.base + new URL(link).pathname + new URL(link).search)
    for (const field of await other.locator('main input[type=password]').all()) await field.fill('a long enough secret')
    await Promise.all([other.waitForEvent('load'), other.locator('main button[type=submit]').first().click()])
    if (await other.locator('#f-login').count()) {
      await other.fill('#f-login', 'colleague')
      await other.fill('#f-password', 'a long enough secret')
      await Promise.all([other.waitForEvent('load'), other.click('main button[type=submit]')])
    }
    await other.goto(`${service.base}/admin/events/new`)
    same(await other.locator('#f-title').count(), 1, 'the colleague’s editor')
    await other.screenshot({ path: `${out}task-colleague.png` })
    await other.context().close()
  },
}

let done = 0
try {
  await mkdir(out, { recursive: true })
  const page = await signedIn()
  for (const [name, task] of Object.entries(tasks)) {
    if (process.env.ONLY && !process.env.ONLY.includes(name)) continue
    await task(page).then(() => done++, (error) => problems.push(`${name}: ${error.stack}`))
  }
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${done} of ${Object.keys(tasks).length} tasks of an editor done, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
