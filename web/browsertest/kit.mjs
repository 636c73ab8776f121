// The kit: each part that pages are made of, once, on one page, in every theme, by day and by night, as it is and while it is pointed at,
// pressed and focused. axe asks whether it can be read, measure.mjs whether it has room. The page is made of what the pages of
// the program show, so it is part of no program, and what a page gets new is in it. Pictures of it are in out/.
//
//	node kit.mjs ../../bin/kalends        LANGUAGES=de,ar,ja: in these (see pseudo.mjs)
import { mkdir, readFile } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { boxes } from './measure.mjs'
import { pages, png, seed, seedSeries, start } from './service.mjs'

const out = new URL('../../out/', import.meta.url).pathname
await mkdir(out, { recursive: true })
const service = await start(process.argv[2])
const { base, api } = service
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = new Set()
const themes = ['plain', 'night', 'board', 'poster', 'journal'], schemes = ['light', 'dark'], widths = [390, 820, 1280]
const states = { hover: ['hover'], active: ['hover', 'active'], focus: ['focus', 'focus-visible'] }
const controls = 'a[href], button, input, select, textarea, summary, [tabindex]'
let looks = 0

/** Runs in the page: its parts that were not there before, without what repeats in them. */
function parts(known) {
  const seen = new Set(known)
  const sign = (one) => [one.localName, ...[...one.classList].map((name) => name.replace(/\d+/g, '')).sort(), ...['type', 'role', 'aria-current', 'aria-invalid', 'aria-pressed', 'disabled', 'data-name', 'data-status']
    .filter((name) => one.hasAttribute(name)).map((name) => `${name}=${name === 'data-name' ? '' : one.getAttribute(name)}`)].join('.')
  const path = (one) => [one, one.parentElement, one.parentElement.parentElement].map((at) => at && sign(at)).join(' < ') // how rules name things
  /** Whether an element has something new; what has nothing goes. */
  const fresh = (one) => {
    if (one.matches('script, template, dialog, noscript')) return false
    const inner = [...one.children].filter((child) => !one.closest('svg, select, datalist') && !fresh(child))
    const mark = path(one), own = !seen.has(mark)
    seen.add(mark)
    const left = [...one.children].length - inner.length
    if (!one.closest('svg, select') && (own || left)) for (const child of inner) if (!child.matches('td, th, legend, summary, label, svg, time, bdi, span, b, strong')) child.remove()
    return own || left > 0
  }
  for (const one of document.querySelectorAll('details')) one.open = true
  const found = [...document.body.children].filter(fresh).map((one) => one.outerHTML)
  return { found, seen: [...seen] }
}

/** Runs in the page: it becomes the kit. */
function become(html) {
  const made = document.createElement('template')
  made.innerHTML = html
  for (const one of made.content.querySelectorAll('[id], [for], [aria-labelledby], [aria-describedby]')) for (const name of ['id', 'for', 'aria-labelledby', 'aria-describedby']) one.removeAttribute(name)
  document.body.replaceChildren(made.content)
}

async function context(language, colorScheme = 'light') {
  const one = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true, colorScheme, reducedMotion: 'reduce' })
  await one.addCookies([{ name: 'kalends-language', value: language, url: base }])
  return one
}

async function signIn(page) {
  await page.goto(`${base}/admin/login`)
  await page.fill('#f-login', service.login)
  await page.fill('#f-password', service.signIn)
  await Promise.all([page.waitForEvent('load'), page.click('main form button[type=submit]')])
}

/** Makes the kit of the pages at some addresses, without scripts, as they come. */
async function kit(language, addresses, name, looked, signed) {
  const home = await context(language), page = await home.newPage()
  if (signed) await signIn(page)
  await page.route('**/*.js', (route) => route.abort())
  const all = [], sheets = new Set()
  let known = []
  for (const address of addresses) {
    const answer = await page.goto(base + address)
    if (!answer.ok() && answer.status() !== 404) problems.add(`${address}: ${answer.status()}`)
    for (const one of await page.locator('link[rel=stylesheet]').evaluateAll((links) => links.map((link) => link.href))) sheets.add(one)
    const { found, seen } = await page.evaluate(parts, known)
    all.push(...found)
    known = seen
  }
  await page.goto(base + addresses[0])
  await page.evaluate(become, all.join('\n'))
  for (const url of sheets) if (!await page.locator(`link[href="${new URL(url).pathname}"]`).count()) await page.addStyleTag({ url }) // each page has its own
  await page.addStyleTag({ content: '*, *::before, *::after { animation: none !important; transition: none !important }' })
  await page.evaluate(axe.source)
  const about = (text) => problems.add(`${name}-${language}: ${text}`)
  for (const theme of looked) {
    await page.evaluate((look) => { document.documentElement.dataset.look = look }, theme)
    const sheet = await readFile(new URL(`../static/theme_${theme}.css`, import.meta.url), 'utf8').catch(() => '') // a page has that of its site alone
    await page.addStyleTag({ content: `@layer theme { ${sheet} }` })
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      for (const text of await page.evaluate(boxes)) if (!text.startsWith('too small')) about(`${theme} at ${width}: ${text}`) // labels stand apart here
      looks++
    }
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      await readable(page, (text) => about(`${theme} ${colorScheme} ${text}`))
      await page.screenshot({ path: `${out}kit-${name}-${language}-${theme}-${colorScheme}.png`, fullPage: true })
    }
  }
  console.log(`${name} in ${language}: ${await page.locator('body *').count()} elements, ${all.length} parts of ${addresses.length} pages, with ${await page.locator(controls).count()} controls`)
  await home.close()
}

/** Asks whether everything can be read, in each state. */
async function readable(page, wrong) {
  const contrast = async (state) => {
    const { violations } = await page.evaluate(() => window.axe.run(document, { runOnly: ['color-contrast', 'link-in-text-block'], resultTypes: ['violations'] }))
    for (const { id, nodes } of violations) for (const { html, any } of nodes) wrong(`${state}: ${id}: ${any[0]?.message.replace(/Element has insufficient color /, '')} ${html.slice(0, 120)}`)
    looks++
  }
  await contrast('as it is')
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('DOM.enable')
  await cdp.send('CSS.enable')
  const { root } = await cdp.send('DOM.getDocument')
  const { nodeIds } = await cdp.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: controls })
  const force = (forcedPseudoClasses) => Promise.all(nodeIds.map((nodeId) => cdp.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses })))
  for (const [state, forced] of Object.entries(states)) {
    await force(forced)
    await contrast(state)
  }
  await force([])
  await cdp.detach()
}

try {
  await seed(service)
  await seedSeries(service)
  const form = new FormData()
  form.set('file', new Blob([png(320, 200)], { type: 'image/png' }), 'stripes.png')
  await fetch(`${base}/calendar/events/v1/media`, { method: 'POST', body: form, headers: { Authorization: 'Basic ' + Buffer.from(`${service.login}:${service.password}`).toString('base64') } })
  const { id } = await api('GET', '/events/by-slug/choir')
  const open = ['home', 'list', 'month', 'week', 'images', 'event', 'series', 'locked', 'venue', 'found', 'kept', 'by-mail', 'missing'].map((name) => pages[name])
  const admin = ['', '/events', '/desk', `/events/${id}`, `/events/${id}/row`, `/events/${id}/revisions`, '/categories', '/settings', '/media', '/users', '/access', '/audit', '/numbers', '/profile', '?view=week', '/events?search=nowhere']
  for (const language of (process.env.LANGUAGES ?? 'en').split(',')) {
    await kit(language, open.map((path) => `/${language}${path}`), 'public', themes)
    await kit(language, admin.map((path) => `/admin${path}`), 'admin', ['admin'], true)
  }
} catch (error) {
  problems.add(error.stack)
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${looks} looks at the kit, ${problems.size} problems; pictures in out/`)
process.exit(problems.size ? 1 : 0)
