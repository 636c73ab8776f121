// Looks at the narrow places of the interface in every language there is, on the narrowest
// phone: that nothing is wider than the screen, cut or too small (see measure.mjs).
// With PICTURES=1 it makes pictures as well, on a usual phone.
//
//	node languages.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { boxes } from './measure.mjs'
import { start } from './service.mjs'

const service = await start(process.argv[2])
const out = new URL('../../out/', import.meta.url).pathname
await mkdir(out, { recursive: true })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let looks = 0

const page = await (await browser.newContext({ viewport: { width: 320, height: 900 } })).newPage()
await page.goto(`${service.base}/events/`)
const all = await page.locator('link[rel=alternate][hreflang]').evaluateAll((list) => list.map((one) => one.hreflang).filter((tag) => tag !== 'x-default'))
const languages = process.env.LANGUAGES?.split(',') ?? all
const events = (await service.api('GET', '/events?per_page=1')).events
const series = (await service.api('GET', '/events?per_page=50')).events.find((one) => one.recurrence) ?? events[0]

await page.goto(`${service.base}/admin`)
await page.fill('#f-login', 'admin')
await page.fill('#f-password', service.signIn)
await Promise.all([page.waitForURL('**/admin'), page.click('main button[type=submit]')])
const stranger = await (await browser.newContext({ viewport: { width: 320, height: 900 } })).newPage()

/** Looks at an address in a language. */
async function look(at, name, address, language) {
  await at.goto(service.base + address)
  if (await at.getAttribute('html', 'lang') !== language) problems.push(`${address}: in ${await at.getAttribute('html', 'lang')}, not in ${language}`)
  looks++
  for (const text of await at.evaluate(boxes)) problems.push(`${name}-${language}: ${text}`)
  const [wide, screen] = await at.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  if (wide > screen) problems.push(`${name}-${language}: ${wide} pixels wide on a screen of ${screen}`)
  if (!process.env.PICTURES) return
  await at.setViewportSize({ width: 390, height: 900 })
  await at.screenshot({ path: `${out}language-${language}-${name}.png`, fullPage: true })
  await at.setViewportSize({ width: 320, height: 900 })
}

for (const language of languages) {
  const path = (one) => new URL(one.url).pathname
  for (const [name, address] of Object.entries({ list: '/events/', month: '/events/month/', week: '/events/week/', event: path(events[0]), series: path(series) })) {
    await look(stranger, name, `/${language}${address}`, language)
  }
  for (const context of [page.context(), stranger.context()]) await context.addCookies([{ name: 'kalends-language', value: language, url: service.base }])
  await look(stranger, 'login', '/admin/login', language)
  for (const [name, address] of Object.entries({ calendar: '/admin', board: '/admin/events', new: '/admin/events/new', form: `/admin/events/${series.id}`,
    venues: '/admin/venues', settings: '/admin/settings', access: '/admin/access', trash: '/admin/trash' })) {
    await look(page, name, address, language)
  }
}
await browser.close()
await service.stop()
for (const problem of problems) console.error(problem)
console.log(`${looks} looks in ${languages.length} languages, ${problems.length} problems`)
process.exit(problems.length ? 1 : 0)
