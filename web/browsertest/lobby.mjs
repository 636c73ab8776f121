// Signs in once for several sites and goes on to one of them, with scripts and
// without; with one site at once; and looks at the pages (see look.mjs).
//
//	node lobby.mjs ../../bin/kalends
import { languages, looker } from './look.mjs'
import { start } from './service.mjs'

process.env.KALENDS_PROVIDER_TOKEN = 'kalp_lobby_of_the_browser_tests'
const service = await start(process.argv[2])
const port = new URL(service.base).port
const eye = await looker(['lobby'], 'lobby-')
const { browser, problems } = eye
let checked = 0
const expect = (condition, text) => {
  checked++
  if (!condition) problems.push(text)
}

async function provide(path, body, method = 'POST') {
  const answer = await fetch(`${service.base}/platform/v1${path}`, { method, body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${process.env.KALENDS_PROVIDER_TOKEN}` } })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

const password = 'one password for many sites'

async function seed() {
  for (const [slug, name] of [['harbour', 'Harbour <days>'], ['library', 'مكتبة البحيرة'], ['mill', 'The Mill']]) {
    await provide('/sites', { slug, name })
    await provide(`/sites/${slug}/users`, { login: 'editor', email: 'many@example.org', role: 'editor', password })
  }
  await provide('/sites/mill/users', { login: 'one', email: 'one@example.org', role: 'editor', password })
  await provide('/sites/library', { state: 'closed' }, 'PATCH')
}

async function signIn(page, email, secret = password) {
  await page.goto(`${service.base}/admin/sites`)
  await page.fill('#f-email', email)
  await page.fill('#f-password', secret)
  await page.click('main button[type=submit]')
}

async function choosing(javaScriptEnabled) {
  const context = await browser.newContext({ javaScriptEnabled })
  const page = await context.newPage()
  const about = javaScriptEnabled ? 'with scripts' : 'without scripts'
  page.on('console', (message) => { if (message.type() === 'error') problems.push(`${about}: ${message.text()}`) })
  await signIn(page, 'many@example.org')
  await page.locator('.doors').waitFor()
  expect(await page.locator('.doors li').count() === 3 && await page.locator('.doors form').count() === 2, `${about}: the sites are others`)
  await page.locator('.doors li', { hasText: 'Mill' }).locator('button').click()
  if (!javaScriptEnabled) await page.locator('form[data-onward] button').click()
  await page.waitForURL(`http://mill.localhost:${port}/admin`)
  expect(await page.locator('.top .site').innerText() === 'The Mill', `${about}: another site`)
  const [session] = (await context.cookies()).filter((one) => one.name === 'kalends')
  expect(session?.domain === 'mill.localhost' && session.httpOnly && session.sameSite === 'Lax', `${about}: the cookie is ${JSON.stringify(session)}`)
  await page.click('.user a[href="/admin/sites"]')
  await page.waitForURL(`${service.base}/admin/sites`)
  expect(await page.locator('.doors form').count() === 2 && await page.locator('#f-password').count() === 0, `${about}: the password is asked for again`)
  await page.locator('.doors li', { hasText: 'Harbour' }).locator('button').click()
  if (!javaScriptEnabled) await page.locator('form[data-onward] button').click()
  await page.waitForURL(`http://harbour.localhost:${port}/admin`)
  await page.click('.user button')
  await page.waitForURL(`http://harbour.localhost:${port}/admin/login`)
  await page.goto(`${service.base}/admin/sites`)
  expect(await page.locator('.doors').count() === 0, `${about}: who has signed out is still let in`)
  await signIn(page, 'one@example.org')
  if (!javaScriptEnabled) await page.locator('form[data-onward] button').click()
  await page.waitForURL(`http://mill.localhost:${port}/admin`)
  expect(!page.url().includes('?'), `${about}: something stands in the address`)
  await context.close()
}

// One less than may be wrong at once from one address: who signs in rightly needs a try, too, and has it back.
const mayBeWrong = new Set(['en', 'de', 'ar', 'ja'])

async function look(language) {
  const page = await eye.page(language, service.base)
  await eye.visit(page, `${service.base}/admin/sites`, 'login')
  expect(await page.locator('main a[href="/admin/provider"]').count() === 1, `${language}: the provider finds no console`)
  if (mayBeWrong.has(language)) {
    await signIn(page, 'many@example.org', 'something else')
    await page.locator('[role=alert]').first().waitFor()
    await eye.look(page, 'login-wrong', language)
  }
  await signIn(page, 'many@example.org')
  await page.locator('.doors').waitFor()
  await eye.look(page, 'doors', language)
  await page.context().close()
}

try {
  await seed()
  for (const scripts of [true, false]) await choosing(scripts)
  for (const language of languages) await look(language)
} catch (error) {
  problems.push(error.stack)
} finally {
  await service.stop()
}
console.log(`lobby: ${checked} checks`)
process.exit(await eye.end())
