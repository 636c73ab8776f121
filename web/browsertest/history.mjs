// Checks the history in a browser: that what is typed is kept and offered again,
// whatever ends the page before it is saved, by keyboard alone; and the pages of
// the history, the revisions and the offer with axe, in languages of both
// directions, light and dark, narrow and wide. Screenshots go to out/.
//
//	node history.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { seed, start } from './service.mjs'

const languages = (process.env.LANGUAGES ?? 'en,de,ar,ja').split(',')
const out = new URL('../../out/', import.meta.url).pathname
process.env.KALENDS_PROVIDER_TOKEN = 'kalp_provider_of_the_browser_tests'
const service = await start(process.argv[2])
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0
const expect = (condition, text) => {
  checked++
  if (!condition) problems.push(text)
}

async function request(method, path, authorization, body) {
  const answer = await fetch(`${service.base}${path}`, { method, body: body && JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Authorization: authorization } })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
const api = (method, path, body) => request(method, `/calendar/events/v1${path}`,
  'Basic ' + Buffer.from(`${service.login}:${service.password}`).toString('base64'), body)
const newEvent = (title, more) => api('POST', '/events', { title, start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00', ...more })
const eventPath = (event) => `/events/${event.id}`

async function signIn(page, login = 'admin', password = service.signIn) {
  await page.fill('#f-login', login)
  await page.fill('#f-password', password)
  await page.keyboard.press('Enter')
}

/** A browser of somebody who has signed in, and a page of it whose clock can be put forward. */
async function open(login, password, options = {}, language = 'en') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  await context.addCookies([{ name: 'kalends-language', value: language, url: service.base }])
  const page = await fresh(context)
  await page.goto(`${service.base}/admin`)
  await signIn(page, login, password)
  await page.waitForURL('**/admin')
  return page
}

async function fresh(context) {
  const page = await context.newPage()
  await page.clock.install()
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (401|403|413|422)/.test(message.text())) problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.stack}`))
  return page
}

const form = async (page, path = '/events/new') => {
  await page.goto(`${service.base}/admin${path}`)
  await ready(page)
}
const ready = (page) => page.locator('.wide > rich-text[data-ready]').first().waitFor()

/** Presses Tab until the element has the focus. */
async function reach(page, selector) {
  for (let i = 0; i < 300; i++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return
  }
  throw new Error(`${selector} can't be reached by keyboard`)
}

/** Lets the time pass after which things are kept, and waits for what is said of it. */
async function told(page, pattern = /Draft kept/) {
  await page.clock.fastForward(25_000)
  await page.locator('[data-autosave]').filter({ hasText: pattern }).waitFor()
}

/** Puts an end to a page as a closed tab does: with what it does when it is left. */
async function leave(page) {
  await page.close({ runBeforeUnload: true })
}

const offer = (page) => page.locator('.notice.draft')
const title = (page) => page.inputValue('#f-title')
const text = (page) => page.inputValue('[name=description]')
const box = 'input[type=checkbox][name=categories]'

/** Opens the form of a new event until what a page sent on its way out is there. */
async function offered(page) {
  for (let i = 0; i < 50; i++) {
    await form(page)
    if (await offer(page).count() === 1) return
  }
  throw new Error('what was typed never came')
}

async function save(page) {
  await Promise.all([page.waitForEvent('load'), page.click('.saves .first')])
}

/** Discards what is offered, and waits for the page that comes then. */
async function drop(page) {
  await Promise.all([page.waitForEvent('load'), page.click('.notice.draft button[value=drop]')])
  await ready(page)
}

async function forget(page, path = '/events/new') {
  await form(page, path)
  if (await offer(page).count() === 0) return
  await drop(page)
  expect(await offer(page).count() === 0, `${path}: still offered after it was discarded`)
}

/** Presses the keys of bold until the editor shows that it took them: it hears of the caret later than of keys. */
async function boldly(page) {
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('Control+B')
    const on = await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() =>
      resolve(document.querySelector('.wide > rich-text .rich-bold').ariaPressed === 'true'))))
    if (on) return
  }
  throw new Error('bold never came')
}

/** Types into a form with the keys, closes it, and finds it all again. */
async function typeAndFind(page, path, saved) {
  const context = page.context()
  let tab = await fresh(context)
  await form(tab, path)
  await reach(tab, '#f-title')
  await tab.keyboard.press('Control+A')
  await tab.keyboard.type('Typed by keys')
  await reach(tab, '.rich-box')
  await tab.keyboard.press('Control+End')
  await tab.keyboard.type('plain')
  await boldly(tab)
  await tab.keyboard.type('bold')
  await reach(tab, box)
  await tab.keyboard.press('Space')
  const category = await tab.evaluate(() => document.activeElement.value)
  await told(tab)
  await leave(tab)

  tab = await fresh(context)
  await form(tab, path)
  expect(await offer(tab).count() === 1, `${path}: what was typed isn't offered`)
  expect(await title(tab) === saved, `${path}: the form holds ${await title(tab)} before it is asked for`)
  await reach(tab, '.notice.draft a')
  await tab.keyboard.press('Enter')
  await tab.waitForURL('**?draft=1')
  await ready(tab)
  expect(await title(tab) === 'Typed by keys', `${path}: the title is ${await title(tab)}`)
  expect(/plain<strong>bold<\/strong>/.test(await text(tab)), `${path}: the text is ${await text(tab)}`)
  expect(await tab.isChecked(`${box}[value="${category}"]`), `${path}: the category isn't ticked`)
  await save(tab)
  const { pathname } = new URL(tab.url())
  expect(/^\/admin\/events\/\d+$/.test(pathname), `${path}: saving leads to ${pathname}`)
  await form(tab, pathname.replace('/admin', ''))
  expect(await offer(tab).count() === 0, `${path}: still offered after it was saved`)
  expect(await title(tab) === 'Typed by keys' && await tab.isChecked(`${box}[value="${category}"]`), `${path}: not all was saved`)
  await form(tab, path)
  expect(await offer(tab).count() === 0, `${path}: still offered after it was saved`)
  await tab.close()
}

async function newAndOld() {
  const page = await open()
  await typeAndFind(page, '/events/new', '')
  const event = await newEvent('Saved before', { description: '<p>Saved text</p>' })
  await typeAndFind(page, eventPath(event), 'Saved before')
  await page.context().close()
}

/** Looking is no typing. */
async function untouched() {
  const page = await open()
  const event = await newEvent('Only looked at', { description: '<p>Text</p>', cost: '5', tags: ['one', 'two'] })
  for (const path of ['/events/new', eventPath(event)]) {
    const tab = await fresh(page.context())
    await form(tab, path)
    let asked = 0
    tab.on('request', (r) => { if (r.url().endsWith('/admin/drafts')) asked++ })
    await tab.clock.fastForward(60_000)
    await tab.goto(`${service.base}/admin/events`)
    expect(asked === 0, `${path}: a draft of what nobody typed`)
    await form(tab, path)
    expect(await offer(tab).count() === 0, `${path}: a draft of what nobody typed is offered`)
    await tab.close()
  }
  await page.context().close()
}

/** What is typed is kept when the page is left at once, too. */
async function leftAtOnce() {
  const page = await open()
  await form(page)
  await page.locator('#f-title').pressSequentially('Left at once')
  await page.goto(`${service.base}/admin/events`)
  await offered(page)
  await form(page, '/events/new?draft=1')
  expect(await title(page) === 'Left at once', `left at once: ${await title(page)}`)
  await forget(page)
  await page.context().close()
}

async function ofOneAlone() {
  await request('POST', '/platform/v1/sites/demo/users', `Bearer ${process.env.KALENDS_PROVIDER_TOKEN}`,
    { login: 'second', email: 'second@example.org', name: 'Second', role: 'editor', password: 'correct horse battery' })
  const page = await open()
  const event = await newEvent('Of both')
  const other = await open('second', 'correct horse battery')
  for (const path of ['/events/new', eventPath(event)]) {
    await form(page, path)
    await page.locator('#f-title').pressSequentially('Of one alone')
    await told(page)
    await form(other, path)
    expect(await offer(other).count() === 0, `${path}: somebody else's draft is offered`)
    await form(other, `${path}?draft=1`)
    expect(!(await title(other)).includes('alone'), `${path}: somebody else's draft is shown`)
    await forget(page, path)
  }
  await page.context().close()
  await other.context().close()
}

async function problemsOfTheForm() {
  const page = await open()
  await form(page)
  await page.locator('#f-title').pressSequentially('With a problem')
  await page.locator('input[role=combobox][name=venue]').fill('Nowhere Hall')
  const kept = page.waitForResponse((answer) => answer.url().endsWith('/admin/drafts') && answer.ok())
  await save(page)
  await page.locator('.problems, [role=alert]').first().waitFor()
  await kept
  await ready(page)
  await leave(page)
  const tab = await fresh(page.context())
  await form(tab)
  expect(await offer(tab).count() === 1, 'with a problem: not offered')
  await form(tab, '/events/new?draft=1')
  expect(await title(tab) === 'With a problem', 'with a problem: the title is lost')
  await forget(tab)
  await tab.context().close()
}

async function sessionGone() {
  const page = await open()
  await form(page)
  await page.context().clearCookies({ name: 'kalends' })
  await page.locator('#f-title').pressSequentially('Signed out')
  await told(page, /signed out/)
  await told(page, /signed out/)
  expect(await page.locator('dialog[open]').count() === 0, 'signed out: a dialog in the middle of typing')
  const other = await fresh(page.context())
  await other.goto(`${service.base}/admin/login`)
  await signIn(other)
  await other.waitForURL('**/admin')
  await told(page)
  await leave(page)
  await form(other, '/events/new?draft=1')
  expect(await title(other) === 'Signed out', 'signed out: what was typed is lost')
  await forget(other)

  // Signing in is put off: what is typed is still kept later.
  await form(other)
  await other.context().clearCookies({ name: 'kalends' })
  await other.locator('#f-title').pressSequentially('Put off')
  await told(other, /signed out/)
  await other.click('.saves .first')
  await other.locator('dialog #d-login').waitFor()
  await other.keyboard.press('Escape')
  const third = await fresh(other.context())
  await third.goto(`${service.base}/admin/login`)
  await signIn(third)
  await third.waitForURL('**/admin')
  await other.locator('#f-title').pressSequentially(' for later')
  await told(other)
  await forget(third)
  await third.context().close()
}

/** There is one draft of a form: of two pages the one typed in last has it, and none loses its text. */
async function twoTabs() {
  const first = await open()
  const second = await fresh(first.context())
  await form(first)
  await form(second)
  await first.locator('#f-title').pressSequentially('First tab')
  await told(first)
  await second.locator('#f-title').pressSequentially('Second tab')
  await told(second)
  await save(second)
  expect(/events\/\d+$/.test(second.url()) && await title(second) === 'Second tab', 'two tabs: the second wasn\'t saved')
  await leave(first)
  await offered(second)
  await form(second, '/events/new?draft=1')
  expect(await title(second) === 'First tab', `two tabs: the first one's text is lost, there is ${await title(second)}`)
  await forget(second)
  await second.context().close()
}

async function tooLong() {
  const page = await open()
  await form(page)
  await page.locator('#f-title').pressSequentially('Too long')
  await told(page)
  await page.locator('.wide > rich-text [data-switch]').first().press('Enter')
  await page.evaluate(() => {
    const area = document.querySelector('textarea[name=description]')
    area.focus()
    area.value = `${'long '.repeat(199)}long\n`.repeat(3000) // in lines, for a browser takes minutes to lay out one of so much
    area.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }))
  })
  expect((await text(page)).length === 3_000_000, 'too long: not pasted')
  await told(page, /too long/)
  await page.evaluate(() => { document.querySelector('textarea[name=description]').value = '' })
  await page.locator('#f-title').press('End')
  await page.keyboard.type(' no more')
  await told(page)
  await form(page, '/events/new?draft=1')
  expect(await title(page) === 'Too long no more', `too long: ${await title(page)}`)
  await forget(page)
  await page.context().close()
}

/** Without scripts nothing is kept, and all else is as ever; what is kept is offered. */
async function withoutScripts() {
  const page = await open()
  await form(page)
  await page.locator('#f-title').pressSequentially('Kept with scripts')
  await told(page)
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() })
  const plain = await context.newPage()
  await plain.goto(`${service.base}/admin/events/new`)
  await plain.click('.notice.draft a')
  expect(await title(plain) === 'Kept with scripts', 'without scripts: the offer can\'t be taken')
  await plain.click('.saves .first')
  expect(/events\/\d+$/.test(plain.url()), 'without scripts: not saved')
  await plain.goto(`${service.base}/admin/events/new`)
  expect(await offer(plain).count() === 0, 'without scripts: still offered')
  await context.close()
  await page.close()
}

/** What a page is asked to do may never end; this ends it with the test. */
const within = (run, name) => {
  let timer
  const limit = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`${name}: no answer`)), 120_000) })
  return Promise.race([run, limit]).finally(() => clearTimeout(timer))
}

async function shoot(page, name) {
  await page.evaluate(() => document.getAnimations().forEach((a) => a.finish()))
  const client = await page.context().newCDPSession(page)
  await client.send('Runtime.evaluate', { expression: axe.source })
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  for (const v of violations) problems.push(`${name}: ${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => n.target).join('; ')})`)
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  if (wide > screen) problems.push(`${name}: ${wide} pixels wide on a screen of ${screen}`)
  await page.screenshot({ path: `${out}history-${name}.png`, fullPage: true })
  checked++
}

/** An event with a past that is hard to show. */
async function past() {
  const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
  const event = await newEvent('Spring fair on the lake', { description: '<p>Stalls, music and a boat. Doors open at ten.</p>',
    venue: { venue: 'Old Pier' }, tags: ['fair'], categories: [], cost: '5' })
  await api('POST', eventPath(event), { title: `Fair of the ${long}`, cost: '7', website: `https://www.example.org/${'a-very-long-path-without-end/'.repeat(6)}`,
    description: '<p>Stalls, <strong>loud</strong> music and two boats. Doors open at eleven.</p><p>أمسية شعرية على ضفاف البحيرة</p><p>湖畔の朗読会と音楽の夕べ</p>' })
  await api('POST', eventPath(event), { start_date: '2031-06-02 10:00', end_date: '2031-06-03 11:30', timezone: 'Asia/Tokyo', tags: [], featured: true,
    tickets: [{ name: 'Regular seat', price: 12.5, currency: 'EUR', url: 'https://example.org/t' }, { name: 'Reduced', price: 6, status: 'sold_out' }] })
  await api('POST', eventPath(event), { venue: [], organizer: { organizer: 'Lake Institute of the Measuring of Waters' } })
  return event
}

async function look(event, language, colorScheme, width) {
  const page = await open(undefined, undefined, { viewport: { width, height: 900 }, colorScheme }, language)
  const shot = (name) => shoot(page, `${name}-${language}-${colorScheme}-${width}`)
  await page.goto(`${service.base}/admin/audit`)
  await shot('audit')
  await page.goto(`${service.base}/admin/audit?kind=event&action=update&id=${event.id}&from=2020-01-01`)
  await shot('filtered')
  await page.locator('.history a[href*="open="]').first().click()
  await page.locator('.differences').waitFor()
  await shot('opened')
  await page.goto(`${service.base}/admin/audit?id=x&from=never`)
  await shot('wrong')
  await page.goto(`${service.base}/admin${eventPath(event)}/revisions`)
  await page.locator('.revisions a[href*="from="]').last().click()
  await page.locator('.differences').waitFor()
  await shot('revisions')
  await form(page, eventPath(event))
  await page.locator('#f-title').pressSequentially(' and more')
  await told(page, /\S/)
  await shot('keeping')
  await form(page, eventPath(event))
  await shot('offer')
  await Promise.all([page.waitForURL('**?draft=1'), page.click('.notice.draft a')])
  await ready(page)
  await shot('taken')
  await drop(page)
  await page.context().close()
}

/** Restoring by keyboard, with a link that is gone. */
async function restore(event) {
  const venues = await api('GET', '/venues?search=Old%20Pier')
  for (const venue of venues.venues) await api('DELETE', `/venues/${venue.id}?force=true`)
  const page = await open()
  await page.goto(`${service.base}/admin${eventPath(event)}`)
  await reach(page, 'a[href$="/revisions"]')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/revisions')
  const before = await page.locator('.history > li').count()
  await page.locator('.history > li').last().locator('form button').focus()
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  await page.locator('.notice', { hasText: 'Old Pier' }).waitFor()
  await shoot(page, 'restored-en-light-1280')
  expect(await page.locator('.history > li').count() === before + 1, 'restoring is no entry')
  const restored = await api('GET', eventPath(event))
  expect(restored.title === 'Spring fair on the lake', `restored: ${restored.title}`)
  await page.context().close()
}

try {
  await mkdir(out, { recursive: true })
  await seed(service)
  for (const [name, run] of Object.entries({ newAndOld, untouched, leftAtOnce, ofOneAlone, problemsOfTheForm, sessionGone, twoTabs, tooLong, withoutScripts })) {
    if (process.env.ONLY && !process.env.ONLY.includes(name)) continue
    await within(run(), name).catch((error) => problems.push(`${name}: ${error.stack}`))
  }
  if (!process.env.ONLY || process.env.ONLY.includes('look')) {
    const event = await past()
    for (const width of [390, 1280]) for (const colorScheme of ['light', 'dark']) for (const language of languages) {
      if (process.env.LOOK && !process.env.LOOK.split(',').some((wanted) => `${language}-${colorScheme}-${width}`.includes(wanted))) continue
      await within(look(event, language, colorScheme, width), 'look').catch((error) => problems.push(`look ${language} ${colorScheme} ${width}: ${error.stack}`))
    }
    await restore(event).catch((error) => problems.push(`restore: ${error.stack}`))
  }
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${checked} checks of the history, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
