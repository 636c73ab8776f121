// Looks at the interface in every language there is: that nothing is wider than the screen,
// cut or too small (see measure.mjs). In six languages, which have long words, other
// directions and other scripts, at every page there is, on the narrowest phone and on a wide
// screen; in the others at the narrow places, on the phone.
// With PICTURES=1 it makes pictures as well; LANGUAGES=de,ar looks at these alone, and at every page of them.
//
//	node languages.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { missed } from './look.mjs'
import { boxes } from './measure.mjs'
import { pages, png, seed, seedSeries, start } from './service.mjs'

const whole = process.env.LANGUAGES?.split(',') ?? ['de', 'ar', 'he', 'ja', 'hi', 'pl']
const narrow = ['list', 'month', 'week', 'event', 'series', 'login', 'calendar', 'board', 'new', 'form', 'places', 'settings', 'access', 'trash']
const widths = [1280, 320]

process.env.KALENDS_PROVIDER_TOKEN = 'kalp_languages_of_the_browser_tests'
const service = await start(process.argv[2])
const out = new URL('../../out/', import.meta.url).pathname
await mkdir(out, { recursive: true })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = [], seen = new Set()
let looks = 0

await seed(service)
await seedSeries(service)

/** Signs a context in, and returns its page. */
async function signedIn(context, address, fields) {
  const page = await context.newPage()
  await page.goto(service.base + address)
  for (const [id, value] of Object.entries(fields)) await page.fill(`#f-${id}`, value)
  await Promise.all([page.waitForEvent('load'), page.click('main button[type=submit]')])
  return page
}
const administrator = { login: 'admin', password: service.signIn }
const screen = { viewport: { width: widths[0], height: 900 }, bypassCSP: true }

/** What the pages show besides: a picture, somebody who is invited, and something in the trash. */
async function fill() {
  const { id } = await service.api('POST', '/events', { title: 'Called off', start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00' })
  await service.api('DELETE', `/events/${id}`)
  await service.api('POST', '/fields', { key: 'stage', label: 'Stage', kind: 'choice', filter: true, options: [{ label: 'Garden' }, { label: 'Hall' }] })
  const hook = await service.api('POST', '/webhooks', { url: 'https://example.org/changes', events: ['*'] })
  const source = await service.api('POST', '/sources', { name: 'Club', kind: 'ics', url: 'https://calendar.invalid/club.ics', active: false })
  const taken = await service.api('POST', '/imports', { url: 'https://calendar.invalid/club.ics', dry_run: true })
  const page = await signedIn(await browser.newContext({ javaScriptEnabled: false }), '/admin', administrator)
  await page.goto(`${service.base}/admin/media`)
  await page.setInputFiles('#f-files', { name: 'stripes.png', mimeType: 'image/png', buffer: png(320, 200) })
  await Promise.all([page.waitForEvent('load'), page.locator('form', { has: page.locator('#f-files') }).locator('button').click()])
  await page.goto(`${service.base}/admin/users/new`)
  await page.fill('#f-handle', 'guest')
  await page.fill('#f-email', 'guest@example.org')
  await page.fill('#f-confirm', service.signIn)
  await Promise.all([page.waitForEvent('load'), page.click('button[value=save]')])
  const welcome = new URL(await page.locator('code.secret').innerText())
  const ids = { webhook: hook.id, source: source.id, import: taken.id, welcome: welcome.pathname + welcome.search, series: (await service.api('GET', '/events/by-slug/choir')).id }
  for (const kind of ['events', 'venues', 'organizers', 'categories', 'tags', 'media', 'users']) {
    await page.goto(`${service.base}/admin/${kind}`)
    const links = await page.locator(`main a[href*="/admin/${kind}/"]`).evaluateAll((all) => all.map((one) => new URL(one.href).pathname))
    ids[kind] = [...new Set(links.map((path) => path.match(/\/(\d+)$/)?.[1]).filter(Boolean))]
  }
  const languages = await page.goto(`${service.base}/events/`).then(() => page.locator('link[rel=alternate][hreflang]').evaluateAll((all) => all.map((one) => one.hreflang)))
  await page.context().close()
  return { ids, languages: languages.filter((tag) => tag !== 'x-default') }
}

/** The pages of each kind of visitor, below the language where it stands in the address. */
function addresses(ids) {
  const admin = {
    calendar: '', 'calendar-week': '?view=week', 'calendar-day': '?view=list', 'calendar-filter': '?filter=1', board: '/events', new: '/events/new', form: `/events/${ids.series}`,
    quick: '/events/quick?text=Choir', settings: '/settings', access: '/access', desk: '/desk', trash: '/trash', audit: '/audit', users: '/users', 'new-user': '/users/new', user: `/users/${ids.users[0]}`,
    keys: '/keys', 'sign-in': '/sign-in', letters: '/letters', numbers: '/numbers', imports: '/import', import: `/import/${ids.import}`, webhooks: '/webhooks', webhook: `/webhooks/${ids.webhook}`, fields: '/fields', field: '/fields/edit?key=stage', sources: '/sources', source: `/sources/${ids.source}`, profile: '/profile', embed: '/embed', texts: '/texts', media: '/media', picture: `/media/${ids.media[0]}`, nothing: '/events?search=nowhere',
    move: `/events/${ids.events[0]}/move`, copy: `/events/${ids.events[0]}/copy`, event: `/events/${ids.events[0]}`, row: `/events/${ids.events[0]}/row`, revisions: `/events/${ids.events[0]}/revisions`,
  }
  for (const kind of ['venues', 'organizers', 'categories', 'tags']) {
    const [one, two] = ids[kind]
    Object.assign(admin, { [kind]: `/${kind}`, [`${kind}-one`]: `/${kind}/${one}`, [`${kind}-merge`]: `/${kind}/merge?id=${one}&id=${two}` })
    if (kind === 'venues' || kind === 'organizers') Object.assign(admin, { [`${kind}-new`]: `/${kind}/new`, [`${kind}-revisions`]: `/${kind}/${one}/revisions` })
  }
  admin.places = admin.venues
  delete admin.venues
  const month = pages.month.match(/\d{4}-\d\d/)[0]
  const embed = { 'embed-home': '/embed/', 'embed-list': '/embed/list/', 'embed-now': '/embed/month/', 'embed-month': `/embed/month/${month}/`, 'embed-this-week': '/embed/week/',
    'embed-week': `/embed/week/${month}-12/`, 'embed-event': '/embed/event/lecture/', 'embed-date': `/embed/event/choir/${month}-05/` }
  const console = { provider: '', 'new-site': '/new', many: '/many', defaults: '/defaults', sharing: '/sharing', site: '/sites/demo', 'site-edit': '/sites/demo/edit', 'site-audit': '/sites/demo/audit', copies: '/sites/demo/copies', support: '/sites/demo/support', requests: '/requests', plans: '/plans', plan: '/plans/unlimited', 'provider-audit': '/audit' }
  const below = (root, list) => Object.fromEntries(Object.entries(list).map(([name, path]) => [name, root + path]))
  return {
    visitor: { ...pages, ...embed },
    stranger: { login: '/admin/login', passkey: '/admin/login/passkey', code: '/admin/login/code', forgotten: '/admin/forgotten', welcome: ids.welcome, sites: '/admin/sites', token: '/admin/provider' },
    editor: below('/admin', admin),
    provider: below('/admin/provider', console),
  }
}

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
  const at = { visitor: await (await context()).newPage(), editor: await signedIn(await context(), '/admin', administrator) }
  at.stranger = await (await context()).newPage()
  if (whole.includes(language)) at.provider = await signedIn(await context(), '/admin/provider', { password: process.env.KALENDS_PROVIDER_TOKEN })
  for (const [who, list] of Object.entries(lists)) {
    for (const [name, address] of Object.entries(list)) {
      if (whole.includes(language) || narrow.includes(name)) await look(at[who], `${who}-${name}`, who === 'visitor' ? `/${language}${address}` : address, language)
    }
  }
  for (const page of Object.values(at)) await page.context().close()
}

try {
  const { ids, languages } = await fill()
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
