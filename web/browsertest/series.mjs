// Checks the form of series: the story people tell first, one date, this and
// following, and all, each by mouse and by keyboard; the dates in the small calendar;
// how it looks, with axe, in both directions, narrow and wide, with and without
// scripts.
//
//	node series.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { start } from './service.mjs'
import { installed, listed } from './subscriber.mjs'

const out = new URL('../../out/', import.meta.url).pathname
const service = await start(process.argv[2])
const { api } = service
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0
const expect = (condition, text) => {
  checked++
  if (!condition) problems.push(text)
}
const same = (is, want, text) => expect(JSON.stringify(is) === JSON.stringify(want), `${text}: ${JSON.stringify(is)}, want ${JSON.stringify(want)}`)

async function open(options = {}, language = 'en') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  await context.addCookies([{ name: 'kalends-language', value: language, url: service.base }])
  const page = await context.newPage()
  page.on('console', (message) => { if (message.type() === 'error' && !/status of 422/.test(message.text())) problems.push(`console: ${message.text()}`) })
  page.on('pageerror', (error) => problems.push(`script: ${error.stack}`))
  await page.goto(`${service.base}/admin`)
  await page.fill('#f-login', 'admin')
  await page.fill('#f-password', service.signIn)
  await page.click('main button[type=submit]')
  await page.waitForURL('**/admin')
  return page
}

const words = (page, text) => page.locator('.repeat-words', { hasText: text }).waitFor()
const datesOf = async (id, window = 'start_date=2030-11-01&end_date=2031-12-31') =>
  (await api('GET', `/events/${id}/occurrences?${window}&per_page=50`)).events
const days = (list) => list.map(({ start_date: start }) => start.slice(0, 10))
const leave = (page) => Promise.all([page.waitForEvent('load'), page.click('.saves .first')])
const editor = (id) => `${service.base}/admin/events/${id}`

/** Every second Thursday at half past seven, not on 26 December, until June. */
const fortnightly = ['2030-11-28', '2030-12-12', '2031-01-09', '2031-01-23', '2031-02-06', '2031-02-20', '2031-03-06', '2031-03-20', '2031-04-03',
  '2031-04-17', '2031-05-01', '2031-05-15', '2031-05-29', '2031-06-12', '2031-06-26']

async function story() {
  const hall = await api('POST', '/venues', { venue: 'Town hall' })
  const page = await open()
  await page.goto(`${service.base}/admin/events/new`)
  await page.fill('#f-title', 'Chess club')
  await page.fill('#f-start_date', '2030-11-28T19:30')
  await page.fill('#f-end_date', '2030-11-28T21:30')
  await page.selectOption('#f-repeat', 'week')
  await page.fill('#f-repeat_every', '2')
  await page.selectOption('#f-repeat_end', 'on')
  await page.fill('#f-repeat_until', '2031-06-30')
  await words(page, 'Every second Thursday until 30 June 2031')
  same((await page.locator('.repeat-next li').allTextContents()).map((text) => text.replace(/\s/g, ' ')), ['Thursday, November 28, 2030', 'Thursday, December 12, 2030', 'Thursday, December 26, 2030',
    'Thursday, January 9, 2031', 'Thursday, January 23, 2031'], 'the next dates')
  await page.click('.repeat-dates summary')
  for (const [way, month] of [['Next month', 'January 2031'], ['Previous month', 'November 2030']]) {
    await page.evaluate((name) => { for (let n = 0; n < 2; n++) document.querySelector(`.mini [aria-label="${name}"]`).click() }, way) // before the first is shown
    await page.locator('.mini strong', { hasText: month }).waitFor({ timeout: 10_000 }).catch(() => expect(false, `${way}, pressed twice, does not lead to ${month}`))
  }
  await page.click('[value="row_month_2030-12"]')
  await page.click('[value="row_date_2030-12-26"]')
  await page.locator('[value="row_date_2030-12-26"][aria-pressed=false].is-out').waitFor()
  await leave(page)
  const id = page.url().match(/\d+$/)[0]
  same(days(await datesOf(id)), fortnightly, 'the dates of the story')

  const may = (await datesOf(id)).find(({ start_date: at }) => at >= '2031-05')
  await page.goto(editor(may.id))
  expect((await page.locator('main > .said').innerText()).includes('one date of the series'), 'a date doesn’t say that it is one')
  await page.locator('pick-field[data-name=venue] .pick-box input').fill('Town')
  await page.locator('.picks li', { hasText: 'Town hall' }).first().click()
  await leave(page)
  expect(await page.locator('form.which').count() === 1, 'it isn’t asked which dates')
  await page.check('[value=following]')
  await page.click('form.which button[value=save]')
  await page.waitForURL(editor(may.id))
  const all = await Promise.all([...await datesOf(id), ...await datesOf((await api('GET', `/events/${may.id}`)).series.id)].map((one) => api('GET', `/events/${one.id}`)))
  same(days(all), fortnightly, 'the dates once the hall is another')
  for (const one of all) expect((one.venue?.id === hall.id) === (one.start_date > '2031-05'), `${one.start_date} is in ${one.venue?.venue}`)
  if (await installed()) {
    const found = await listed(`${service.base}/events.ics?search=chess+club`, '2030-11-01', '2032-01-01', all[0].timezone)
    same(found.map(([at, place, title]) => [at, place.split(',')[0], title]), all.map((one) => [one.start_date.slice(0, 16), one.venue?.venue ?? '', 'Chess club']), 'what khal lists')
  }
  await page.context().close()
}

/** A series to change, and its dates. */
async function series(title) {
  const { id } = await api('POST', '/events', { title, start_date: '2031-01-07 19:30', end_date: '2031-01-07 21:00', recurrence: 'FREQ=WEEKLY;BYDAY=TU;COUNT=4' })
  return { id, dates: await datesOf(id) }
}

const titles = async (title) => (await api('GET', '/events?start_date=2031-01-01&end_date=2031-02-28&per_page=50')).events
  .filter((one) => one.title === title || one.title === `${title}!`).map((one) => one.title.endsWith('!'))

const wanted = { this: [false, true, false, false], following: [false, true, true, true], all: [true, true, true, true] }

async function byMouse() {
  const page = await open()
  for (const [scope, want] of Object.entries(wanted)) {
    const title = `Mouse ${scope}`
    const { dates } = await series(title)
    await page.goto(editor(dates[1].id))
    await page.fill('#f-title', `${title}!`)
    await leave(page)
    await page.click(`label:has([value=${scope}])`)
    await Promise.all([page.waitForEvent('load'), page.click('form.which button[value=save]')])
    same(await titles(title), want, `${scope} by mouse`)
  }
  await page.context().close()
}

async function byKeyboard() {
  const page = await open()
  const reach = async (selector) => {
    for (let i = 0; i < 120; i++) {
      if (await page.evaluate((s) => document.activeElement?.matches(s), selector)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${selector} can’t be reached by keyboard`)
  }
  for (const [scope, want] of Object.entries(wanted)) {
    const title = `Keys ${scope}`
    const { dates } = await series(title)
    await page.goto(editor(dates[1].id))
    await reach('#f-title')
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Control+Enter')]) // Enter in a field leads nowhere
    await reach('form.which [type=radio]')
    for (let i = 0; i < Object.keys(wanted).indexOf(scope); i++) await page.keyboard.press('ArrowDown')
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
    same(await titles(title), want, `${scope} by keyboard`)
  }
  // A new series, with a date left out, by keyboard alone.
  await page.goto(`${service.base}/admin/events/new?start_date=2031-03-04T18:00&end_date=2031-03-04T19:00`)
  await reach('#f-title')
  await page.keyboard.type('Keys new')
  await reach('#f-repeat')
  await page.keyboard.press('w')
  await words(page, 'Every Tuesday')
  await reach('.repeat-days [value="4"]')
  await page.keyboard.press('Space')
  await words(page, 'Every Tuesday and Thursday')
  await reach('.repeat-dates summary')
  await page.keyboard.press('Enter')
  await reach('[value="row_date_2031-03-11"]')
  await page.keyboard.press('Enter')
  await page.locator('[value="row_date_2031-03-11"][aria-pressed=false]').waitFor()
  expect(await page.evaluate(() => document.activeElement.value) === 'row_date_2031-03-11', 'the focus is lost')
  await reach('.saves .first')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  const id = page.url().match(/\d+$/)[0]
  same(days(await datesOf(id, 'start_date=2031-03-01&end_date=2031-03-20')), ['2031-03-04', '2031-03-06', '2031-03-13', '2031-03-18', '2031-03-20'], 'made by keyboard')
  await page.context().close()
}

/** The rule follows the start while it is typed, and what misses it can be clicked. */
async function following() {
  const page = await open()
  await page.goto(`${service.base}/admin/events/new?start_date=2031-03-04T18:00&end_date=2031-03-04T19:00`)
  await page.fill('#f-title', 'Moves')
  await page.selectOption('#f-repeat', 'week')
  await words(page, 'Every Tuesday')
  await page.fill('#f-start_date', '2031-03-05T18:00')
  await words(page, 'Every Wednesday')
  await page.selectOption('#f-repeat', { label: 'On the first Wednesday of every month' })
  await words(page, 'first Wednesday')
  await page.fill('#f-start_date', '2031-03-14T18:00')
  await words(page, 'second Friday')
  await page.selectOption('#f-repeat', 'week')
  await words(page, 'Every Friday')
  await page.click('.day:has([value="5"])')
  await page.click('.day:has([value="1"])')
  await page.locator('[value^=row_start_]').first().waitFor()
  expect((await page.locator('.repeat-outcome .wrong').innerText()).includes('The start date does not match this rule'), 'a start that is missed isn’t told')
  await page.click('[value="row_start_2031-03-17T18:00"]')
  await words(page, 'Every Monday')
  expect(await page.inputValue('#f-end_date') === '2031-03-17T19:00', `the end is ${await page.inputValue('#f-end_date')}`)
  await leave(page)
  const event = await api('GET', `/events/${page.url().match(/\d+$/)[0]}`)
  same([event.start_date, event.recurrence.rrule], ['2031-03-17 18:00:00', 'FREQ=WEEKLY;BYDAY=MO'], 'what was followed')
  await page.context().close()
}

/** Deletes a date and puts it back. */
async function removing() {
  const { id, dates } = await series('Removed')
  const page = await open()
  await page.goto(editor(dates[2].id))
  await Promise.all([page.waitForEvent('load'), page.click('button[value=remove]')])
  await Promise.all([page.waitForEvent('load'), page.click('form.which button.danger')])
  same(days(await datesOf(id)), ['2031-01-07', '2031-01-14', '2031-01-28'], 'one date removed')
  await Promise.all([page.waitForEvent('load'), page.click('form[action="/admin/events/undo"] button')])
  same((await datesOf(id)).map((one) => one.id), dates.map((one) => one.id), 'put back')
  await page.context().close()
}

async function look(language, width, javaScriptEnabled) {
  const page = await open({ viewport: { width, height: 900 }, javaScriptEnabled }, language)
  const name = `series-${language}-${width}${javaScriptEnabled ? '' : '-plain'}`
  const inspect = async (what) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth) <= width, `${name} ${what} is wider than the screen`)
    await page.screenshot({ path: `${out}${name}-${what}.png`, fullPage: true })
    if (!javaScriptEnabled) return
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => window.axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }))
    expect(violations.length === 0, `${name} ${what}: ${violations.map((v) => `${v.id} ${v.nodes.map((n) => n.html.slice(0, 150)).join(' ')}`).join('\n')}`)
  }
  await page.goto(`${service.base}/admin/events/new`)
  await page.fill('#f-title', 'Chess club')
  await page.fill('#f-start_date', '2031-03-04T18:00')
  await page.fill('#f-end_date', '2031-03-04T19:00')
  await page.selectOption('#f-repeat', 'week')
  await page.click('details:has(#f-event_status) > summary')
  await page.selectOption('#f-event_status', 'cancelled')
  await page.selectOption('#f-attendance_mode', 'mixed')
  if (javaScriptEnabled) {
    await page.locator('.repeat-words').waitFor()
    await page.click('.repeat-dates summary')
  } else {
    await Promise.all([page.waitForEvent('load'), page.click('.saves .first')])
    await page.locator('.repeat-words').waitFor()
    await page.click('.repeat-dates summary')
  }
  for (const day of ['11', '14']) {
    await page.click(`[value="row_date_2031-03-${day}"]`)
    await page.locator(`[value="row_date_2031-03-${day}"].is-${day === '11' ? 'out' : 'more'}`).waitFor()
  }
  await inspect('form')
  const { dates } = await series(`Look ${name}`)
  await page.goto(editor(dates[1].id))
  await inspect('date')
  await page.fill('#f-title', 'Another')
  await Promise.all([page.waitForEvent('load'), page.click('.saves .first')])
  await inspect('which')
  await page.context().close()
}

try {
  await mkdir(out, { recursive: true })
  for (const [name, run] of Object.entries({ story, byMouse, byKeyboard, following, removing })) {
    if (process.env.ONLY && !process.env.ONLY.includes(name)) continue
    await run().catch((error) => problems.push(`${name}: ${error.stack}`))
  }
  if (!process.env.ONLY || process.env.ONLY.includes('look')) {
    for (const [language, width, scripts] of [['en', 1280, true], ['en', 390, true], ['ar', 1280, true], ['ar', 390, true], ['ja', 390, true], ['de', 1280, false], ['fr', 390, false]]) {
      await look(language, width, scripts).catch((error) => problems.push(`look ${language} ${width}: ${error.stack}`))
    }
  }
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${checked} checks of series, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
