// Looks at the interface in every language there is: that nothing is wider than the screen,
// cut or too small (see measure.mjs). In six languages, which have long words, other
// directions and other scripts, at every page there is, on the narrowest phone and on a wide
// screen; in the others at the narrow places, on the phone.
// With PICTURES=1 it makes pictures as well; LANGUAGES=de,ar looks at these alone, and at every page of them; WIDTHS=1280,820 at these widths.
//
//	node languages.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { addresses, fill, signedIn } from './everything.mjs'
import { missed } from './look.mjs'
import { boxes } from './measure.mjs'
import { start } from './service.mjs'

const whole = process.env.LANGUAGES?.split(',') ?? ['de', 'ar', 'he', 'ja', 'hi', 'pl']
const narrow = ['list', 'month', 'week', 'event', 'series', 'login', 'calendar', 'board', 'new', 'form', 'places', 'settings', 'access', 'trash']
const widths = (process.env.WIDTHS ?? '1280,320').split(',').map(Number)

process.env.KALENDS_PROVIDER_TOKEN = 'kalp_languages_of_the_browser_tests'
const service = await start(process.argv[2])
const out = new URL('../../out/', import.meta.url).pathname
await mkdir(out, { recursive: true })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = [], seen = new Set()
let looks = 0

const administrator = { login: 'admin', password: service.signIn }
const screen = { viewport: { width: widths[0], height: 900 }, bypassCSP: true }

/** Looks at one address in a language. */
async function look(page, name, address, language) {
  await page.setViewportSize({ width: widths[0], height: 900 })
  await page.goto(service.base + address)
  seen.add(new URL(page.url()).pathname)
  const said = await page.getAttribute('html', 'lang')
  if (said !== language) problems.push(`${address}: in ${said}, not in ${language}`)
  for (const width of whole.includes(language) ? widths : widths.slice(-1)) {
    await page.setViewportSize({ width, height: 900 })
    looks++
    const found = new Set(await page.evaluate(boxes))
    const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
    if (wide > room) found.add(`${wide} pixels wide on a screen of ${room}`)
    for (const text of found) problems.push(`${name}-${language}-${width}: ${text}`)
    if (process.env.PICTURES) await page.screenshot({ path: `${out}language-${language}-${name}-${width}.png`, fullPage: true })
  }
}

/** Looks at the pages in a language: at all of them, or at the narrow ones. */
async function speak(language, lists) {
  const context = async () => {
    const one = await browser.newContext(screen)
    await one.addCookies([{ name: 'kalends-language', value: language, url: service.base }])
    return one
  }
  const at = { visitor: await (await context()).newPage(), editor: await signedIn(service, await context(), '/admin', administrator) }
  at.stranger = await (await context()).newPage()
  if (whole.includes(language)) at.provider = await signedIn(service, await context(), '/admin/provider', { password: process.env.KALENDS_PROVIDER_TOKEN })
  for (const [who, list] of Object.entries(lists)) {
    for (const [name, address] of Object.entries(list)) {
      if (whole.includes(language) || narrow.includes(name)) await look(at[who], `${who}-${name}`, who === 'visitor' ? `/${language}${address}` : address, language)
    }
  }
  for (const page of Object.values(at)) await page.context().close()
}

try {
  const { ids, languages } = await fill(service, browser)
  const wanted = process.env.LANGUAGES?.split(',') ?? languages
  const left = [...wanted].sort((a, b) => whole.includes(b) - whole.includes(a)), lists = addresses(ids)
  await Promise.all([1, 2].map(async () => { while (left.length) await speak(left.shift(), lists) }))
  if (wanted.some((tag) => whole.includes(tag))) problems.push(...await missed(['public', 'embed', 'admin', 'lobby', 'console'], seen))
  console.log(`${looks} looks in ${wanted.length} languages, ${problems.length} problems`)
} catch (error) {
  problems.push(error.stack)
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
process.exit(problems.length ? 1 : 0)
