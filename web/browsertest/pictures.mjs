// The pictures of the README and of the guide, as small as they can be read: a town's front page and the field in which an event repeats
// are made here, the others where the tasks of the guide are done (see tasks.mjs).
//
//	node pictures.mjs ../../bin/kalends
import { mkdir, writeFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { start } from './service.mjs'
import { seedTown } from './town.mjs'

const folder = new URL('../../docs/pictures/', import.meta.url).pathname

/** Writes a picture of what the page shows, or of a part of it with some room around, to the folder of the docs. */
export async function drawn(page, name, part) {
  await page.evaluate(() => document.getAnimations().forEach((one) => one.finish()))
  await part?.evaluate((one) => one.scrollIntoView({ block: 'start' }))
  const { x, y, width, height } = await part?.boundingBox() ?? {}
  const seen = await page.screenshot(part && { clip: { x: x - 16, y, width: width + 32, height: height + 16 } })
  const encoder = await page.context().browser().newPage()
  const sent = await encoder.evaluate(async (bytes) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${bytes}`)).blob())
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height })
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.8).split(',')[1]
  }, seen.toString('base64'))
  await encoder.close()
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}${name}.webp`, Buffer.from(sent, 'base64'))
}

/** Makes those that are made here. */
async function make(program) {
  const service = await start(program)
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en' })
    await page.goto(`${service.base}/admin`)
    await page.fill('#f-login', 'admin')
    await page.fill('#f-password', service.signIn)
    await Promise.all([page.waitForURL('**/admin'), page.click('main button[type=submit]')])
    await page.setViewportSize({ width: 1280, height: 1400 }) // so that nothing stands over the field
    await page.goto(`${service.base}/admin/events/new`)
    await page.locator('.wide > rich-text[data-ready]').first().waitFor()
    const year = new Date().getUTCFullYear() + 1
    await page.fill('#f-start_date', `${year}-05-01T08:00`)
    await page.fill('#f-end_date', `${year}-05-01T13:00`)
    await page.selectOption('#f-repeat', 'week')
    await page.locator('.repeat-words', { hasText: 'Saturday' }).waitFor()
    await page.locator('[name=repeat_on][value="3"]').check()
    await page.locator('.repeat-words', { hasText: 'Wednesday and Saturday' }).waitFor()
    await page.locator('.repeat-dates summary').click()
    await page.locator(`[value="row_date_${year}-05-15"]`).click()
    await page.locator(`[value="row_date_${year}-05-15"].is-out`).waitFor()
    await drawn(page, 'repeat', page.locator('#f-recurrence'))
    await seedTown(service, browser)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${service.base}/en/`)
    await page.waitForLoadState('networkidle')
    await drawn(page, 'front')
  } finally {
    await browser.close()
    await service.stop()
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) await make(process.argv[2])
