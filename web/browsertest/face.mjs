// What only a browser can show of how the public pages look: that every control can be read with every menu open, in every theme, by day and
// by night; that nothing is wider than its place at any width, with large text and within other pages; that menus close; what is printed; and
// that the pictures one sees first are loaded at once. Pictures of it are in out/.
//
//	node face.mjs ../../bin/kalends
import { mkdir, readFile } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { png, seed, seedSeries, start } from './service.mjs'

const out = new URL('../../out/', import.meta.url).pathname
await mkdir(out, { recursive: true })
const service = await start(process.argv[2])
const { base, api } = service
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
const wrong = (text) => { if (!problems.includes(text)) problems.push(text) }
const month = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1)).toISOString().slice(0, 7)

/** Runs in the page: text whose contrast is too small, by arithmetic over what it is drawn on. */
function contrasts() {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const read = (color) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = color
    canvas.fillRect(0, 0, 1, 1)
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data
    return { r, g, b, a: a / 255 }
  }
  const over = (top, below) => Object.fromEntries(['r', 'g', 'b'].map((c) => [c, top[c] * top.a + below[c] * (1 - top.a)]).concat([['a', 1]]))
  const light = ({ r, g, b }) => [r, g, b].map((n) => n / 255).map((n) => (n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4)).reduce((sum, n, i) => sum + n * [0.2126, 0.7152, 0.0722][i], 0)
  const ground = (one) => {
    const layers = []
    for (let at = one; at; at = at.parentElement) {
      const color = read(getComputedStyle(at).backgroundColor)
      layers.push(color)
      if (color.a === 1) break
      if (at.matches(':popover-open') && color.a < 1) break
    }
    return layers.reverse().reduce((below, top) => over(top, below), read(getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#000' : '#fff'))
  }
  const found = []
  for (const one of document.querySelectorAll('body *')) {
    const text = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || one.matches('input:not([type=hidden],[type=checkbox],[type=radio])')
    if (!text || !one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || one.closest('.unseen, .skip, .photo-top, .lead-item, .figure, [data-look="poster"] .entry')) continue
    const [ink, paper] = [read(getComputedStyle(one).color), ground(one)]
    const [a, b] = [light(over(ink, paper)), light(paper)]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (contrast < 4.5) found.push(`${contrast.toFixed(2)}: ${one.localName}.${one.className} “${(one.innerText ?? '').trim().slice(0, 30)}”`)
  }
  return found
}

/** Runs in the page: what is wider than its place, and words with a letter on each line. */
function widths() {
  const found = [], wide = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth > wide + 1) found.push(`the page is ${document.documentElement.scrollWidth} wide, not ${wide}`)
  const scrolls = (one) => { for (let p = one; p && p !== document.body; p = p.parentElement) if (/auto|scroll|hidden/.test(getComputedStyle(p).overflowX)) return true }
  for (const one of document.querySelectorAll('main *, .masthead *, .footer *, .embed *')) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || one.closest('.unseen, .skip, [aria-hidden]')) continue
    const box = one.getBoundingClientRect()
    if (box.width && (box.right > wide + 1 || box.left < -1) && !scrolls(one)) found.push(`outside: ${one.localName}.${one.className}`)
    const texts = [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim().length > 5)
    for (const node of texts) {
      const range = document.createRange()
      range.selectNodeContents(node)
      const lines = new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size
      if (lines > 2 && node.data.trim().length / lines < 5 && !/\p{Script=Han}/u.test(node.data)) found.push(`${lines} lines: ${one.localName}.${one.className} “${node.data.trim().slice(0, 40)}”`)
    }
  }
  return [...new Set(found)]
}

/** Runs in the page: times that go on in the middle of a word on another line. */
function splitTimes() {
  const found = [], range = document.createRange()
  for (const one of document.querySelectorAll('.entry-time, .glance time')) {
    if (!one.checkVisibility()) continue
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
    for (let node; (node = walker.nextNode());) {
      const tops = [...node.data].map((_, n) => {
        range.setStart(node, n)
        range.setEnd(node, n + 1)
        return range.getBoundingClientRect().top
      })
      for (const { 0: pair, index } of node.data.matchAll(/[\p{L}\p{N}.](?=[\p{L}\p{N}.])/gu)) {
        const end = index + pair.length
        if (Math.abs(tops[index] - tops[end]) > 4) found.push(`${node.data.slice(0, end)}|${node.data.slice(end)}`)
      }
    }
  }
  return [...new Set(found)]
}

async function visit(options, path, check = async () => {}) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en', bypassCSP: true, ...options })
  const page = await context.newPage()
  page.on('pageerror', (error) => wrong(`${path}: ${error.message}`))
  await page.goto(`${base}${path}`)
  await check(page)
  await context.close()
}

/** Opens each menu of the page, and calls do with it open. */
async function eachMenu(page, act) {
  for (const id of await page.locator('.menu > button').evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.getAttribute('popovertarget')))) {
    await page.locator(`button[popovertarget="${id}"]`).click()
    await page.locator(`#${id}`).waitFor()
    await act(id)
    await page.keyboard.press('Escape')
    if (await page.locator(`#${id}`).isVisible()) wrong(`${id} stays after Escape`)
  }
}

/** Shows a page in a theme, whose style sheet only pages of sites with it have. */
async function wear(page, theme) {
  const sheet = await readFile(new URL(`../static/theme_${theme}.css`, import.meta.url), 'utf8').catch(() => '') // the plain theme has none
  await page.addStyleTag({ content: `@layer theme { ${sheet} }` })
  await page.evaluate((look) => { document.documentElement.dataset.look = look }, theme)
}

const themes = ['night', 'board', 'poster', 'journal', 'plain'] // the last one is that of the pictures

const tests = {
  async widthsAndLargeText() {
    for (const language of ['en', 'de', 'ar']) {
      for (const path of ['/', '/events/photo/', `/events/month/${month}/`, '/events/week/', '/event/verband/', '/event/exhibition/', '/event/choir/', '/event/noise/', '/events/map/', '/venues/']) {
        await visit({ viewport: { width: 390, height: 844 } }, `/${language}${path}`, async (page) => {
          const name = path.replaceAll('/', '-')
          for (const width of [320, 390, 600, 780, 800, 820, 848, 1000, 1280, 1920]) {
            await page.setViewportSize({ width, height: 900 })
            for (const theme of themes) {
              await wear(page, theme)
              for (const text of await page.evaluate(widths)) wrong(`${language}${path} ${theme} at ${width}: ${text}`)
            }
            if ([390, 820, 1280].includes(width)) await page.screenshot({ path: `${out}face${name}${language}-${width}.png` })
          }
          await page.setViewportSize({ width: 390, height: 844 })
          await page.evaluate(() => { document.documentElement.style.fontSize = '200%' })
          for (const theme of themes) {
            await wear(page, theme)
            for (const text of await page.evaluate(widths)) wrong(`${language}${path} ${theme} with large text: ${text}`)
          }
          await page.screenshot({ path: `${out}face${name}${language}-200.png` })
        })
      }
    }
    for (const path of ['/de/embed/list/', '/ar/embed/list/', `/de/embed/month/${month}/`, '/de/embed/week/', '/de/embed/event/verband/']) {
      await visit({ viewport: { width: 240, height: 800 } }, path, async (page) => {
        for (const text of await page.evaluate(widths)) wrong(`${path} at 240: ${text}`)
        await page.screenshot({ path: `${out}face${path.replaceAll('/', '-')}240.png` })
      })
    }
  },

  async timesOfOtherLanguages() {
    for (const path of ['/el/events/', '/ko/events/', '/ko/event/exhibition/', '/ko/event/choir/']) {
      await visit({}, path, async (page) => {
        for (const width of [320, 390, 1280]) {
          await page.setViewportSize({ width, height: 900 })
          for (const theme of themes) {
            await wear(page, theme)
            for (const text of await page.evaluate(splitTimes)) wrong(`${path} ${theme} at ${width}: split within a word: ${text}`)
          }
        }
      })
    }
  },

  async daysOnPictures() {
    await visit({}, '/de/events/photo/', async (page) => {
      await page.locator('.drawn b bdi').evaluateAll((all) => { for (const one of all) one.textContent = 'Verbandsversammlung der Rechtsschutzversicherungsgesellschaften am See' })
      for (const [width, size] of [[320, ''], [390, ''], [820, ''], [1000, ''], [1280, ''], [390, '200%']]) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate((size) => { document.documentElement.style.fontSize = size }, size)
        const covered = await page.locator('.photo-top:has(.drawn)').evaluateAll((all) => all.filter((one) => {
          const [day, title] = ['.photo-day', '.drawn b'].map((part) => one.querySelector(part).getBoundingClientRect())
          return title.top < day.bottom - 1
        }).length)
        if (covered) wrong(`/de/events/photo/ at ${width} ${size}: ${covered} days on the title`)
      }
    })
  },

  async menus() {
    for (const width of [390, 1280]) {
      const inside = (page, height) => eachMenu(page, async (id) => {
        await page.screenshot({ path: `${out}face-menu-${id}-${width}.png` })
        const box = await page.locator(`#${id}`).boundingBox(), by = await page.locator(`button[popovertarget="${id}"]`).boundingBox()
        if (box.x < -1 || box.x + box.width > width + 1 || box.y < -1 || box.y + box.height > height + 1) wrong(`${id} is outside at ${width}: ${JSON.stringify(box)}`)
        if (width > 600 && box.y < by.y + by.height - 1 && box.y + box.height > by.y + 1) wrong(`${id} covers its button at ${width} by ${height}`)
      })
      for (const height of [560, 768]) await visit({ viewport: { width, height } }, '/de/event/choir/', (page) => inside(page, height))
      await visit({ viewport: { width, height: 900 } }, '/de/events/', async (page) => {
        await inside(page, 900)
        await page.locator('button[popovertarget=pick-city]').click()
        await page.mouse.click(width / 2, 20)
        if (await page.locator('#pick-city').isVisible()) wrong(`a menu stays after a click beside it at ${width}`)
      })
    }
    await visit({ viewport: { width: 1280, height: 900 } }, '/en/events/', async (page) => {
      await page.locator('button[popovertarget=pick-city]').click()
      const all = await page.locator('#pick-city .option').count()
      if (all < 60) wrong(`${all} cities of 60`)
      await page.locator('#pick-city .find').fill('stadt 57')
      if (await page.locator('#pick-city .option:visible').count() !== 1) wrong('a search in a menu leaves one')
      await page.locator('#pick-city .option:visible input').check()
      await page.locator('#pick-city button[type=submit]').click()
      await page.waitForURL(/city=Stadt\+57/)
    })
  },

  // A name of 31 letters leaves the head one line; what editors have is below the column; a row keeps its marks at one height.
  async places() {
    for (const width of [1280, 1366]) {
      for (const language of ['de', 'fr', 'nl', 'pt-BR']) {
        await visit({ viewport: { width, height: 768 } }, `/${language}/events/`, async (page) => {
          const [rows, tall] = await page.evaluate(() => {
            const nav = document.querySelector('#nav'), name = document.querySelector('.site-name'), link = nav.querySelector('a:last-of-type').cloneNode()
            link.textContent = 'Veranstaltung einreichen'
            if (document.documentElement.lang === 'de') nav.append(link)
            name.querySelector('bdi').textContent = 'Kulturkalender Landkreis Lindau'
            name.classList.add('long')
            return [new Set([...nav.querySelectorAll('a')].filter((one) => one.checkVisibility()).map((one) => one.offsetTop)).size, document.querySelector('.masthead').offsetHeight]
          })
          if (rows > 1 || tall > 60) wrong(`the head in ${language} at ${width} has ${rows} rows of links and is ${tall} tall`)
        })
      }
    }
    await visit({ viewport: { width: 1366, height: 768 } }, '/de/events/', async (page) => {
      for (const theme of themes) {
        await wear(page, theme)
        const marks = await page.evaluate(() => [...new Set([...document.querySelectorAll('.agenda .keep')].map((one) => [one, one.parentElement.querySelector('.thumb')]).filter(([, thumb]) => thumb?.checkVisibility())
          .map(([one, thumb]) => Math.round(one.getBoundingClientRect().top - thumb.getBoundingClientRect().top)))])
        if (marks.length > 1) wrong(`${theme}: marks are ${marks} below the tops of their pictures`)
      }
      const past = await page.evaluate(() => {
        document.body.append(document.getElementById('desk').content.cloneNode(true))
        const link = document.querySelector('.desk a:last-child'), wrap = document.querySelector('.masthead .wrap')
        const end = (one) => one.getBoundingClientRect().right - parseFloat(getComputedStyle(one).paddingRight)
        return Math.round(end(link) - end(wrap))
      })
      if (past) wrong(`the links of editors end ${past} pixels beside the column`)
    })
  },

  async contrast() {
    for (const theme of themes) {
      for (const colorScheme of ['light', 'dark']) {
        for (const path of ['/en/events/', '/en/event/lecture/', `/en/events/month/${month}/`, '/en/venue/butler/', '/en/event/choir/', '/en/nothing/']) {
          await visit({ colorScheme, reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } }, path, async (page) => {
            await wear(page, theme)
            for (const width of [390, 820, 1280, 1920]) {
              await page.setViewportSize({ width, height: 900 })
              const look = async (what) => { for (const text of await page.evaluate(contrasts)) wrong(`${path} ${theme} ${colorScheme} at ${width} ${what}: ${text}`) }
              await look('')
              await eachMenu(page, look)
            }
          })
        }
      }
    }
  },

  async pictures() {
    await visit({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 }, '/en/events/', async (page) => {
      const lazy = await page.locator('.entry img.thumb').evaluateAll((all) => all.map((one) => `${one.loading} ${one.fetchPriority}`))
      if (lazy[0] !== 'auto high' || lazy.slice(1).some((one) => one !== 'lazy auto')) wrong(`pictures are loaded ${lazy}`)
    })
    await visit({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3 }, '/en/event/noise/', async (page) => {
      const loaded = await page.locator('img.picture').evaluate((one) => one.currentSrc)
      if (!/1536x|2048x/.test(loaded)) wrong(`a phone loads ${loaded}`)
    })
  },

  async print() {
    for (const path of ['/de/events/', '/ar/event/noise/', `/en/events/month/${month}/`]) {
      await visit({ viewport: { width: 794, height: 1100 } }, path, async (page) => {
        await page.emulateMedia({ media: 'print' })
        const shown = await page.evaluate(() => [...document.querySelectorAll('button, form, .tools, .filters, .menu, .masthead nav, .share, .steps')].filter((one) => one.checkVisibility()).map((one) => `${one.localName}.${one.className}`))
        for (const one of shown) wrong(`${path} prints ${one}`)
        await page.screenshot({ path: `${out}face-print${path.replaceAll('/', '-')}.png`, fullPage: true })
      })
    }
  },

  async stillness() {
    await visit({ reducedMotion: 'reduce' }, '/en/events/', async (page) => {
      const moving = await page.evaluate(() => [...document.querySelectorAll('*')].filter((one) => getComputedStyle(one).transitionDuration !== '0s').length)
      if (moving) wrong(`${moving} things move though they should not`)
    })
    for (const path of ['/en/', '/en/events/', '/en/event/the-cherry-orchard/']) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en' }), page = await context.newPage()
      await page.route(/\.js$/, async (route) => { await new Promise((done) => setTimeout(done, 1500)); await route.continue() })
      await page.goto(`${base}${path}`)
      const moved = await page.evaluate(() => new Promise((done) => {
        let sum = 0
        new PerformanceObserver((list) => list.getEntries().forEach((one) => { sum += one.value })).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => done(sum), 500)
      }))
      if (moved > 0.01) wrong(`${path} moves by ${moved} when its script comes late`)
      await context.close()
    }
  },

  async allAfterFilter() {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en' }), page = await context.newPage()
    await page.goto(`${base}/admin/login`)
    await page.fill('[name=login]', service.login)
    await page.fill('[name=password]', service.signIn)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.startsWith('/admin') && !url.pathname.includes('login'))
    await page.goto(`${base}/admin/events`)
    await page.locator('thead [data-every] input').waitFor()
    await page.locator('input[name=search]').fill('Advent')
    await page.waitForURL(/search=Advent/)
    await page.locator('#found tr, #found li').first().waitFor()
    await page.locator('thead [data-every] input').waitFor({ timeout: 10_000 }).catch(() => wrong('“select all” vanishes after a live filter'))
    await context.close()
  },
}

try {
  await seed(service)
  await seedSeries(service)
  const form = new FormData()
  form.set('file', new Blob([png(2600, 1800)], { type: 'image/png' }), 'noise.png')
  const sent = await fetch(`${base}/calendar/events/v1/media`, { method: 'POST', body: form, headers: { Authorization: 'Basic ' + Buffer.from(`${service.login}:${service.password}`).toString('base64') } })
  if (!sent.ok) throw new Error(`the picture was not taken: ${sent.status}`)
  const image = String((await sent.json()).id)
  await api('POST', '/events', { title: 'Symposium on lakes', slug: 'noise', image, start_date: 'today 23:00', end_date: `${month}-10 18:00`, categories: ['Exhibition'],
    venue: { venue: 'Museum', city: 'Seestadt' }, description: '<p>Programme</p><table><tr><th>Day</th><th>Hour</th><th>Speaker</th><th>Title</th></tr><tr><td>Tuesday</td><td>9:00</td><td>Prof. Dr. Maximiliane Oberhuber</td><td>On the dating of oak piles by dendrochronology</td></tr></table>' })
  for (let n = 1; n <= 60; n++) await api('POST', '/events', { title: `Fest ${n}`, image: n < 4 ? image : undefined, start_date: `${month}-25 10:00`, end_date: `${month}-25 12:00`, venue: { venue: `Halle ${n}`, city: `Stadt ${n}` } })
  const only = process.argv.slice(3)
  for (const [name, test] of Object.entries(tests)) {
    if (only.length && !only.includes(name)) continue
    try { await test() } catch (error) { wrong(`${name}: ${error.stack.split('\n').slice(0, 3).join(' ')}`) }
    console.log(`${name}: done`)
  }
} catch (error) {
  wrong(error.stack)
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.log(problem)
console.log(`${problems.length} problems`)
process.exit(problems.length ? 1 : 0)
