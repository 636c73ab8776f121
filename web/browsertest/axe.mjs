// Checks every public page with axe, in languages of both directions, light and
// dark, narrow and wide; that nothing is wider than the screen, that the browser
// complains of nothing; and writes screenshots to out/.
//
//	node axe.mjs ../../bin/kalends        all of it
//	KALENDS_URL=http://… node axe.mjs     against a service that has the events
import { mkdir } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { pages, seed, start } from './service.mjs'

const languages = (process.env.LANGUAGES ?? 'en,de,ar,ja').split(',')
const out = new URL('../../out/', import.meta.url).pathname
const service = process.env.KALENDS_URL ? { base: process.env.KALENDS_URL, stop: async () => {} } : await start(process.argv[2])
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0

async function check(page, name, address) {
  const about = (text) => problems.push(`${name}: ${text}`)
  const complaint = (message) => {
    if (message.type() === 'error' && !message.text().includes('404')) about(message.text())
  }
  page.on('console', complaint)
  await page.goto(address)
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  for (const v of violations) about(`${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => n.target).join('; ')})`)
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  if (wide > screen) about(`${wide} pixels wide on a screen of ${screen}`)
  await page.screenshot({ path: `${out}${name}.png`, fullPage: true })
  page.off('console', complaint)
  checked++
}

try {
  await mkdir(out, { recursive: true })
  if (!process.env.KALENDS_URL) await seed(service)
  for (const width of [390, 1280]) {
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
      const page = await context.newPage()
      for (const language of languages) {
        for (const [name, path] of Object.entries(pages)) {
          await check(page, `${name}-${language}-${colorScheme}-${width}`, `${service.base}/${language}${path}`)
        }
      }
      await context.close()
    }
  }
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${checked} pages checked, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
