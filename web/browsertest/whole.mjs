// The administration, the provider's console and the lobby as a whole: every page, and what opens on them or answers a form, in 24 languages,
// at 390 and 1280 pixels with axe and with measure.mjs; at 320, 820, 1366 and 1920 nothing is wider than the screen, and on a
// phone the header takes two rows at most. LANGUAGES=de,ar, ONLY=copies,desk and PICTURES=1 look at fewer of them, and make pictures.
//
//	node whole.mjs ../../bin/kalends
import { mkdir } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { addresses, fill, signedIn } from './everything.mjs'
import { missed } from './look.mjs'
import { boxes } from './measure.mjs'
import { postOffice, start, turnLettersOn } from './service.mjs'

const token = process.env.KALENDS_PROVIDER_TOKEN = 'kalp_the_whole_of_the_browser_tests'
const colours = { runOnly: ['color-contrast', 'link-in-text-block'], resultTypes: ['violations'] } // what depends on the theme
const heights = { 320: 700, 390: 844, 820: 1100, 1280: 900, 1366: 768, 1920: 1080 }
const tallest = 120 // pixels of the header on a phone: two rows
const asked = ['en', 'de', 'ar', 'ja'] // of both directions and of other letters
const only = process.env.ONLY?.split(',')
const out = new URL('../../out/', import.meta.url).pathname
await mkdir(out, { recursive: true })
const post = await postOffice()
const service = await start(process.argv[2], post.mailing)
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const found = new Map(), all = [], seen = new Set(), began = Date.now()
let looks = 0

const problem = (where, text) => {
  if (found.get(text)?.push(where)) return
  found.set(text, [where])
  console.error(`${where}: ${text}`)
}
const press = (page, selector) => Promise.all([page.waitForEvent('load'), page.locator(selector).first().click()])
const platform = async (method, path, body) => {
  const answer = await fetch(`${service.base}/platform/v1${path}`, { method, body: body && JSON.stringify(body), headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** What the site has besides: what visitors have sent and said, a series of imports, people, and sites in each state. */
async function more(page) {
  await page.goto(`${service.base}/admin/settings/visitors`)
  for (const id of ['submissions', 'reports', 'numbers']) await page.check(`#f-${id}`)
  await press(page, 'form.settings p.buttons button[value=save]')
  await page.goto(`${service.base}/admin/settings`)
  await page.locator('input[name=content_languages][value=fr]').evaluate((one) => { one.checked = true })
  await press(page, 'form.settings p.buttons button[value=save]')
  const visitor = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await visitor.goto(`${service.base}/en/submit/`)
  const typed = { title: 'Beekeepers’ breakfast', start_date: `${new Date().getFullYear() + 1}-06-04`, start_time: '09:00', venue: 'Apiary', description: 'Bread and honey.', note: 'Please be quick', contact_name: 'Ada', contact_email: 'ada@example.net' }
  for (const [field, text] of Object.entries(typed)) await visitor.fill(`#f-${field}`, text)
  await press(visitor, '.send button[type=submit]')
  await visitor.goto(service.base + post.inbox.replaceAll('=\n', '').match(/\/en\/submit\/sent\/\?code=(?:3D)?[\w-]+/)[0].replace('=3D', '='))
  await press(visitor, 'button[value=confirm]')
  await visitor.goto(`${service.base}/en/event/lecture/mistake/`)
  await visitor.fill('#f-text', 'It begins at ten.')
  await press(visitor, '.send button[type=submit]')
  await visitor.context().close()
  await page.goto(`${service.base}/admin/submissions`)
  const sent = (await page.locator('.inbox a').first().getAttribute('href')).match(/\d+/)[0]
  await platform('POST', '/sites/demo/users', { login: 'author', email: 'author@example.org', name: 'Author', role: 'author', password: 'correct horse battery' })
  await platform('PUT', '/plans/small', { limits: { events: 800, users: 5, media_bytes: 250_000_000, requests_per_minute: 600 }, geo: false })
  await platform('PUT', '/plans/unused', {})
  await platform('POST', '/sites', { slug: 'harbour', name: 'Harbour association of the old town', timezone: 'Europe/Berlin', language: 'de', plan: 'small', limits: { users: 8, media_bytes: null } })
  await platform('PATCH', '/sites/harbour', { domains: ['harbour.example', 'events.harbour.example'] })
  await platform('POST', '/sites', { slug: 'gone', name: 'مهرجان المدينة', timezone: 'Africa/Cairo', language: 'ar' })
  await platform('POST', '/sites/gone/users', { login: 'waiting', email: 'waiting@example.org', name: 'Waiting', role: 'administrator' })
  await platform('DELETE', '/sites/gone?grace=30')
  await platform('POST', '/sites', { slug: 'rowers', name: 'Rowing club' })
  await platform('POST', '/sites', { slug: 'mill', name: 'The Mill' })
  await platform('PATCH', '/sites/mill', { state: 'read_only' })
  for (const slug of ['harbour', 'mill']) await platform('POST', `/sites/${slug}/users`, { login: 'many', email: 'many@example.org', role: 'administrator', password: 'one password for many sites' })
  return sent
}

/** What answers a form, or opens on a page, by the kind of visitor; each leaves the page as it shall be looked at. */
function states(ids, sent) {
  const at = (path) => async (page) => { await page.goto(`${service.base}${path}`) }
  const after = (path, ...selectors) => async (page) => {
    await page.goto(`${service.base}${path}`)
    for (const one of selectors) {
      await page.evaluate(() => { for (const form of document.forms) form.noValidate = true }) // the server shall say what is wrong
      await press(page, one)
    }
  }
  const ticked = (path, button, boxes = 2) => async (page) => {
    await page.goto(`${service.base}${path}`)
    for (let n = 0; n < boxes; n++) await page.locator('main input[name=id]').nth(n).check()
    if (button) await press(page, button)
  }
  const editor = {
    'palette-open': async (page) => { await page.goto(`${service.base}/admin/desk`); await page.keyboard.press('Control+k'); await page.locator('#palette[open]').waitFor(); await page.locator('#palette [role=option]').first().waitFor() },
    'keys-open': async (page) => { await page.goto(`${service.base}/admin/desk`); await page.keyboard.press('?'); await page.locator('#keys[open]').waitFor() },
    'nav-open': async (page) => { await page.setViewportSize({ width: 390, height: 844 }); await page.goto(`${service.base}/admin/desk`); await page.click('.to-nav') },
    missing: at('/admin/missing'), 'to-check': at('/admin/events?lacks=check'), 'lacking-image': at('/admin/events?lacks=image'), pending: at('/admin/events?view=pending'), past: at('/admin/events?view=past'),
    submissions: at('/admin/submissions'), mistakes: at('/admin/submissions/mistakes'), submission: at(`/admin/submissions/${sent}`),
    'audit-filtered': at('/admin/audit?kind=event&action=create'),
    chosen: ticked('/admin/events'), bulk: ticked('/admin/events', '#many button[value=bulk]'), copies: ticked('/admin/events', '#many button[value=copies]'), 'trash-sure': ticked('/admin/trash', 'button[value=delete]', 1),
    'wrong-event': async (page) => { await page.goto(`${service.base}/admin/events/new`); await page.locator('form.editor input[name=venue]').first().fill('Nowhere Hall'); await press(page, '.saves .first') },
    doubtful: async (page) => { await page.goto(`${service.base}/admin/events/new`); await page.fill('#f-title', 'Of yesterday'); await page.fill('#f-start_date', '2020-01-01T10:00'); await page.fill('#f-end_date', '2020-01-01T11:00'); await press(page, '.saves .first') },
    'wrong-venue': after('/admin/venues/new', '.saves button[value=save]'), 'wrong-organizer': after('/admin/organizers/new', '.saves button[value=save]'), 'wrong-category': after('/admin/categories', 'form.stack button[value=save]'),
    'wrong-user': after('/admin/users/new', 'button[value=save]'), 'wrong-profile': after('/admin/profile', 'button[value=password]'), 'wrong-field': after('/admin/fields', '.new-field button[value=save]'),
    'wrong-webhook': after('/admin/webhooks', 'main form.stack button[type=submit]'), 'wrong-source': after('/admin/sources', 'main form.stack button[type=submit]'), 'wrong-import': after('/admin/import', 'main form button[type=submit]'), 'wrong-quick': after('/admin/events/quick?text=Choir', 'main form button[type=submit]'),
    'wrong-settings': async (page) => { await page.goto(`${service.base}/admin/settings`); await page.fill('#f-name', ' '); await press(page, 'form.settings p.buttons button[value=save]') },
    conflict: async (page) => {
      await page.goto(`${service.base}/admin/events/${ids.events[0]}`)
      await page.fill('#f-title', 'My name for it')
      await service.api('POST', `/events/${ids.events[0]}`, { title: `Their name for it ${Math.random()}` })
      await press(page, '.saves .first')
    },
    stale: async (page) => { await page.evaluate(() => { for (const one of document.querySelectorAll('input[name=csrf]')) one.value = 'of another' }); await press(page, 'main form button[type=submit]') },
  }
  const root = '/admin/provider', provider = {
    'sites-gone': at(`${root}?state=deleted`), 'sites-none': at(`${root}?search=nothing`), harbour: at(`${root}/sites/harbour`), 'harbour-edit': at(`${root}/sites/harbour/edit`), gone: at(`${root}/sites/gone`), suspended: at(`${root}/sites/mill`), missing: at(`${root}/sites/nothing`),
    small: at(`${root}/plans/small`), 'audit-plans': at(`${root}/audit?kind=plan`), 'requests-sorted': at(`${root}/requests?sort=refused`),
    'wrong-site': after(`${root}/new`, 'main form button[type=submit]'), 'wrong-many': after(`${root}/many`, 'button[value=check]'), 'wrong-plan': after(`${root}/plans`, '.panel button[value=save]'), 'wrong-support': after(`${root}/sites/harbour/support`, 'main form button[type=submit]'),
    'wrong-limits': async (page) => { await page.goto(`${service.base}${root}/sites/harbour`); await page.selectOption('#f-own_events', 'own'); await press(page, 'button[value=grant]') },
    'checked-many': async (page) => { await page.goto(`${service.base}${root}/many`); await page.fill('#f-list', 'Village; village; mayor@example.org\nHarbour; harbour'); await press(page, 'button[value=check]') },
    'many-plans': async (page) => { await ticked(root, null)(page).catch(() => page.locator('#many [data-every] input').check()); await page.selectOption('#f-set', { label: 'small' }).catch(() => {}); await press(page, '#many button[value=look]') },
    'sure-delete': after(`${root}/sites/harbour`, 'button[value=delete]'), 'sure-suspend': after(`${root}/sites/harbour`, 'button[value=suspend]'), invite: after(`${root}/sites/gone`, 'button[value=voucher]'), 'sure-plan': after(`${root}/plans/unused`, 'button[value=delete]'),
    'sure-back': after(`${root}/sites/demo/copies`, 'button[value=back]'), 'sure-archive': after(`${root}/sites/demo/copies`, 'button[value=archive]'),
    'archive-file': async (page) => { await page.goto(`${service.base}${root}/sites/demo/copies`); await page.locator('details > summary').first().click(); await press(page, 'details form button[type=submit]') },
  }
  return {
    editor, provider,
    author: { desk: at('/admin/desk'), events: at('/admin/events'), new: at('/admin/events/new'), 'own-audit': at('/admin/audit'), forbidden: at('/admin/settings') },
    support: { desk: async (page) => { await page.goto(page.support) } },
    stranger: { 'login-wrong': after('/admin/login', 'form[action="/admin/login"] button'), 'welcome-wrong': after(ids.welcome, 'main form button[type=submit]'), 'lobby-wrong': after('/admin/sites', 'main form button[type=submit]'), 'provider-wrong': after('/admin/provider', 'main form button[type=submit]') },
    many: { lobby: at('/admin/sites') },
  }
}

/** Asks axe about the page as it is. */
async function ask(page, where, options = { resultTypes: ['violations'] }) {
  looks++
  const { violations } = await page.evaluate((o) => window.axe.run(document, o), options)
  for (const v of violations) for (const node of v.nodes.slice(0, 4)) problem(where, `axe ${v.id}: ${node.target} ${node.html.slice(0, 160)} ${node.any[0]?.message ?? node.all[0]?.message ?? node.none[0]?.message ?? ''}`.replaceAll(/\d{4,}/g, '#'))
}

/**
 * Looks at the page as it is now. In four languages axe is asked of it narrow and wide, light and dark; in the others of one of these four,
 * which is another one on the next page and in the next language.
 */
async function look(page, where, turn) {
  seen.add(new URL(page.url()).pathname)
  await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important; animation-duration: 0s !important }' })
  await page.evaluate(axe.source)
  const every = asked.some((tag) => where.endsWith(`-${tag}`))
  for (const [n, width] of [1280, 390].entries()) {
    await page.setViewportSize({ width, height: heights[width] })
    for (const [dark, colorScheme] of ['light', 'dark'].entries()) {
      if (!every && (2 * dark + n + turn) % 4) continue
      await page.emulateMedia({ colorScheme })
      await ask(page, `${where}-${width}-${colorScheme}`, every && dark ? colours : undefined)
    }
    if (every || n) for (const text of await page.evaluate(boxes)) problem(`${where}-${width}`, text)
    if (process.env.PICTURES) await page.screenshot({ path: `${out}whole-${where}-${width}.png`, fullPage: true })
  }
  const top = await page.evaluate(() => document.querySelector('header.top')?.offsetHeight ?? 0)
  if (top > tallest) problem(where, `the header is ${top} pixels tall at 390`)
  for (const width of [320, 820, 1366, 1920]) {
    await page.setViewportSize({ width, height: heights[width] })
    const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
    if (wide > room) problem(`${where}-${width}`, `${wide} pixels wide on a screen of ${room}`)
    if (process.env.PICTURES && width > 1000) await page.screenshot({ path: `${out}whole-${where}-${width}.png` })
  }
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** Looks at everything in a language. */
async function speak(language, signed, lists, kinds) {
  let turn = all.indexOf(language)
  for (const [who, state] of Object.entries(signed)) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true, storageState: state.storage })
    await context.addCookies([service.base, state.support].filter(Boolean).map((url) => ({ name: 'kalends-language', value: language, url })))
    const page = await context.newPage()
    page.support = state.support
    page.on('pageerror', (error) => problem(`${who}-${language}`, `script: ${error.message}`))
    for (const [name, one] of [...Object.entries(lists[who] ?? {}), ...Object.entries(kinds[who] ?? {})]) {
      if (only && !only.some((part) => `${who}-${name}`.includes(part))) continue
      const where = `${who}-${name}-${language}`
      try {
        if (typeof one === 'string') await page.goto(service.base + one)
        else await one(page)
        const said = await page.getAttribute('html', 'lang')
        if (said !== language) problem(where, `in ${said}`)
        await look(page, where, turn++)
      } catch (error) {
        problem(where, error.message.split('\n').slice(0, 3).join(' '))
        await page.goto('about:blank')
      }
    }
    await context.close()
  }
  console.log(`${language} after ${Math.round((Date.now() - began) / 1000)} s`)
}

/** A site of its own, and those who look at it, signed in once for all languages. */
async function ready() {
  const { ids, languages } = await fill(service, browser)
  await turnLettersOn(service, browser)
  const fresh = (path, fields) => browser.newContext().then((context) => signedIn(service, context, path, fields))
  const editor = await fresh('/admin', { login: 'admin', password: service.signIn })
  post.inbox = ''
  const sent = await more(editor)
  const provider = await fresh('/admin/provider', { password: token })
  await provider.goto(`${service.base}/admin/provider/sites/demo/copies`)
  await press(provider, 'button[value=copy]')
  for (let n = 0; n < 100 && !await provider.locator('button[value=back]').count(); n++) { await provider.waitForTimeout(300); await provider.reload() }
  await provider.goto(`${service.base}/admin/provider/sites/rowers/support`)
  await provider.fill('#f-reason', 'They cannot find their events.')
  await provider.locator('main form button[type=submit]').click()
  await provider.locator('.support-bar').waitFor()
  const support = new URL('/admin/desk', provider.url()).href
  const people = { editor, provider, author: await fresh('/admin', { login: 'author', password: 'correct horse battery' }), many: await fresh('/admin/sites', { email: 'many@example.org', password: 'one password for many sites' }) }
  const signed = { stranger: {} }
  for (const [who, page] of Object.entries(people)) signed[who] = { storage: await page.context().storageState() }
  signed.support = { storage: signed.provider.storage, support }
  for (const page of Object.values(people)) await page.context().close()
  const { visitor: _, ...lists } = addresses(ids)
  return { languages, signed, lists, kinds: states(ids, sent) }
}

try {
  const { languages, signed, lists, kinds } = await ready()
  all.push(...languages)
  const left = process.env.LANGUAGES?.split(',') ?? [...new Set([...asked, ...languages])]
  console.log(`ready after ${Math.round((Date.now() - began) / 1000)} s, ${left.length} languages`)
  await Promise.all([1, 2].map(async () => { while (left.length) await speak(left.shift(), signed, lists, kinds) }))
  if (!only) for (const text of await missed(['admin', 'lobby', 'console'], seen)) problem('pages.json', text)
} catch (error) {
  problem('the run', error.stack)
} finally {
  await browser.close()
  await service.stop()
  post.close()
}
for (const [text, where] of found) console.error(`${text}\n    ${where.length} times: ${where.slice(0, 6).join(', ')}`)
console.log(`${looks} looks with axe in ${Math.round((Date.now() - began) / 1000)} s, ${found.size} problems`)
process.exit(found.size ? 1 : 0)
