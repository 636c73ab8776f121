// The calendar on another site: the web component and the frame within a page of another
// origin, which has its own style; and the page of the administration that makes the code.
//
//	node embed.mjs ../../bin/kalends
import { createServer } from 'node:http'
import { languages, looker } from './look.mjs'
import { pages, seed, seedSeries, start } from './service.mjs'

const service = await start(process.argv[2])
const eye = await looker(['embed'], 'embed-')
const { browser, problems } = eye
let checked = 0
const expect = (condition, text) => {
  checked++
  if (!condition) problems.push(text)
}
const month = pages.month.match(/\d{4}-\d{2}/)[0]
const next = new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 1)).toISOString().slice(0, 7)

// A page of somebody else: its letters are small, its links are green, and it shows a calendar.
let inside = ''
const host = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html; charset=utf-8').end(
  `<!doctype html><html lang="en"><title>Town</title><style>html{font-size:62.5%}body{font:1.6rem Georgia}a,h2{color:rgb(0,128,0)!important}</style>
  <main><h1>Town</h1>${inside}</main>`)).listen(0, '127.0.0.1')
await new Promise((ready) => host.on('listening', ready))
const town = `http://127.0.0.1:${host.address().port}/`
const code = (attributes) => `<script type="module" src="${service.base}/embed.js"></script><kalends-calendar ${attributes}><a href="${service.base}/events/">Calendar</a></kalends-calendar>`

async function open(html, options = {}) {
  inside = html
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, ...options })
  page.on('pageerror', (error) => problems.push(`${html}: ${error}`))
  await page.goto(town)
  return page
}
const within = (page) => page.locator('kalends-calendar .embed')

async function component() {
  let page = await open(code(`view="month" lang="de"`))
  await within(page).waitFor()
  expect(await page.locator('kalends-calendar table.month').count() === 1, 'the month is a table')
  expect(await within(page).getAttribute('lang') === 'de', 'it speaks the language that was asked for')
  const before = await page.locator('kalends-calendar h2').first().textContent()
  await page.locator('kalends-calendar a[rel=next]').focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction((text) => document.querySelector('kalends-calendar').shadowRoot.querySelector('h2').textContent !== text, before)
  expect(page.url() === town, 'the next month is shown in the same page')
  expect(await page.evaluate(() => document.activeElement.shadowRoot?.activeElement?.tagName) === 'H2', 'the new month has the focus')
  const style = await page.locator('kalends-calendar').evaluate((one) => {
    const title = one.shadowRoot.querySelector('h2'), text = one.shadowRoot.querySelector('.embed')
    return { color: getComputedStyle(title).color, size: parseFloat(getComputedStyle(text).fontSize) }
  })
  expect(style.color !== 'rgb(0, 128, 0)' && style.size > 15, `the style of the page around stays outside: ${JSON.stringify(style)}`)
  const href = await page.locator('kalends-calendar .month a').first().evaluate((a) => a.href)
  expect(href.startsWith(`${service.base}/de/`), `links lead to the site: ${href}`)
  await page.locator('kalends-calendar').evaluate((one) => { one.setAttribute('view', 'week'); one.setAttribute('theme', 'dark') })
  await page.locator('kalends-calendar .week').waitFor()
  expect(await within(page).evaluate((one) => getComputedStyle(one).backgroundColor) !== 'rgb(253, 253, 251)', 'dark is dark')
  expect((await page.context().cookies()).length === 0, 'there are no cookies')
  await page.close()

  page = await open(`<div style="inline-size: 320px">${code(`view="month" lang="en"`)}</div>`)
  await within(page).waitFor()
  expect(await page.locator('kalends-calendar .month td').first().evaluate((td) => getComputedStyle(td).display) !== 'table-cell', 'where there is little room the days stand below each other')
  expect(await within(page).evaluate((one) => one.scrollWidth <= one.clientWidth + 1), 'nothing is wider than its place')
  await page.close()

  page = await open(code(`view="list" categories="literature" lang="tlh"`))
  await within(page).waitFor()
  const titles = await page.locator('kalends-calendar h3').allTextContents()
  expect(titles.length > 0 && titles.every((text) => !text.includes('Harbour Days')), 'only what has the category is listed')
  expect(await within(page).getAttribute('lang') === 'en', 'an unknown language is that of the visitor')
  await page.close()

  page = await open(code(`event="choir/${month}-01"`))
  await within(page).waitFor()
  expect((await within(page).textContent()).includes('Choir rehearsal'), 'one event is shown')
  await page.close()

  page = await open(code('view="nothing"'))
  await page.waitForTimeout(500)
  expect(await page.locator('kalends-calendar > a').isVisible(), 'what is in the element is shown while there is nothing else')
  await page.close()
}

async function frame() {
  const page = await open(`<iframe src="${service.base}/en/embed/month/${month}/" title="Calendar" width="800" height="720"></iframe>`, { javaScriptEnabled: false })
  const inner = page.frameLocator('iframe')
  await inner.locator('table.month').waitFor()
  await inner.locator('a[rel=next]').click()
  await inner.locator(`a[rel=prev][href*="${month}"]`).waitFor()
  expect(page.url() === town, 'other months are shown in the frame')
  await inner.locator('.whole a').click()
  await page.waitForURL(`**/en/events/month/${next}/`)
  await page.close()
  const other = await open(`<iframe src="${service.base}/en/events/" title="Calendar"></iframe>`)
  await other.waitForTimeout(300)
  expect(await other.frameLocator('iframe').locator('main').count() === 0, 'other pages cannot be framed')
  await other.close()
}

// On a narrow screen the days of a month stand below each other, on the site as elsewhere.
async function phone() {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(`${service.base}/en${pages.month}`)
  expect(await page.locator('.month td').first().evaluate((td) => getComputedStyle(td).display) !== 'table-cell', 'on a phone the days stand below each other')
  await page.close()
}

async function administration() {
  const page = await browser.newPage()
  await page.goto(`${service.base}/admin/login`)
  await page.fill('#f-login', service.login)
  await page.fill('#f-password', service.signIn)
  await page.click('main button[type=submit]')
  await page.click('nav a[href="/admin/embed"]')
  await page.selectOption('#f-view', 'month')
  await page.selectOption('#f-lang', 'de')
  await page.click('main form button[type=submit]')
  const [element, html] = await page.locator('copy-line code').allTextContents()
  expect(element.includes('view="month" lang="de"'), element)
  await page.frameLocator('iframe.embedded').locator('table.month').waitFor()
  await page.close()
  const made = await open(element)
  await within(made).waitFor()
  await made.close()
  const framed = await open(html)
  await framed.frameLocator('iframe').locator('table.month').waitFor()
  await framed.close()
}

try {
  await seed(service)
  await seedSeries(service)
  await component()
  await frame()
  await phone()
  await administration()
  for (const language of languages) {
    const page = await eye.page(language, service.base)
    for (const [name, path] of Object.entries({ list: '/embed/', month: `/embed/month/${month}/`, now: '/embed/month/', list2: '/embed/list/', week: `/embed/week/${month}-12/`,
      'this-week': '/embed/week/', event: '/embed/event/lecture/', date: `/embed/event/choir/${month}-05/` })) await eye.visit(page, `${service.base}/${language}${path}`, name)
    await page.context().close()
  }
} catch (error) {
  problems.push(error.stack)
} finally {
  host.close()
  await service.stop()
}
console.log(`${checked} checks`)
process.exit(await eye.end())
