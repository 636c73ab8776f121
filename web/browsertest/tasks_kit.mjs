// What the tasks of tasks.mjs are done with: a service of their own, a browser, and a count of clicks.
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { drawn } from './pictures.mjs'
import { start } from './service.mjs'

export const out = new URL('../../out/', import.meta.url).pathname
export const token = 'kalp_provider_of_the_browser_tests'
const guide = Boolean(process.env.DOCS)
process.env.KALENDS_PROVIDER_TOKEN = token
await mkdir(out, { recursive: true })
export const service = await start(process.argv[2])
export const { api, base } = service
export const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
export const problems = []
export const same = (got, want, text) => { if (got !== want) problems.push(`${text}: ${got}, not ${want}`) }

export const day = (offset, months = 0) => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, now.getUTCDate() + offset)).toISOString().slice(0, 10)
}
export const month = (() => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7)
})()

/** A page of somebody's own browser, in English, whose clicks are counted. */
export async function newPage(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options })
  await context.addCookies([{ name: 'kalends-language', value: 'en', url: base }])
  const page = await context.newPage()
  page.on('pageerror', (error) => { if (!/ViewTransition opt-in|Transition was skipped/.test(error.message)) problems.push(`script: ${error.message}`) }) // which the browser says on the way from public pages to the administration
  await page.exposeFunction('clicked', () => clicks++)
  await page.addInitScript(() => addEventListener('pointerdown', () => window.clicked(), true))
  return page
}

/** A page of somebody who has signed in to the administration. */
export async function signedIn(login = 'admin', password = service.signIn) {
  const page = await newPage()
  await page.goto(`${base}/admin`)
  await page.fill('#f-login', login)
  await page.fill('#f-password', password)
  await Promise.all([page.waitForURL('**/admin'), page.click('main button[type=submit]')])
  return page
}

/** The provider's interface. */
export async function platform(method, path, body) {
  const answer = await fetch(`${base}/platform/v1${path}`, { method, body: body && JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** Somebody with a role on the site of the test, and a page on which they have signed in. */
export async function person(login, role) {
  const password = 'correct horse battery'
  await platform('POST', '/sites/demo/users', { login, email: `${login}@example.org`, name: login, role, password })
  return signedIn(login, password)
}

/** Changes settings of the site on one of their pages, as tasks need them. */
export async function settings(page, topic, change) {
  await open(page, `/settings${topic}`)
  await change()
  await press(page, 'form.settings p.buttons button[value=save]')
}

export const written = (page) => page.locator('.wide > rich-text[data-ready]').first().waitFor()
export const open = async (page, path) => {
  await page.goto(`${base}/admin${path}`)
  if (/events\/(new|\d+)/.test(path)) await written(page)
}
export const press = (page, selector) => Promise.all([page.waitForEvent('load'), page.locator(selector).first().click()])
export const save = (page) => press(page, '.saves .first')
export const number = (page) => Number(page.url().match(/events\/(\d+)/)?.[1])

/** Searches the list of events by typing, with one click. */
export async function search(page, text) {
  await page.locator('#f-search').click()
  await page.keyboard.type(text)
  await page.waitForFunction((text) => {
    const found = [...document.querySelectorAll('#found tbody a.name')]
    return found.length && found.every((one) => one.textContent.toLowerCase().includes(text))
  }, text.toLowerCase())
}

let clicks = 0 // of what is counted
export const counts = [] // of the task that is done

/** Does what is counted and says how many clicks it takes. What takes none, as its most says, is done by keyboard alone. */
export async function counted(most, name, task) {
  clicks = 0
  await task()
  counts.push(clicks)
  console.log(`${name}: ${clicks} clicks`)
  if (clicks > most || clicks === 0 && most > 0) problems.push(`${name} takes ${clicks} clicks, not ${most}`)
}

/** A picture of the page from a part of it on, its head unless another is named. */
export async function picture(page, name, inGuide, from = 'body') {
  await page.evaluate((from) => { document.querySelector(from).scrollIntoView(); document.getAnimations().forEach((a) => a.finish()) }, from)
  await page.screenshot({ path: `${out}task-${name}.png` })
  if (guide && inGuide) await drawn(page, name)
}
