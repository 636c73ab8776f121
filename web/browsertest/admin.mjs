// Looks at every page of the administration (see look.mjs), as they are and with something wrong in their forms; that whatever
// is done with events can be done without scripts, and by keyboard alone.
//
//	node admin.mjs ../../bin/kalends
import { languages, looker } from './look.mjs'
import { png, seed, start } from './service.mjs'

const service = await start(process.argv[2])
const { api } = service
const eye = await looker(['admin'], 'admin-')
const { browser, problems } = eye
const admin = `${service.base}/admin`

const signIn = async (page) => {
  await page.fill('#f-login', 'admin')
  await page.fill('#f-password', service.signIn)
  await Promise.all([page.waitForURL('**/admin'), page.click('main button[type=submit]')])
}

const signedIn = async (options) => {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(admin)
  await signIn(page)
  return page
}

const first = async (page, list, link = '.rows a.name') => {
  await page.goto(`${admin}${list}`)
  return page.locator(link).first().getAttribute('href')
}

/** What the pages show besides the sample: something in the trash, a picture, an invitation, and a past to everything. */
async function fill() {
  const gone = await api('POST', '/events', { title: 'Called off', start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00' })
  await api('DELETE', `/events/${gone.id}`)
  const event = await api('POST', '/events', { title: 'Has a past', start_date: '2031-05-02 10:00', end_date: '2031-05-02 11:00' })
  await api('POST', `/events/${event.id}`, { title: 'Has a past and a future' })
  await api('POST', '/fields', { key: 'stage', label: 'Stage', kind: 'choice', filter: true, options: [{ label: 'Garden' }, { label: 'Hall' }] })
  const hook = await api('POST', '/webhooks', { url: 'https://example.org/changes', events: ['*'] })
  const club = await api('POST', '/sources', { name: 'Club', kind: 'ics', url: 'https://calendar.invalid/club.ics', active: false })
  const taken = await api('POST', '/imports', { url: 'https://calendar.invalid/club.ics', dry_run: true })
  const page = await signedIn({ javaScriptEnabled: false })
  await page.goto(`${admin}/media`)
  await page.setInputFiles('#f-files', { name: 'stripes.png', mimeType: 'image/png', buffer: png(320, 200) })
  await Promise.all([page.waitForEvent('load'), page.locator('form', { has: page.locator('#f-files') }).locator('button').click()])
  await page.goto(`${admin}/users/new`)
  await page.fill('#f-handle', 'guest')
  await page.fill('#f-email', 'guest@example.org')
  await page.fill('#f-confirm', service.signIn)
  await Promise.all([page.waitForEvent('load'), page.click('button[value=save]')])
  const welcome = new URL(await page.locator('code.secret').innerText())
  const ids = { event: event.id, webhook: hook.id, import: taken.id, source: club.id, welcome: welcome.pathname + welcome.search }
  for (const [kind, list, link] of [['venue', '/venues'], ['organizer', '/organizers'], ['category', '/categories'], ['tag', '/tags'], ['image', '/media', '.media-grid a'], ['user', '/users']]) {
    ids[kind] = (await first(page, list, link)).match(/\d+$/)[0]
  }
  await page.context().close()
  return ids
}

/** The pages that have an address. */
const addresses = (ids) => ({
  calendar: '', week: '?view=week', day: '?view=list', 'calendar-filter': '?filter=1',
  events: '/events', past: '/events?view=past', quick: '/events/quick?text=Choir+tomorrow+19:30+Town+hall', unclear: '/events/quick?text=Choir', copy: `/events/${ids.event}/copy`, filtered: '/events?featured=1', 'long-names': '/events?search=Rechtsschutz', nothing: '/events?search=nowhere', new: '/events/new', event: `/events/${ids.event}`,
  move: `/events/${ids.event}/move`, revisions: `/events/${ids.event}/revisions`,
  venues: '/venues', 'new-venue': '/venues/new', venue: `/venues/${ids.venue}`, 'venue-revisions': `/venues/${ids.venue}/revisions`, 'venue-twins': '/venues/twins',
  organizers: '/organizers', 'new-organizer': '/organizers/new', organizer: `/organizers/${ids.organizer}`, 'organizer-revisions': `/organizers/${ids.organizer}/revisions`, 'organizer-twins': '/organizers/twins',
  categories: '/categories', category: `/categories/${ids.category}`, tags: '/tags', tag: `/tags/${ids.tag}`,
  media: '/media', picture: `/media/${ids.image}`, trash: '/trash', desk: '/desk', row: `/events/${ids.event}/row`, lacking: '/events?lacks=image', audit: '/audit', 'audit-filtered': '/audit?kind=event&action=create',
  settings: '/settings', design: '/settings/design', seasons: '/settings/seasons', display: '/settings/display', visitors: '/settings/visitors', sharing: '/settings/sharing', 'site-texts': '/settings/texts', users: '/users', 'new-user': '/users/new', 'sign-in': '/sign-in', user: `/users/${ids.user}`, keys: '/keys', webhooks: '/webhooks', webhook: `/webhooks/${ids.webhook}`, fields: '/fields', field: '/fields/edit?key=stage', imports: '/import', import: `/import/${ids.import}`, sources: '/sources', source: `/sources/${ids.source}`, letters: '/letters', numbers: '/numbers', embed: '/embed', texts: '/texts', profile: '/profile', access: '/access', missing: '/missing',
})

async function look(language, ids) {
  const page = await eye.page(language, service.base)
  const now = (name) => eye.look(page, name, language)
  const press = async (selector) => {
    await page.evaluate(() => { for (const form of document.forms) form.noValidate = true }) // the server shall say what is wrong
    await Promise.all([page.waitForEvent('load'), page.locator(selector).first().click()])
  }
  for (const [name, path] of Object.entries({ login: '/login', 'login-passkey': '/login/passkey', 'login-code': '/login/code', forgotten: '/forgotten' })) await eye.visit(page, `${admin}${path}`, name)
  await eye.visit(page, service.base + ids.welcome, 'welcome')
  await page.fill('#f-password', 'short')
  await press('main form button[type=submit]')
  await now('welcome-wrong')
  await page.goto(`${admin}/login`)
  await page.fill('#f-login', 'admin')
  await page.fill('#f-password', 'wrong')
  await press('main button[type=submit]')
  await now('login-wrong')
  await signIn(page)
  for (const [name, path] of Object.entries(addresses(ids))) await eye.visit(page, `${admin}${path}`, name)
  await page.goto(`${admin}/media/${ids.image}`)
  const edge = (of) => page.locator(of).first().evaluate((one, from) => Math.round(one.getBoundingClientRect()[from]), language === 'ar' ? 'right' : 'left')
  const [side, start] = [await edge('focus-point > .thumb'), await edge('main > .title-row')]
  if (side !== start) eye.problems.push(`picture-${language}: the picture isn’t where its texts begin: ${side}, not ${start}`)
  for (const [section, link] of [['venues'], ['organizers'], ['categories'], ['tags']]) {
    await page.goto(`${admin}/${section}`)
    for (const n of [0, 1]) await page.locator('.rows input[name=id]').nth(n).check()
    await press('button[value=merge]')
    await now(`${section}-merge`)
  }
  await wrong(page, now, press, ids)
  await page.goto(`${admin}/events`)
  await page.locator('input[name=id]').first().check()
  await now('chosen')
  await press('button[value=trash]')
  await now('undo')
  await page.goto(`${admin}/trash`)
  await page.locator('input[name=id]').first().check()
  await press('button[value=delete]')
  await now('sure')
  await page.context().close()
}

/** Forms with something wrong, and what somebody else has changed meanwhile. */
async function wrong(page, now, press, ids) {
  await page.goto(`${admin}/events/new`)
  await page.locator('form.editor input[name=venue]').first().fill('Nowhere Hall')
  await press('.saves .first')
  await now('wrong')
  await page.goto(`${admin}/venues/new`)
  await press('.saves button[value=save]')
  await now('wrong-venue')
  await page.goto(`${admin}/categories`)
  await press('form.stack button[value=save]')
  await now('wrong-category')
  await page.goto(`${admin}/users/new`)
  await page.fill('#f-handle', 'x y')
  await press('button[value=save]')
  await now('wrong-user')
  await page.goto(`${admin}/settings`)
  await page.fill('#f-name', ' ')
  await press('form.settings p.buttons button[value=save]')
  await now('wrong-settings')
  await page.goto(`${admin}/profile`)
  await press('button[value=password]')
  await now('wrong-profile')
  await page.goto(`${admin}/events/${ids.event}`)
  await page.locator('.wide > rich-text[data-ready]').waitFor()
  await page.fill('#f-title', 'My name for it')
  await api('POST', `/events/${ids.event}`, { title: `Their name for it ${Math.random()}` })
  await press('.saves .first')
  await now('conflict')
  await page.evaluate(() => { for (const one of document.querySelectorAll('input[name=csrf]')) one.value = 'of another' })
  await press('form.conflict button[type=submit]')
  await now('stale')
}

const expect = (condition, text) => { if (!condition) problems.push(text) }

// The whole way of an event, with scripts off.
async function withoutScripts() {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(admin)
  await signIn(page)
  await page.goto(`${admin}/events/new`)
  await page.fill('#f-title', 'Without scripts')
  await page.click('#f-venue summary')
  await page.fill('#f-new_venue\\.venue', 'New Hall')
  await page.click('.saves .first')
  const address = page.url()
  expect(/\/admin\/events\/\d+$/.test(address), `saving leads to ${address}`)
  expect((await page.locator('input[name=venue]').first().inputValue()) === 'New Hall', 'the new venue is not linked')
  expect((await page.inputValue('#f-status')) === 'publish', 'it is not published')
  await page.click('.saves button[value=draft]')
  expect((await page.inputValue('#f-status')) === 'draft', 'it is no draft')
  await page.click('.saves button[value=publish]')
  await page.click('button[value=remove]')
  await page.goto(`${admin}/trash`)
  await page.getByLabel('Without scripts').check()
  await page.locator('section', { hasText: 'Without scripts' }).locator('button[value=restore]').click()
  await page.goto(address)
  expect((await page.inputValue('#f-status')) === 'publish', 'it is not restored')
  await context.close()
}

// The preview of the settings follows what is typed, before it is saved.
async function livePreview() {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(admin)
  await signIn(page)
  await page.goto(`${admin}/settings/display`)
  await page.fill('#f-currency_symbol', 'kr')
  await page.keyboard.press('Tab')
  const shown = page.locator('#preview', { hasText: /kr\s?12\.50/ }).waitFor({ timeout: 10_000 })
  await shown.catch(() => problems.push('the preview of the settings does not follow'))
  await context.close()
}

// A key just made comes with a command, and a button that copies it.
async function copying() {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  await page.goto(admin)
  await signIn(page)
  await page.goto(`${admin}/access`)
  expect(await page.locator('copy-line').count() === 1 && (await page.locator('copy-line code').innerText()).includes(`${service.base}/calendar/events/v1/events`), 'no command on the page')
  await page.fill('#f-name', 'Copied')
  await page.selectOption('#f-kind', 'api_key')
  await page.fill('#f-present', service.signIn)
  await page.click('main button[value=save]')
  const secret = await page.locator('code.secret').innerText()
  await page.locator('.said copy-line button').focus()
  await page.keyboard.press('Enter')
  await page.locator('.said copy-line [role=status]', { hasText: 'Copied' }).waitFor()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied === `curl -H 'Authorization: Bearer ${secret}' ${service.base}/calendar/events/v1/events`, `copied: ${copied}`)
  expect((await fetch(`${service.base}/calendar/events/v1/events`, { headers: { Authorization: `Bearer ${secret}` } })).ok, 'the key opens nothing')
  expect((await fetch(new URL(await page.locator('a[href$="/api-reference/"]').getAttribute('href'), service.base))).ok, 'the interface isn’t described')
  await context.close()
}

// The same by keyboard alone.
async function byKeyboard() {
  const context = await browser.newContext()
  const page = await context.newPage()
  const reach = async (selector) => {
    for (let i = 0; i < 300; i++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return i + 1
    }
    throw new Error(`${selector} can't be reached by keyboard`)
  }
  await page.goto(admin)
  await reach('#f-login')
  await page.keyboard.type('admin')
  await reach('#f-password')
  await page.keyboard.type(service.signIn)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin')
  for (const path of ['/events', '/venues', '']) {
    await page.goto(admin + path)
    const tabs = await reach('a[href="/admin/events/new"]')
    expect(tabs <= 5, `${tabs} presses of Tab to a new event on ${path || 'the calendar'}`)
  }
  await page.keyboard.press('Enter')
  await page.waitForURL('**/events/new')
  await reach('#f-title')
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(500)
  expect(page.url().endsWith('/events/new'), 'Enter in the title saves the event')
  await page.keyboard.press('Control+s')
  await page.waitForURL(/events\/\d+$/)
  const address = page.url()
  await reach('button[value=remove]')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/events')
  await reach('a[href="/admin/trash"]')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/trash')
  await reach('input[name=id]')
  if (!(await page.evaluate(() => document.activeElement.checked))) await page.keyboard.press('Space') // the only one is chosen already
  await reach('button[value=restore]')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  await page.goto(address)
  expect((await page.inputValue('#f-title')) === 'By keyboard', 'the event of the keyboard is lost')
  await context.close()
}

// What a filter finds is shown while it is typed.
async function filtering() {
  await api('POST', '/events', { title: 'Xylophone evening', start_date: '2031-05-03 19:00', end_date: '2031-05-03 21:00' })
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(admin)
  await signIn(page)
  await page.goto(`${admin}/events`)
  await page.locator('#f-search').pressSequentially('xylophone')
  await page.waitForFunction(() => document.querySelectorAll('#found tbody tr').length === 1)
  expect(page.url().includes('search=xylophone'), `the address stays ${page.url()}`)
  expect((await page.locator('#amount').innerText()).includes('1'), 'the amount is not told')
  expect(await page.evaluate(() => document.activeElement.id) === 'f-search', 'the focus left the search')
  await page.locator('#found nav.tabs a[href*="view=all"]').click()
  await page.waitForURL('**view=all**')
  await page.fill('#f-search', '')
  await page.waitForFunction(() => document.querySelectorAll('#found tbody tr').length > 1)
  expect(page.url().includes('view=all'), `the view is forgotten: ${page.url()}`)
  await context.close()
}

try {
  await seed(service)
  if (!process.env.PICTURES) for (const run of [withoutScripts, livePreview, byKeyboard, filtering, copying]) await run().catch((error) => problems.push(`${run.name}: ${error.stack}`))
  const ids = await fill()
  const line = languages.toReversed()
  const work = async () => { for (let one; (one = line.pop());) await look(one, ids).catch((error) => problems.push(`${one}: ${error.stack}`)) }
  await Promise.all([work(), work()])
} catch (error) {
  problems.push(error.stack)
} finally {
  await service.stop()
}
process.exit(await eye.end())
