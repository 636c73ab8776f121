// Looks at pages: with axe, light and dark, narrow and wide, in one load of each;
// that nothing is wider than the screen, cut or too small (see measure.mjs), and no
// text is left in English; what a first visit weighs; and whether every page there
// is was among them. Screenshots go to out/, sheets.mjs puts them beside each other.
import { mkdir, readFile } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { boxes, texts, untranslated } from './measure.mjs'

export const out = new URL('../../out/', import.meta.url).pathname
const heaviest = 130_000 // bytes of a first visit, as sent without TLS (gzip), without the site's own pictures
const widths = [390, 1280]
const schemes = ['light', 'dark']

// What depends on colours is asked of both themes, the rest of one.
const colours = ['color-contrast', 'link-in-text-block']

const launched = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })

/** The languages to look at: all, unless the environment names some. */
export const languages = (process.env.LANGUAGES ?? 'en,de,fr,es,ar,ja').split(',')

// Those in which pages of the administration are asked with axe, too: of both directions and of other letters. Public
// pages are in all.
const asked = (kinds, language) => kinds.includes('public') || ['en', 'de', 'ar', 'ja'].includes(language)

/** The pages of some kinds that are not among the addresses that were looked at. */
export async function missed(kinds, seen) {
  const listed = JSON.parse(await readFile(new URL('pages.json', import.meta.url), 'utf8'))
  return kinds.flatMap((kind) => listed[kind]).filter((path) => {
    const pattern = new RegExp(`^(/[a-z]{2})?${path.replaceAll('#', '\\d+').replaceAll(/:[a-z]+/g, '[^/]+').replace('*', '.+')}/?$`)
    return ![...seen].some((one) => pattern.test(one))
  }).map((path) => `${path}: nobody looked at it`)
}

/** Begins to look at the pages of one kind; only pictures are made when the environment says PICTURES=1. */
export async function looker(kinds, prefix) {
  await mkdir(out, { recursive: true })
  const browser = await launched()
  const problems = [], weights = new Map(), seen = new Set(), said = new Map()
  let checked = 0
  return {
    browser, problems,

    /** A page in a language; in the first, what each visit weighs is noted. */
    async page(language, base, options = {}) {
      const context = await browser.newContext({ viewport: { width: widths[1], height: 900 }, bypassCSP: true, ...options })
      context.setDefaultTimeout(180_000) // six languages at once on two processors
      await context.addCookies([{ name: 'kalends-language', value: language, url: base }])
      const page = await context.newPage()
      page.on('console', (message) => {
        if (message.type() === 'error' && !/status of (401|403|404|409|422)/.test(message.text())) problems.push(`${page.url()}: ${message.text()}`)
      })
      if (language === languages[0]) await weighing(page)
      return page
    },

    /** Opens an address, and looks at it. */
    async visit(page, address, name) {
      if (page.weight) page.weight.bytes = 0
      const answer = await page.goto(address)
      if (answer?.status() === 404 && name !== 'missing') problems.push(`${address}: there is no such page`)
      if (page.weight) {
        await page.waitForLoadState('networkidle')
        weights.set(name, page.weight.bytes)
      }
      await this.look(page, name, await page.getAttribute('html', 'lang'))
    },

    /** Looks at the page as it is now. */
    async look(page, name, language) {
      seen.add(new URL(page.url()).pathname)
      await page.evaluate(axe.source)
      await page.addStyleTag({ content: '.poster { content-visibility: visible !important }' }) // pictures and axe see those outside of the screen, too
      said.set(name, { ...said.get(name), [language]: await page.evaluate(texts) })
      for (const colorScheme of schemes) {
        await page.emulateMedia({ colorScheme })
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 })
          const first = colorScheme === schemes[0]
          await this.state(page, `${name}-${language}-${colorScheme}-${width}`, asked(kinds, language) && (first ? {} : { runOnly: colours }), first)
        }
      }
      await page.emulateMedia({ colorScheme: schemes[0] })
    },

    /** One look; options are those of axe, false: without it. */
    async state(page, name, options, measured) {
      checked++
      await page.evaluate(() => document.getAnimations().forEach((one) => one.finish()))
      await page.screenshot({ path: `${out}${prefix}${name}.png`, fullPage: true })
      if (measured) for (const text of await page.evaluate(boxes)) problems.push(`${name}: ${text}`)
      const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
      if (wide > screen) problems.push(`${name}: ${wide} pixels wide on a screen of ${screen}`)
      if (process.env.PICTURES || !options) return
      const { violations } = await page.evaluate((o) => window.axe.run(document, { resultTypes: ['violations'], ...o }), options)
      for (const v of violations) problems.push(`${name}: ${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => n.target).join('; ')})`)
    },

    /** Says what was found, and whether that was all there is. */
    async end() {
      await browser.close()
      problems.push(...await untranslated(said))
      problems.push(...await missed(kinds, seen))
      for (const [name, bytes] of [...weights].sort((a, b) => b[1] - a[1])) {
        console.log(`${String(bytes).padStart(8)} bytes  ${name}`)
        if (bytes >= heaviest) problems.push(`${name} weighs ${bytes} bytes`)
      }
      for (const problem of problems) console.error(problem)
      console.log(`${checked} looks at ${weights.size} pages, ${problems.length} problems; screenshots in out/`)
      return problems.length ? 1 : 0
    },
  }
}

/** Counts what a page loads, as it is sent, with nothing kept from before. */
async function weighing(page) {
  const client = await page.context().newCDPSession(page)
  page.weight = { bytes: 0 }
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  const pictures = new Set()
  client.on('Network.responseReceived', ({ requestId, response }) => { if (new URL(response.url).pathname.startsWith('/media/')) pictures.add(requestId) })
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => { if (!pictures.has(requestId)) page.weight.bytes += encodedDataLength })
}
