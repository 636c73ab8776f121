// Uses the calendar of the administration as people do: by mouse, by keyboard,
// without scripts, from right to left; looks at it with axe; screenshots to out/.
//
//	node board.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { events, seed, start } from './service.mjs'

const out = new URL('../../out/', import.meta.url).pathname
const languages = (process.env.LANGUAGES ?? 'en,ar').split(',')
const service = await start(process.argv[2])
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0
const expect = (condition, text) => { checked++; if (!condition) problems.push(text) }
const same = (got, want, text) => expect(got === want, `${text}: ${got}, not ${want}`)

// A month a year later, which the demo data leaves empty: nothing is behind a “more”.
const month = events[0].start_date.slice(0, 7).replace(/\d+/, (year) => Number(year) + 1)
const basic = 'Basic ' + Buffer.from(`${service.login}:${service.password}`).toString('base64')
const rest = async (method, path, body) => (await fetch(`${service.base}/calendar/events/v1${path}`, { method, body: body && JSON.stringify(body),
  headers: { 'Content-Type': 'application/json', Authorization: basic } })).json()
const made = (fields) => rest('POST', '/events', { status: 'publish', ...fields })
const times = async (id) => { const e = await rest('GET', `/events/${id}`); return `${e.start_date} – ${e.end_date}` }

async function visit(options = {}, language = 'en') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  await context.addCookies([{ name: 'kalends-language', value: language, url: service.base }])
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  page.on('console', (m) => { if (m.type() === 'error' && !/40\d|422|ERR_FAILED/.test(m.text())) problems.push(`console: ${m.text()}`) })
  await page.goto(`${service.base}/admin`)
  await page.fill('#f-login', 'admin')
  await page.fill('#f-password', service.signIn)
  await Promise.all([page.waitForURL('**/admin'), page.click('main button[type=submit]')])
  return page
}

const show = (page, query) => page.goto(`${service.base}/admin?${query}`)
const cell = (page, day) => page.locator(`td[data-day="${month}-${day}"]`)
const settled = (page, text) => page.locator('#calendar-status', { hasText: text }).waitFor()

async function center(target, dx = 0.5, dy = 0.5) {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  return [box.x + box.width * dx, box.y + box.height * dy]
}

async function drag(page, from, to) {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move(from[0] + 8, from[1] + 2)
  await page.mouse.move(...to, { steps: 6 })
  await page.mouse.up()
}

// A date of a series: it is asked once which dates a move applies to, and Undo takes back all of it.
async function ofSeries(scope, byKeys, after) {
  const title = `Series ${scope}${byKeys ? ' by keys' : ''}`
  const { id: category } = await rest('POST', '/categories', { name: title })
  await made({ title, categories: [category], start_date: `${month}-02 10:00`, end_date: `${month}-02 11:00`, recurrence: { every: 'week', count: 4 } })
  const dates = async () => (await rest('GET', `/events?categories=${category}&start_date=${month}-01`)).events
  const days = async () => (await dates()).map((event) => event.start_date.slice(8, 10)).join(' ')
  const { id } = (await dates())[1]
  const page = await visit()
  await show(page, `date=${month}-01&category=${category}`)
  const shown = page.locator(`[data-id="${id}"] .title`).first()
  const ask = async () => {
    if (byKeys) {
      await shown.focus()
      await page.keyboard.press('Alt+ArrowRight')
    } else await drag(page, await center(shown), await center(cell(page, '10'), 0.5, 0.8))
    await page.locator('dialog[open] form.which').waitFor()
  }
  await ask()
  await page.keyboard.press('Escape')
  await page.waitForFunction(() => !document.querySelector('dialog[open]'))
  same(await days(), '02 09 16 23', `${scope}: moved although nobody said which`)
  await ask()
  if (byKeys) {
    for (let i = ['this', 'following', 'all'].indexOf(scope); i > 0; i--) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  } else {
    await page.check(`dialog[open] [value=${scope}]`)
    await page.click('dialog[open] button:not([data-close])')
  }
  await page.locator('#calendar-status button').waitFor()
  same(await days(), after, `${scope}: moved`)
  await page.click('#calendar-status button')
  await page.waitForFunction(() => !document.querySelector('#calendar-status button'))
  same(await days(), '02 09 16 23', `${scope}: undone`)
  await page.context().close()
}

// A day of the month: move, undo, resize, refuse, begin.
async function inTheMonth(language) {
  const { id } = await made({ title: `Moved ${language}`, start_date: `${month}-20 10:05`, end_date: `${month}-20 12:00` })
  const page = await visit({}, language)
  await show(page, `date=${month}-01`)
  await drag(page, await center(page.locator(`[data-id="${id}"] .title`)), await center(cell(page, '22'), 0.5, 0.8))
  await settled(page, `Moved ${language}`)
  await page.locator('#calendar-status button').waitFor()
  same(await times(id), `${month}-22 10:05:00 – ${month}-22 12:00:00`, `${language}: dragged to another day`)
  expect(await cell(page, '22').locator(`[data-id="${id}"]`).isVisible(), `${language}: it isn't shown where it is`)
  await page.click('#calendar-status button')
  await page.waitForFunction(() => !document.querySelector('#calendar-status button'))
  same(await times(id), `${month}-20 10:05:00 – ${month}-20 12:00:00`, `${language}: undone`)

  await page.locator(`[data-id="${id}"] .title`).focus()
  await page.keyboard.press('Alt+ArrowRight')
  await page.keyboard.press('Alt+ArrowRight')
  await page.keyboard.press('Alt+ArrowUp')
  await page.locator('#calendar-status button').waitFor()
  same(await times(id), language === 'ar' ? `${month}-11 10:05:00 – ${month}-11 12:00:00` : `${month}-15 10:05:00 – ${month}-15 12:00:00`, `${language}: by keys`)
  expect(await page.evaluate((id) => document.activeElement.closest(`[data-id="${id}"]`) !== null, String(id)), `${language}: the focus is lost`)

  const long = await made({ title: `Long ${language}`, all_day: true, start_date: `${month}-20`, end_date: `${month}-21` })
  await page.reload()
  await drag(page, await center(page.locator(`[data-id="${long.id}"] .grip-end`)), await center(cell(page, '23'), 0.5, 0.8))
  await page.locator('#calendar-status button').waitFor()
  same(await times(long.id), `${month}-20 00:00:00 – ${month}-23 23:59:59`, `${language}: resized`)

  await rest('POST', `/events/${id}`, { title: `Changed ${language}` })
  await drag(page, await center(page.locator(`[data-id="${id}"] .title`)), await center(cell(page, '24'), 0.5, 0.8))
  await page.locator('#calendar-status .notice').waitFor()
  expect((await times(id)).startsWith(`${month}-1`), `${language}: moved over another's change`)
  expect(await page.locator(`[data-id="${id}"]`, { hasText: 'Changed' }).first().isVisible(), `${language}: the calendar isn't fresh`)

  await page.route('**/move', (route) => route.abort())
  await drag(page, await center(page.locator(`[data-id="${id}"] .title`)), await center(cell(page, '24'), 0.5, 0.8))
  await page.locator('#calendar-status .notice').waitFor()
  expect(await cell(page, '24').locator(`[data-id="${id}"]`).count() === 0, `${language}: not rolled back`)
  await page.unroute('**/move')

  await page.mouse.click(...await center(cell(page, '25'), 0.5, 0.85))
  await page.waitForURL('**/events/new?*')
  same(await page.inputValue('#f-start_date'), `${month}-25T10:00`, `${language}: a click begins an event`)
  await page.goBack()
  await cell(page, '27').scrollIntoViewIfNeeded() // which may be a row below
  await drag(page, await center(cell(page, '26'), 0.5, 0.85), await center(cell(page, '27'), 0.5, 0.85))
  await page.waitForURL('**/events/new?*')
  same((await page.inputValue('#f-end_date')).slice(0, 10), `${month}-27`, `${language}: a drag over days begins a long one`)
  expect(await page.isChecked('#f-all_day'), `${language}: it isn't for the whole days`)
  await rest('DELETE', `/events/${id}`)
  await rest('DELETE', `/events/${long.id}`)
  await page.context().close()
}

// The hours of a week.
async function inTheWeek(language) {
  const { id } = await made({ title: `Hours ${language}`, start_date: `${month}-20 10:00`, end_date: `${month}-20 11:30` })
  const page = await visit({}, language)
  await show(page, `view=week&date=${month}-20`)
  const item = page.locator(`.slots [data-id="${id}"]`)
  const hours = page.locator(`.hours[data-day="${month}-20"]`)
  const quarter = (await hours.boundingBox()).height / 96
  const [x, y] = await center(item.locator('.title'), 0.5, 0.4)
  await drag(page, [x, y], [x, y + 5 * quarter])
  await page.locator('#calendar-status button').waitFor()
  same(await times(id), `${month}-20 11:15:00 – ${month}-20 12:45:00`, `${language}: dragged by the hour`)
  const grip = await center(item.locator('.grip-below'))
  await drag(page, grip, [grip[0], grip[1] + 3 * quarter])
  await page.waitForFunction((id) => document.querySelector(`[data-id="${id}"].for-9:not(.busy *)`), String(id))
  same(await times(id), `${month}-20 11:15:00 – ${month}-20 13:30:00`, `${language}: resized by the hour`)
  await item.locator('.title').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+Shift+ArrowDown')
  await page.waitForFunction((id) => document.querySelector(`[data-id="${id}"].at-46.for-10:not(.busy *)`), String(id))
  same(await times(id), `${month}-20 11:30:00 – ${month}-20 14:00:00`, `${language}: by keys in the week`)
  const [a, b] = await center(hours, 0.5, 16 / 24)
  await drag(page, [a, b + 2], [a, b + 5.5 * quarter])
  await page.waitForURL('**/events/new?*')
  same(`${await page.inputValue('#f-start_date')} ${await page.inputValue('#f-end_date')}`, `${month}-20T16:00 ${month}-20T17:30`, `${language}: a drag over hours`)
  await rest('DELETE', `/events/${id}`)
  await page.context().close()
}

// A finger that stays a while.
async function byTouch() {
  const { id } = await made({ title: 'Touched', start_date: `${month}-06 10:00`, end_date: `${month}-06 11:00` })
  const page = await visit({ hasTouch: true })
  await show(page, `date=${month}-01`)
  const [from, to] = [await center(page.locator(`[data-id="${id}"] .title`)), await center(cell(page, '08'), 0.5, 0.8)]
  const client = await page.context().newCDPSession(page)
  const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y]) => ({ x, y })) })
  await touch('touchStart', from)
  await page.locator('.dragging').first().waitFor()
  await touch('touchMove', [from[0] + 20, from[1]])
  await touch('touchMove', to)
  await touch('touchEnd')
  await page.locator('#calendar-status button').waitFor()
  same(await times(id), `${month}-08 10:00:00 – ${month}-08 11:00:00`, 'a long press moves')
  await rest('DELETE', `/events/${id}`)
  await page.context().close()
}

// Links that change the calendar alone keep the focus and the address.
async function steps() {
  const page = await visit()
  await show(page, `date=${month}-01`)
  const name = await page.textContent('#calendar h1')
  await page.evaluate(() => { window.stays = true })
  await page.locator('#plan-next').focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction((name) => document.querySelector('#calendar h1').textContent !== name, name)
  expect(await page.evaluate(() => window.stays), 'the whole page was loaded')
  same(await page.evaluate(() => document.activeElement.id), 'plan-next', 'the focus after a step')
  expect(!page.url().includes(`${month}-01`), 'the address stays behind')
  await page.goBack()
  await page.waitForFunction((name) => document.querySelector('#calendar h1').textContent === name, name)
  await page.context().close()
}

// All of it with scripts off.
async function withoutScripts() {
  const { id } = await made({ title: 'Without scripts', start_date: `${month}-20 10:00`, end_date: `${month}-20 11:00` })
  const page = await visit({ javaScriptEnabled: false })
  await show(page, `date=${month}-01`)
  await page.locator(`[data-id="${id}"] .move`).focus()
  await page.keyboard.press('Enter')
  await page.fill('#f-start_date', `${month}-21T15:00`)
  await page.click('.move-form button')
  same(await times(id), `${month}-21 15:00:00 – ${month}-21 16:00:00`, 'moved by form')
  expect(page.url().includes(`date=${month}-01`), 'the form leads elsewhere')
  await page.click('#calendar-status button')
  same(await times(id), `${month}-20 10:00:00 – ${month}-20 11:00:00`, 'undone by form')
  for (let n = 0; n < 8; n++) await made({ title: `One of many ${n}`, start_date: `${month}-12 1${n}:00`, end_date: `${month}-12 1${n}:30` })
  await page.reload()
  await cell(page, '12').locator('.more').click()
  expect(await page.locator('#day .row').count() >= 7, 'the day lacks events')
  await cell(page, '20').locator('.add').focus()
  await page.keyboard.press('Enter')
  same(await page.inputValue('#f-start_date'), `${month}-20T10:00`, 'a new event on a day')
  await rest('DELETE', `/events/${id}`)
  await page.context().close()
}

const views = { month: `date=${month}-01`, day: `day=${month}-12`, week: `view=week&date=${month}-12`, list: `view=list&date=${month}-01`, wrong: 'date=soon' }

async function look(language, colorScheme, width) {
  const page = await visit({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true }, language)
  const check = async (name) => {
    const about = (text) => problems.push(`${name}-${language}-${colorScheme}-${width}: ${text}`)
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
    for (const v of violations) about(`${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => n.target).join('; ')})`)
    const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
    if (wide > screen) about(`${wide} pixels wide on a screen of ${screen}`)
    await page.screenshot({ path: `${out}board-${name}-${language}-${colorScheme}-${width}.png`, fullPage: true })
    checked++
  }
  for (const [name, query] of Object.entries(views)) {
    await show(page, query)
    await check(name)
  }
  await page.goto(`${service.base}/admin?view=list&date=${month}-01`)
  await page.locator('.move').first().click()
  await page.waitForURL('**/move?*')
  await check('move')
  await page.context().close()
}

// Events of every state and category, to be told apart.
async function states() {
  let day = 9
  for (const status of ['draft', 'pending', 'future', 'private']) {
    await made({ title: `It is ${status}`, status, start_date: `${month}-${++day} 09:00`, end_date: `${month}-${day} 10:30`, categories: ['Culture'],
      ...(status === 'future' ? { date: '2099-01-01 00:00' } : {}) })
  }
  await made({ title: 'Rehearsal', start_date: `${month}-12 09:30`, end_date: `${month}-12 11:00`, categories: ['Music'] })
  await made({ title: 'Night train', start_date: `${month}-12 22:00`, end_date: `${month}-13 05:00`, categories: ['Travel'] })
}

try {
  await mkdir(out, { recursive: true })
  await seed(service)
  for (const language of ['en', 'ar']) {
    await inTheMonth(language)
    await inTheWeek(language)
  }
  for (const byKeys of [false, true]) {
    await ofSeries('this', byKeys, '02 10 16 23')
    await ofSeries('following', byKeys, '02 10 17 24')
    await ofSeries('all', byKeys, '03 10 17 24')
  }
  await byTouch()
  await steps()
  await withoutScripts()
  await states()
  for (const width of [390, 1280]) for (const colorScheme of ['light', 'dark']) for (const language of languages) await look(language, colorScheme, width)
} catch (error) {
  problems.push(error.stack)
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${checked} things of the calendar checked, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
