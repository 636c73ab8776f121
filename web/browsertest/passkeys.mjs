// Adds a passkey in the profile and signs in with it, by Chromium's virtual
// authenticator; looks at what happens without one, without scripts, and when a
// device refuses.
//
//	node passkeys.mjs ../../bin/kalends
import { chromium } from 'playwright-core'
import { start } from './service.mjs'

const service = await start(process.argv[2])
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0
const expect = (condition, text) => {
  checked++
  if (!condition) problems.push(text)
}

const signIn = async (page) => {
  await page.goto(`${service.base}/admin/login`)
  await page.fill('#f-login', 'admin')
  await page.fill('#f-password', service.signIn)
  await page.click('main button[type=submit]')
  await page.waitForSelector('.user')
}

/** A page with a device of its own. */
async function withDevice(context) {
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`script: ${error.message}`))
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  const { authenticatorId } = await devices.send('WebAuthn.addVirtualAuthenticator', { options: {
    protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } })
  return { page, devices, authenticatorId }
}

const add = async (page, name, password) => {
  await page.fill('#f-passkey_name', name)
  await page.fill('#f-confirm', password)
  await page.click('[data-passkeys] form[data-options] button[type=submit]')
}

async function withScripts() {
  const context = await browser.newContext()
  const { page, devices, authenticatorId } = await withDevice(context)
  await signIn(page)
  await page.goto(`${service.base}/admin/profile`)
  expect(await page.locator('[data-without]').isHidden(), 'the note for browsers without passkeys shows')
  await add(page, 'Phone', 'wrong')
  await page.waitForFunction(() => document.querySelector('[data-passkeys] [data-told]').textContent !== '')
  expect(await page.locator('[data-passkeys] .rows li').count() === 0, 'a passkey without the password')
  await add(page, 'Phone <1>', service.signIn)
  await page.waitForSelector('[data-passkeys] .rows li')
  expect((await page.textContent('[data-passkeys] .rows b')) === 'Phone <1>', 'the name is another')
  expect((await page.textContent('.said')).includes('added'), 'nothing is said')
  await add(page, 'Twice', service.signIn)
  await page.waitForFunction(() => document.querySelector('[data-passkeys] [data-told]').textContent !== '')
  expect(await page.locator('[data-passkeys] .rows li').count() === 1, 'one device, two passkeys')
  await page.click('.user button')
  await page.waitForURL('**/admin/login')
  await page.goto(`${service.base}/admin/login?to=%2Fadmin%2Fvenues`)
  await page.click('button[data-options]')
  await page.waitForURL('**/admin/venues')
  expect(await page.locator('.user .who').count() === 1, 'nobody is signed in')
  const { credentials } = await devices.send('WebAuthn.getCredentials', { authenticatorId })
  expect(credentials.length === 1 && credentials[0].rpId === 'localhost' && credentials[0].signCount > 0, `the device has ${JSON.stringify(credentials)}`)
  await page.goto(`${service.base}/admin/profile`)
  await page.fill('[data-passkeys] .rows input[name=passkey_name]', 'Tablet')
  await page.click('[data-passkeys] button[value="passkey.rename"]')
  await page.waitForSelector('[data-passkeys] .rows bdi:text("Tablet")')
  await page.click('[data-passkeys] button[value="passkey.remove"]')
  await page.fill('#f-confirm', service.signIn) // who takes a passkey away shows that it is them
  await page.click('main button[value="passkey.remove"]:not([data-options])')
  await page.waitForSelector('[data-passkeys] .nothing')
  await page.click('.user button')
  await page.waitForURL('**/admin/login')
  await page.click('button[data-options]')
  await page.waitForSelector('[role=alert]:not([data-told])')
  expect(page.url().endsWith('/admin/login/passkey'), 'a removed passkey signs in')
  await devices.send('WebAuthn.clearCredentials', { authenticatorId })
  await page.click('button[data-options]')
  await page.waitForFunction(() => document.querySelector('[data-told]').textContent !== '')
  await context.close()
}

// A session that ends while somebody types is renewed by the device, too.
async function whileTyping() {
  const context = await browser.newContext()
  const { page } = await withDevice(context)
  await signIn(page)
  await page.goto(`${service.base}/admin/profile`)
  await add(page, 'Phone', service.signIn)
  await page.waitForSelector('[data-passkeys] .rows li')
  await page.goto(`${service.base}/admin/events/new`)
  await page.locator('.wide > rich-text[data-ready]').first().waitFor()
  await context.clearCookies({ name: 'kalends' })
  await page.fill('#f-title', 'Typed for an hour')
  await page.waitForResponse((answer) => answer.url().endsWith('/preview') && answer.status() === 401)
  await page.click('.saves .first')
  const button = page.locator('dialog button[data-options]')
  await button.waitFor()
  await button.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/events\/\d+$/)
  expect(await page.inputValue('#f-title') === 'Typed for an hour', 'the title is lost')
  await context.close()
}

async function withoutScripts() {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await signIn(page)
  await page.goto(`${service.base}/admin/profile`)
  expect(await page.locator('[data-without]').isVisible(), 'no word on what adding takes')
  expect(await page.locator('[data-passkeys] form[data-options]').isHidden(), 'a form that does nothing')
  await context.close()
}

try {
  await withScripts()
  await whileTyping()
  await withoutScripts()
} catch (error) {
  problems.push(error.message)
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`passkeys: ${checked} checks, ${problems.length} problems`)
process.exit(problems.length ? 1 : 0)
