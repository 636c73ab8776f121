// Puts the screenshots in out/ beside each other: a sheet for each page and width,
// with every language, light above dark. Sheets go to out/sheets/.
//
//	node sheets.mjs [beginning of a name]
import { mkdir, readdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { languages, out } from './look.mjs'

const shown = { 390: 390, 1280: 640 } // pixels of a sheet
const tallest = 2400

const names = new Set()
for (const file of await readdir(out)) {
  const [, name, width] = file.match(/^(.+)-[a-z]{2}-(?:light|dark)-(\d+)\.png$/) ?? []
  if (name?.startsWith(process.argv[2] ?? '')) names.add(`${name} ${width}`)
}
await mkdir(`${out}sheets`, { recursive: true })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--allow-file-access-from-files'] })
const page = await browser.newPage()
await page.goto(`file://${out}sheets/`)
for (const [name, width] of [...names].sort().map((one) => one.split(' '))) {
  const wide = shown[width], columns = width < 1000 ? languages.length : 3
  await page.setViewportSize({ width: columns * (wide + 12) + 12, height: 800 })
  for (const scheme of ['light', 'dark']) {
    const images = languages.map((language) => `<img src="../${name}-${language}-${scheme}-${width}.png" alt="">`)
    await page.setContent(`<style>body{margin:12px;display:flex;flex-wrap:wrap;gap:12px;background:#888}img{width:${wide}px;height:min-content;max-height:${tallest}px;object-fit:cover;object-position:top}</style>${images.join('')}`, { waitUntil: 'load' })
    await page.screenshot({ path: `${out}sheets/${name}-${width}-${scheme}.png`, fullPage: true })
  }
}
await browser.close()
