// Checks the provider's console: what a provider does with plans and sites, with
// scripts and without; and looks at every page of it (see look.mjs).
//
//	node console.mjs ../../bin/kalends
import { languages, looker } from './look.mjs'
import { start } from './service.mjs'

const token = 'kalp_provider_of_the_browser_tests'
process.env.KALENDS_PROVIDER_TOKEN = token
const service = await start(process.argv[2])
const root = `${service.base}/admin/provider`
const eye = await looker(['console'], 'console-')
const { browser, problems } = eye
let done = 0
const same = (got, want, text) => {
  done++
  if (got !== want) problems.push(`${text}: ${JSON.stringify(got)}, not ${JSON.stringify(want)}`)
}

/** The provider's interface, for what is true behind the pages. */
async function platform(method, path, body) {
  const answer = await fetch(`${service.base}/platform/v1${path}`, { method, body: body && JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` } })
  return { status: answer.status, ...await answer.json() }
}

async function signIn(language, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  await context.addCookies([{ name: 'kalends-language', value: language, url: service.base }])
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (404|409|422)/.test(message.text())) problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  await page.goto(root)
  return page
}

async function enter(page) {
  await page.fill('#f-password', token)
  await Promise.all([page.waitForURL(root), page.click('main button[type=submit]')])
}

const press = (page, selector) => Promise.all([page.waitForEvent('load'), page.click(selector)])

// From a new plan to a site that was deleted and is back, as a provider would.
async function work(scripts) {
  const name = scripts ? 'with' : 'without'
  const page = await signIn('en', { javaScriptEnabled: scripts })
  await enter(page)

  await page.click('header nav a[href$="/plans"]')
  await page.fill('#f-name', `plan-${name}`)
  await page.fill('#f-events', '50')
  await page.fill('#f-media_bytes', '1.5')
  await press(page, '.panel button[value=save]')
  await page.locator('.rows li', { hasText: `plan-${name}` }).getByText('1.5 MB').waitFor()
  const plan = await platform('GET', `/plans/plan-${name}`)
  same(JSON.stringify(plan.limits), '{"events":50,"occurrences":2000000,"users":null,"media_bytes":1500000,"webhooks":null,"letters":null,"requests_per_minute":null}', 'the new plan')

  await page.goto(root)
  await page.click('.title-row a.button')
  await page.fill('#f-name', `The ${name} club`)
  await page.fill('#f-slug', `club-${name}`)
  await page.selectOption('#f-timezone', 'Europe/Berlin')
  await page.selectOption('#f-plan', `plan-${name}`)
  await page.fill('#f-handle', 'anna')
  await page.fill('#f-person', 'Anna')
  await page.fill('#f-email', 'anna@example.org')
  await page.fill('#f-token', token)
  await press(page, 'main form button[type=submit]')
  const link = new URL(await page.locator('code.secret').first().innerText())
  same(link.hostname, `club-${name}.localhost`, 'where the invitation leads')
  same((await platform('GET', `/sites/club-${name}`)).usage.users, 1, 'the administrator')
  await accept(link)

  await page.goto(`${root}/plans/plan-${name}`)
  await page.fill('#f-events', '')
  await page.fill('#f-users', '5')
  await press(page, 'main form button[value=save]')
  const site = async () => platform('GET', `/sites/club-${name}`)
  same((await site()).limits.users, 5, 'the changed plan')
  same((await site()).limits.events, null, 'a limit that was taken away')

  const address = `${root}/sites/club-${name}`
  await page.goto(address)
  await page.selectOption('#f-own_users', 'own')
  await page.fill('#f-users', '7')
  await press(page, 'button[value=grant]')
  same((await site()).limits.users, 7, 'a limit of its own')
  await page.selectOption('#f-own_users', 'plan')
  await press(page, 'button[value=grant]')
  same((await site()).limits.users, 5, 'the limit of the plan again')

  await press(page, 'button[value=suspend]')
  await press(page, '.notice button[value=suspend]')
  same((await site()).state, 'read_only', 'suspended')
  await press(page, 'button[value=resume]')
  await press(page, '.notice button[value=resume]')
  same((await site()).state, 'active', 'resumed')

  await press(page, 'button[value=delete]')
  await page.fill('#f-grace', '3')
  await press(page, '.notice button[value=delete]')
  same((await site()).state, 'deleted', 'deleted')
  await page.goto(`${root}?state=deleted`)
  await page.locator('.rows a.name', { hasText: `The ${name} club` }).click()
  await press(page, 'button[value=undelete]')
  same((await site()).state, 'active', 'brought back')

  await page.goto(`${root}/audit?kind=site&action=undelete`)
  same(await page.locator('.history > li', { hasText: `club-${name}` }).count(), 1, 'in the history')
  await page.goto(address)
  await page.selectOption('#f-plan', 'unlimited')
  await press(page, 'button[value=grant]')
  await page.goto(`${root}/plans/plan-${name}`)
  await press(page, 'button[value=delete]')
  await press(page, '.notice button[value=delete]')
  same((await platform('GET', `/plans/plan-${name}`)).status, 404, 'the plan is deleted')
  await page.context().close()
}

// The administrator who was invited sets a password and is in.
async function accept(link) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(link.href)
  for (const field of await page.locator('main input[type=password]').all()) await field.fill('a long enough secret')
  await Promise.all([page.waitForEvent('load'), page.locator('main button[type=submit]').first().click()])
  same((await page.goto(`${link.origin}/admin/settings`)).status(), 200, 'the first administrator')
  await context.close()
}

// What the list of the sites finds is shown while the filter is filled in, and its
// pages turn in place.
async function filtering() {
  const page = await signIn('en')
  await enter(page)
  await page.locator('#f-search').pressSequentially('many-07')
  await page.waitForFunction(() => document.querySelectorAll('#found .rows li').length === 1)
  same(page.url().includes('search=many-07'), true, 'the address follows the filter')
  await page.fill('#f-search', 'many')
  await page.locator('#found nav.pages a[rel=next]').click()
  await page.waitForURL('**page=2**')
  await page.waitForFunction(() => document.querySelectorAll('#found .rows li').length < 50)
  same(await page.inputValue('#f-search'), 'many', 'the filter on the next page')
  await page.context().close()
}

async function look(language) {
  const page = await eye.page(language, service.base)
  const now = (name) => eye.look(page, name, language)
  await eye.visit(page, root, 'login')
  await enter(page)
  for (const [name, path] of Object.entries({ sites: '', filtered: '?state=deleted', none: '?search=nothing', new: '/new', many: '/many', defaults: '/defaults', plans: '/plans',
    plan: '/plans/small', unused: '/plans/unused', audit: '/audit', 'audit-filtered': '/audit?kind=plan', site: '/sites/harbour', edit: '/sites/harbour/edit',
    deleted: '/sites/gone', 'site-audit': '/sites/harbour/audit', copies: '/sites/harbour/copies', support: '/sites/harbour/support', requests: '/requests', sharing: '/sharing', missing: '/sites/nothing' })) await eye.visit(page, `${root}${path}`, name)
  await page.goto(`${root}/audit?kind=plan`)
  await page.locator('.history a[href*=open]').first().click()
  await page.waitForURL('**open=**')
  await now('audit-open')
  await page.goto(`${root}/plans`)
  await page.fill('#f-name', 'small')
  await press(page, '.panel button[value=save]')
  await now('plans-wrong')
  await page.goto(`${root}/plans/unused`)
  await press(page, 'button[value=delete]')
  await now('plan-sure')
  await page.goto(`${root}/new`)
  await press(page, 'main form button[type=submit]')
  await now('new-wrong')
  await page.goto(`${root}/sites/harbour`)
  await page.selectOption('#f-own_events', 'own')
  await press(page, 'button[value=grant]')
  await now('grant-wrong')
  await page.goto(`${root}/sites/harbour`)
  await press(page, 'button[value=delete]')
  await now('site-sure')
  await page.goto(`${root}/sites/gone`)
  await press(page, 'button[value=voucher]')
  await now('invite-again')
  await page.fill('#f-token', token)
  await press(page, '.notice button[value=voucher]')
  await now('invited')
  await page.context().close()
}

/** Sites and plans that are worth looking at. */
async function seed() {
  await platform('PUT', '/plans/small', { limits: { events: 500, users: 5, media_bytes: 250_000_000, requests_per_minute: 600 }, geo: false })
  await platform('PUT', '/plans/small', { limits: { events: 800, users: 5, media_bytes: 250_000_000, requests_per_minute: 600 }, geo: false })
  await platform('PUT', '/plans/unused', {})
  await platform('POST', '/sites', { slug: 'harbour', name: 'Harbour association of the old town', timezone: 'Europe/Berlin', language: 'de', plan: 'small', limits: { users: 8, media_bytes: null } })
  await platform('POST', '/sites/harbour/users', { login: 'mia', email: 'mia@example.org', name: 'Mia', role: 'administrator', password: 'a long enough secret' })
  await platform('POST', '/sites/harbour/domains', { domain: 'events.harbour.example' })
  await platform('PATCH', '/sites/harbour', { domains: ['harbour.example'] })
  await platform('POST', '/sites', { slug: 'gone', name: 'مهرجان المدينة', timezone: 'Africa/Cairo', language: 'ar' })
  await platform('POST', '/sites/gone/users', { login: 'waiting', email: 'waiting@example.org', name: 'Waiting', role: 'administrator' })
  await platform('DELETE', '/sites/gone?grace=30')
  for (let n = 1; n <= 60; n++) await platform('POST', '/sites', { slug: `many-${String(n).padStart(2, '0')}`, name: `Site ${n} of many` })
}

try {
  if (!process.env.PICTURES) for (const scripts of [true, false]) await work(scripts)
  await seed()
  if (!process.env.PICTURES) await filtering()
  const line = languages.toReversed()
  const one = async () => { for (let language; (language = line.pop());) await look(language) }
  await Promise.all([one(), one()])
} catch (error) {
  problems.push(error.stack)
} finally {
  await service.stop()
}
console.log(`${done} steps of a provider`)
process.exit(await eye.end())
