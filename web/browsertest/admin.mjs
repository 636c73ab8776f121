// Checks every page of the administration with axe, in languages of both
// directions, light and dark, narrow and wide; that nothing is wider than the
// screen; that an event can be made, published, trashed and restored without
// scripts, and by keyboard alone; and writes screenshots to out/.
//
//	node admin.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { seed, start } from './service.mjs'

const languages = (process.env.LANGUAGES ?? 'en,de,ar,ja').split(',')
const out = new URL('../../out/', import.meta.url).pathname
const service = await start(process.argv[2])
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0

const paths = {
  settings: '/settings',
  events: '/events', filtered: '/events?featured=1', new: '/events/new', venues: '/venues', 'new-venue': '/venues/new', organizers: '/organizers',
  'new-organizer': '/organizers/new', categories: '/categories', tags: '/tags', trash: '/trash', audit: '/audit', 'audit-filtered': '/audit?kind=event&action=create', media: '/media', users: '/users', 'new-user': '/users/new', profile: '/profile', access: '/access', missing: '/nothing',
}

async function check(page, name) {
  const about = (text) => problems.push(`${name}: ${text}`)
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  for (const v of violations) about(`${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => n.target).join('; ')})`)
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  if (wide > screen) about(`${wide} pixels wide on a screen of ${screen}`)
  await page.screenshot({ path: `${out}admin-${name}.png`, fullPage: true })
  checked++
}

const signIn = async (page) => {
  await page.fill('#f-login', 'admin')
  await page.fill('#f-password', service.signIn)
  await page.click('main button[type=submit]')
}

async function look(language, colorScheme, width) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, bypassCSP: true })
  await context.addCookies([{ name: 'kalends-language', value: language, url: service.base }])
  const page = await context.newPage()
  const shot = (name) => check(page, `${name}-${language}-${colorScheme}-${width}`)
  await page.goto(`${service.base}/admin`)
  await shot('login')
  await page.goto(`${service.base}/admin/forgotten`)
  await shot('forgotten')
  await page.goto(`${service.base}/admin`)
  await signIn(page)
  for (const [name, path] of Object.entries(paths)) {
    await page.goto(`${service.base}/admin${path}`)
    await shot(name)
  }
  for (const [name, list, link] of [['event', '/events', 'table a.name'], ['venue', '/venues', '.rows a.name'], ['category', '/categories', '.rows a.name'], ['user', '/users', '.rows a.name']]) {
    await page.goto(`${service.base}/admin${list}`)
    await page.locator(link).first().click()
    await shot(name)
  }
  for (const section of ['venues', 'categories']) {
    await page.goto(`${service.base}/admin/${section}`)
    for (const n of [0, 1]) await page.locator('.rows input[name=id]').nth(n).check()
    await page.click('button[value=merge]')
    await shot(`${section}-merge`)
  }
  await page.goto(`${service.base}/admin/events/new`)
  await page.locator('form.editor input[name=venue]').first().fill('Nowhere Hall')
  await page.click('.side button[value=save]')
  await shot('wrong')
  await page.goto(`${service.base}/admin/events`)
  await page.locator('input[name=id]').first().check()
  await page.click('button[value=delete]')
  await shot('sure')
  await context.close()
}

const expect = (condition, text) => { if (!condition) problems.push(text) }

// The whole way of an event, with scripts off.
async function withoutScripts() {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${service.base}/admin`)
  await signIn(page)
  await page.goto(`${service.base}/admin/events/new`)
  await page.fill('#f-title', 'Without scripts')
  await page.click('#f-venue summary')
  await page.fill('#f-new_venue\\.venue', 'New Hall')
  await page.click('.side button[value=save]')
  const address = page.url()
  expect(/\/admin\/events\/\d+$/.test(address), `saving leads to ${address}`)
  expect((await page.locator('input[name=venue]').first().inputValue()) === 'New Hall', 'the new venue is not linked')
  await page.selectOption('#f-status', 'draft')
  await page.click('.side button[value=save]')
  expect((await page.inputValue('#f-status')) === 'draft', 'it is no draft')
  await page.selectOption('#f-status', 'publish')
  await page.click('.side button[value=save]')
  await page.click('button[value=trash]')
  await page.goto(`${service.base}/admin/trash`)
  await page.locator('label', { hasText: 'Without scripts' }).click()
  await page.locator('section', { hasText: 'Without scripts' }).locator('button[value=restore]').click()
  await page.goto(address)
  expect((await page.inputValue('#f-status')) === 'draft', 'it is not restored')
  await context.close()
}

// The preview of the settings follows what is typed, before it is saved.
async function livePreview() {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${service.base}/admin`)
  await signIn(page)
  await page.goto(`${service.base}/admin/settings`)
  await page.fill('#f-currency_symbol', 'kr')
  await page.keyboard.press('Tab')
  const shown = page.locator('#preview', { hasText: 'kr12.50' }).waitFor({ timeout: 10_000 })
  await shown.catch(() => problems.push('the preview of the settings does not follow'))
  await context.close()
}

// A key just made comes with a command, and a button that copies it.
async function copying() {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(`${service.base}/admin`)
  await signIn(page)
  await page.goto(`${service.base}/admin/access`)
  expect(await page.locator('copy-line').count() === 1 && (await page.locator('copy-line code').innerText()).includes(`${service.base}/calendar/events/v1/events`), 'no command on the page')
  await page.fill('#f-name', 'Copied')
  await page.selectOption('#f-kind', 'api_key')
  await page.click('main button[value=save]')
  const secret = await page.locator('code.secret').innerText()
  await page.locator('.said copy-line button').focus()
  await page.keyboard.press('Enter')
  await page.locator('.said copy-line [role=status]', { hasText: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied === `curl -H 'Authorization: Bearer ${secret}' ${service.base}/calendar/events/v1/events`, `copied: ${copied}`)
  expect((await fetch(`${service.base}/calendar/events/v1/events`, { headers: { Authorization: `Bearer ${secret}` } })).ok, 'the key opens nothing')
  expect((await fetch(await page.locator('a[href$="/doc"]').getAttribute('href'))).ok, 'the interface isn’t described')
  await context.close()
}

// The same by keyboard alone.
async function byKeyboard() {
  const context = await browser.newContext()
  const page = await context.newPage()
  const reach = async (selector) => {
    for (let i = 0; i < 300; i++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return
    }
    throw new Error(`${selector} can't be reached by keyboard`)
  }
  await page.goto(`${service.base}/admin`)
  await reach('#f-login')
  await page.keyboard.type('admin')
  await reach('#f-password')
  await page.keyboard.type(service.signIn)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin')
  await reach('a[href="/admin/events/new"]')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/events/new')
  await reach('#f-title')
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await page.waitForURL(/events\/\d+$/)
  const address = page.url()
  await reach('button[value=trash]')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/events')
  await reach('a[href="/admin/trash"]')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/trash')
  await reach('input[type=checkbox]')
  await page.keyboard.press('Space')
  await reach('button[value=restore]')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  await page.goto(address)
  expect((await page.inputValue('#f-title')) === 'By keyboard', 'the event of the keyboard is lost')
  await context.close()
}

// What a filter finds is shown while it is typed.
async function filtering() {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${service.base}/admin`)
  await signIn(page)
  await page.goto(`${service.base}/admin/events`)
  await page.locator('#f-search').pressSequentially('harbour')
  await page.waitForFunction(() => document.querySelectorAll('#found tbody tr').length === 1)
  expect(page.url().includes('search=harbour'), `the address stays ${page.url()}`)
  expect((await page.locator('#amount').innerText()).includes('1'), 'the amount is not told')
  expect(await page.evaluate(() => document.activeElement.id) === 'f-search', 'the focus left the search')
  await page.locator('#found nav.tabs a').last().click()
  await page.waitForURL('**status=**')
  await page.fill('#f-search', '')
  await page.waitForFunction(() => document.querySelectorAll('#found tbody tr').length > 1)
  expect(page.url().includes('status=publish'), `the state is forgotten: ${page.url()}`)
  await context.close()
}

try {
  await mkdir(out, { recursive: true })
  await seed(service)
  await withoutScripts()
  await livePreview()
  await byKeyboard()
  await filtering()
  await copying()
  for (const width of [390, 1280]) for (const colorScheme of ['light', 'dark']) for (const language of languages) await look(language, colorScheme, width)
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${checked} pages of the administration checked, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
