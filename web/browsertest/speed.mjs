// How fast pages are on a slow line, and what they send: slow 4G (562 ms, 1.44 Mbit/s), a processor four times slower, an empty cache. Bytes,
// requests, shifts and how deep scripts load scripts are the same on every machine, and are problems over a bound. Times depend on the machine:
// they are printed, and are problems only with TIMES=1.
//
//	node speed.mjs ../../bin/kalends        ROUNDS=1 ONLY=front,list: these pages, once
import { chromium } from 'playwright-core'
import { start } from './service.mjs'
import { seedTown } from './town.mjs'

const times = process.env.TIMES === '1', rounds = Number(process.env.ROUNDS ?? 3), only = process.env.ONLY?.split(',')

// most is what a page may send in kB: everything but pictures and fonts, and all of it. lcp and tbt are in milliseconds, at 1280 and at 390 pixels.
const pagesOf = (town) => ({
  front: { path: '/en/', most: [60, 180], lcp: [1700, 1850] },
  list: { path: '/en/events/', most: [60, 180], lcp: [1700, 1850] },
  month: { path: '/en/events/month/', most: [60, 180], lcp: [1700, 1850] },
  event: { path: town.event, most: [60, 180], lcp: [1700, 1850] },
  'new form': { path: '/admin/events/new', most: [130, 200], lcp: [2000, 2000], tbt: 200, signedIn: true },
  form: { path: `/admin/events/${town.id}`, most: [130, 200], lcp: [2000, 2000], tbt: 200, signedIn: true },
  'admin list': { path: '/admin/events', most: [60, 120], lcp: [2000, 2000], tbt: 200, signedIn: true },
  desk: { path: '/admin/?', most: [60, 120], lcp: [2000, 2000], tbt: 200, signedIn: true },
})
const shift = 0.01, fontsBeforePaint = 45, deepest = 1

/** Runs before a page: keeps what it measures. */
function watch() {
  window.seen = { lcp: 0, element: '', cls: 0, tasks: [] }
  new PerformanceObserver((list) => list.getEntries().forEach((one) => Object.assign(window.seen, { lcp: one.startTime, element: one.element?.outerHTML.slice(0, 60) ?? '' })))
    .observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => list.getEntries().forEach((one) => { if (!one.hadRecentInput) window.seen.cls += one.value })).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => list.getEntries().forEach((one) => window.seen.tasks.push([one.startTime, one.duration]))).observe({ type: 'longtask', buffered: true })
}

async function measure(browser, state, url, width) {
  const context = await browser.newContext({ locale: 'en', storageState: state, viewport: { width, height: width < 500 ? 844 : 800 }, deviceScaleFactor: width < 500 ? 2 : 1 })
  const page = await context.newPage(), devtools = await context.newCDPSession(page), sent = new Map()
  await page.addInitScript(watch)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', { offline: false, latency: 562, downloadThroughput: 1.44e6 / 8, uploadThroughput: 0.67e6 / 8 })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  devtools.on('Network.requestWillBeSent', ({ requestId, request, type, initiator }) => sent.set(requestId, { url: request.url, type, by: initiator.type === 'script' ? initiator.stack?.callFrames[0]?.url ?? initiator.url : initiator.url, script: initiator.type === 'script', kb: 0 }))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => { if (sent.has(requestId)) sent.get(requestId).kb = encodedDataLength / 1024 })
  await page.goto(url, { waitUntil: 'load' })
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1500)
  const seen = await page.evaluate(() => window.seen), paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
  await context.close()
  const all = [...sent.values()], kb = (of) => all.filter(of).reduce((sum, one) => sum + one.kb, 0)
  const depth = (one, n = 0) => { const by = one.script && n < 9 && all.find((other) => other.url === one.by && other.type === 'Script'); return by ? depth(by, n + 1) : n }
  return { lcp: seen.lcp, element: seen.element, cls: seen.cls, fcp: paint, tbt: seen.tasks.filter(([at]) => at > paint).reduce((sum, [, long]) => sum + long - 50, 0), kb: kb((one) => !['Image', 'Font'].includes(one.type)), all: kb(() => true),
    fonts: kb((one) => one.type === 'Font'), requests: all.length, depth: Math.max(...all.filter((one) => one.type === 'Script').map((one) => depth(one)), 0), originals: all.filter((one) => /\/original\b/.test(one.url)).length }
}

const service = await start(process.argv[2]), browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] }), problems = []
try {
  await seedTown(service, browser)
  const { events: [first] } = await service.api('GET', '/events?search=Piano&per_page=1')
  const town = { id: first.id, event: new URL(first.url).pathname }
  const context = await browser.newContext({ locale: 'en' }), page = await context.newPage()
  await page.goto(`${service.base}/admin/login`)
  await page.fill('#f-login', service.login)
  await page.fill('#f-password', service.signIn)
  await Promise.all([page.waitForURL((url) => !url.pathname.endsWith('/login')), page.click('form[action="/admin/login"] button')])
  const state = await context.storageState()
  await context.close()
  const middle = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
  console.log('page             width   FCP   LCP  TBT    CLS   kB  all fonts requests depth  largest')
  for (const [name, { path, most, lcp, tbt, signedIn }] of Object.entries(pagesOf(town))) {
    if (only && !only.includes(name)) continue
    for (const [at, width] of [1280, 390].entries()) {
      const found = []
      for (let n = 0; n < rounds; n++) found.push(await measure(browser, signedIn ? state : undefined, service.base + path, width))
      const of = (key) => middle(found.map((one) => one[key])), wrong = (text) => problems.push(`${name} at ${width}: ${text}`)
      console.log(name.padEnd(16), String(width).padStart(5), ...['fcp', 'lcp', 'tbt'].map((key) => String(Math.round(of(key))).padStart(5)), of('cls').toFixed(4), ...['kb', 'all', 'fonts', 'requests', 'depth'].map((key) => String(Math.round(of(key))).padStart(4)), found[0].element)
      if (of('cls') > shift) wrong(`shifts by ${of('cls').toFixed(4)}`)
      if (of('kb') > most[0] || of('all') > most[1]) wrong(`sends ${of('kb').toFixed(1)} kB and ${of('all').toFixed(1)} kB with pictures and fonts`)
      if (of('fonts') > fontsBeforePaint) wrong(`sends ${of('fonts').toFixed(1)} kB of fonts`)
      if (of('depth') > deepest) wrong('a script loads a script that loads a script')
      if (of('originals')) wrong('asks for an original picture')
      if (times && of('lcp') > lcp[at]) wrong(`its largest part is drawn after ${Math.round(of('lcp'))} ms`)
      if (times && of('tbt') > (tbt ?? 200)) wrong(`is blocked for ${Math.round(of('tbt'))} ms`)
    }
  }
} catch (error) {
  problems.push(error.stack)
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
process.exit(problems.length ? 1 : 0)
