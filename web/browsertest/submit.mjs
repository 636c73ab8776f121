// What a visitor sends from a phone without scripts, and what an editor makes of it: by finger and by
// keyboard, with a picture, in the light and in the dark, from right to left; looks at each page
// with axe, and leaves screenshots in out/.
//
//	node submit.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { png, start } from './service.mjs'

const out = new URL('../../out/', import.meta.url).pathname
await mkdir(out, { recursive: true })
const service = await start(process.argv[2])
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0
const expect = (condition, text) => { checked++; if (!condition) problems.push(text) }

async function look(page, name) {
  await page.screenshot({ path: `${out}submit-${name}.png`, fullPage: true })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(wide <= 0, `${name} is ${wide} px too wide`)
}

async function sound(page, name) {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  checked++
  for (const v of violations) problems.push(`${name}: ${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120)).join(' | ')}`)
}

const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
await context.addCookies([{ name: 'kalends-language', value: 'en', url: service.base }])
const editor = await context.newPage()
await editor.goto(`${service.base}/admin`)
await editor.fill('#f-login', 'admin')
await editor.fill('#f-password', service.signIn)
await Promise.all([editor.waitForURL('**/admin'), editor.click('main button[type=submit]')])

const visitor = (options) => browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, javaScriptEnabled: false, ...options })
const phone = await (await visitor()).newPage()
const off = await phone.goto(`${service.base}/en/submit/`)
expect(off.status() === 404, 'there is a form though the setting is off')

await editor.goto(`${service.base}/admin/settings/visitors`)
await editor.check('#f-submissions')
await editor.fill('#f-submission_terms', 'No advertising.\nOnly what happens in town.')
await Promise.all([editor.waitForEvent('load'), editor.click('form.settings p.buttons button[value=save]')])
await editor.goto(`${service.base}/admin/settings/visitors`)
expect(await editor.isChecked('#f-submissions'), 'the setting is not kept')
expect(await editor.locator('nav a[href="/admin/submissions"]').count() === 1, 'nothing leads to what is sent')

// The visitor forgets the title, sees where it is missing, and finds all else as it was.
await phone.goto(`${service.base}/en/events/`)
await phone.tap('.fold-nav > button')
await Promise.all([phone.waitForEvent('load'), phone.tap('nav a[href="/en/submit/"]')])
const year = new Date().getFullYear() + 1
const typed = { '#f-start_date': `${year}-06-04`, '#f-start_time': '19:30', '#f-end_time': '21:00', '#f-venue': 'Old barn', '#f-address': 'Mill Lane 3',
  '#f-city': 'Riverton', '#f-description': 'Songs of the sea.\n\nBring a friend.', '#f-cost': '12', '#f-website': 'https://example.org/choir',
  '#f-note': 'Please be quick', '#f-contact_name': 'Ada', '#f-contact_email': 'ada@example.net' }
for (const [field, text] of Object.entries(typed)) await phone.fill(field, text)
await phone.fill('#f-title', '   ')
await phone.check('#f-terms')
await phone.setInputFiles('#f-file', { name: 'choir.png', mimeType: 'image/png', buffer: png(640, 400) })
const send = () => Promise.all([phone.waitForEvent('load'), phone.tap('.send button[type=submit]')])
await send()
await look(phone, 'wrong')
expect(await phone.locator('#f-title[aria-invalid][autofocus]').count() === 1, 'the title is not told, or has no focus')
expect(await phone.locator('[role=alert] a[href="#f-title"]').count() === 1, 'nothing leads to the title')
expect((await phone.locator('main').innerText()).includes('choose the image again'), 'nothing is said of the picture')
for (const [field, text] of Object.entries(typed)) expect(await phone.inputValue(field) === text, `${field} has not kept what was typed`)
await phone.fill('#f-title', 'Choir & friends')
await phone.setInputFiles('#f-file', { name: 'choir.png', mimeType: 'image/png', buffer: png(640, 400) })
await send()
await look(phone, 'thanks')
const gaps = await phone.evaluate(() => [...document.querySelectorAll('main > * + *')].map((one) => one.getBoundingClientRect().top - one.previousElementSibling.getBoundingClientRect().bottom))
expect(gaps.length > 2 && gaps.every((gap) => gap >= 8), `what is said to the sender has no room between: ${gaps}`)
const link = await phone.locator('main a[href*="/submit/sent/?code="]').getAttribute('href')
await phone.goto(link)
await look(phone, 'sent')
expect(await phone.inputValue('#f-title') === 'Choir & friends', 'the sender does not see what they sent')
await phone.fill('#f-cost', '15')
await send()
expect(await phone.inputValue('#f-cost') === '15', 'the correction is not kept')
expect(await phone.locator('.notice[role=status]').count() === 1, 'nothing says that it is kept')

// The editor finds it, with what is like it, and publishes it in two presses.
await service.api('POST', '/events', { title: 'Friends of the choir', start_date: `${year}-06-04 18:00`, end_date: `${year}-06-04 20:00`, status: 'publish' })
// A mistake is reported from a phone without scripts, and an editor sees to it.
const [listed] = (await service.api('GET', '/events?per_page=1')).events
await phone.goto(`${service.base}/en/event/${listed.slug}/`)
await Promise.all([phone.waitForEvent('load'), phone.tap('.footer a[href$="/mistake/"]')])
await look(phone, 'mistake')
await phone.fill('#f-text', 'It begins at eight,\nnot at seven.')
await send()
expect((await phone.locator('main').innerText()).includes('Thank you'), 'nobody thanks for a report')
await editor.goto(`${service.base}/admin/submissions/mistakes`)
expect((await editor.locator('.reports').innerText()).includes('not at seven'), 'editors are not shown what was reported')
await look(editor, 'mistakes')
await sound(editor, 'reported mistakes')
await Promise.all([editor.waitForEvent('load'), editor.click('.reports button[value=correct]')])
expect(await editor.locator('.reports').count() === 0, 'a report that is done is still there')

await editor.goto(`${service.base}/admin/submissions`)
await look(editor, 'list')
await sound(editor, 'list')
await Promise.all([editor.waitForEvent('load'), editor.click('.inbox a')])
await look(editor, 'letter')
await sound(editor, 'letter')
const text = await editor.locator('main').innerText()
for (const part of ['Old barn', 'Mill Lane 3', 'Ada', 'ada@example.net', 'Please be quick', 'Songs of the sea.', '€15', 'Friends of the choir']) {
  expect(text.includes(part), `the editor does not see “${part}”`)
}
await Promise.all([editor.waitForEvent('load'), editor.click('button[value=publish]')])
expect((await editor.locator('.said').innerText()).includes('Everyone can see it now'), 'nothing says that it is published')
await phone.goto(link)
await look(phone, 'published')
await Promise.all([phone.waitForEvent('load'), phone.tap('main a.button')])
expect((await phone.locator('h1').innerText()).includes('Choir & friends'), 'the link does not lead to the event')
expect((await phone.locator('main').innerText()).includes('Old barn'), 'the event has no place')

// Another visitor sends one by keyboard alone, without a script: every field is reached in order, and Enter sends.
{
  const page = await (await visitor({ viewport: { width: 1280, height: 860 }, hasTouch: false })).newPage()
  await page.goto(`${service.base}/en/submit/`)
  const at = () => page.locator(':focus').evaluate((one) => one.id, null, { timeout: 1000 }).catch(() => '')
  const typing = { 'f-title': 'Choir and friends', 'f-start_date': `0604${year}`, 'f-start_time': '0730PM', 'f-venue': 'Old barn', 'f-address': 'Mill Lane 3',
    'f-city': 'Riverton', 'f-contact_name': 'Ada', 'f-contact_email': 'ada@example.net' }
  const reached = []
  for (let i = 0; i < 90 && reached.at(-1) !== 'f-terms'; i++) {
    await page.keyboard.press('Tab')
    const id = await at()
    if (id === reached.at(-1)) continue
    reached.push(id)
    if (typing[id]) await page.keyboard.type(typing[id])
    if (id === 'f-terms') await page.keyboard.press('Space')
  }
  expect(Object.keys(typing).every((id) => reached.includes(id)), `by keyboard only ${reached.filter((id) => id.startsWith('f-'))} are reached`)
  expect(!reached.includes('f-homepage'), 'the field that nobody sees is reached by keyboard')
  await page.keyboard.press('Tab')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  await look(page, 'keyboard')
  const said = await page.locator('main').innerText()
  expect(await page.locator('main a[href*="/submit/sent/?code="]').count() === 1, `by keyboard nothing is sent: ${said}`)
  expect(said.includes('Choir & friends') && said.includes('may already be'), `nothing is said of the same event: ${said}`)
  await page.context().close()
}

// The second click of a double click does not send the form again. After Back it can be sent again.
{
  const page = await (await visitor({ javaScriptEnabled: true })).newPage()
  await page.goto(`${service.base}/en/submit/`, { waitUntil: 'networkidle' })
  const kept = await page.evaluate(() => {
    const form = document.querySelector('form.send'), kept = []
    form.noValidate = true
    addEventListener('submit', (event) => { kept.push(event.defaultPrevented); event.preventDefault() }) // after the page's own
    form.requestSubmit()
    form.requestSubmit()
    dispatchEvent(new Event('pageshow'))
    form.requestSubmit()
    return kept
  })
  expect(`${kept}` === 'false,true,false', `sent, sent again and sent after Back are kept: ${kept}`)
  await page.context().close()
}

// Every page of the visitor, with scripts for axe, on both widths, in both themes, from both sides.
for (const [language, theme, width] of [['en', 'light', 390], ['en', 'dark', 1280], ['de', 'light', 1280], ['ar', 'light', 390], ['ar', 'dark', 1280], ['ja', 'dark', 390]]) {
  const page = await (await visitor({ viewport: { width, height: 844 }, javaScriptEnabled: true, colorScheme: theme })).newPage()
  const name = `${language}-${theme}-${width}`
  await page.goto(`${service.base}/${language}/submit/`)
  await look(page, name)
  await sound(page, name)
  await page.fill('#f-title', 'x')
  await page.evaluate(() => { document.querySelector('.send').noValidate = true })
  await Promise.all([page.waitForEvent('load'), page.click('.send button[type=submit]')])
  const focused = page.waitForFunction(() => document.activeElement?.id === 'f-start_date', null, { timeout: 10_000 })
  expect(await focused.then(() => true, () => false), `${name}: the focus is not where something is wrong`)
  await sound(page, `${name} wrong`)
  await page.context().close()
}

await browser.close()
await service.stop()
console.log(`${checked} checks, ${problems.length} problems`)
for (const one of problems) console.error(one)
process.exit(problems.length ? 1 : 0)
