// What an editor and an administrator do, each done twice: by keyboard alone, and
// by mouse with scripts off (see hands.mjs). What came of it is asked of the API.
//
//	node ways.mjs ../../bin/kalends        ONLY=merging,settings: these alone
import { chromium } from 'playwright-core'
import { Keys, Plain, hand } from './hands.mjs'
import { png, seed, start } from './service.mjs'

const service = await start(process.argv[2])
const { api } = service
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0
const same = (got, want, text) => {
  checked++
  if (String(got) !== String(want)) problems.push(`${text}: ${got}, not ${want}`)
}

const rest = `${service.base}/calendar/events/v1`
const event = (title, more) => api('POST', '/events', { title, start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00', ...more })
const statusOf = async (path) => (await fetch(service.base + path, { redirect: 'manual' })).status
const opens = async (authorization) => (await fetch(`${rest}/events?status=draft`, { headers: { Authorization: authorization } })).status
const box = (id) => `input[type=checkbox][name=id][value="${id}"]`
const slug = (text) => text.toLowerCase().replaceAll(' ', '-')

const tasks = {
  /** Twenty at once: publish, category, draft, trash, back, and gone. */
  async bulk(at) {
    const made = []
    for (const n of [1, 2, 3]) made.push(await event(`Many ${at.name} ${n}`, { status: 'draft' }))
    const group = await api('POST', '/categories', { name: `Group ${at.name}` })
    const all = async (what) => (await Promise.all(made.map(({ id }) => api('GET', `/events/${id}`)))).map(what).join()
    const choose = async () => {
      await at.open(`/admin/events?search=${encodeURIComponent(`many ${at.name}`)}`)
      for (const { id } of made.toReversed()) await at.tick(box(id)).catch(() => at.tick(box(id)))
    }
    const list = async (button) => {
      await choose()
      if (button === 'category') await at.choose('#f-add', String(group.id))
      await at.press(`#found button[value=${button}]`)
      if (button === 'draft') await at.press('main button[value=draft]') // visitors no longer see them, so it asks
      same(await at.page.locator('main > .said').count(), 1, `${at.name}: ${button}: nothing is said`)
    }
    await list('publish')
    same(await all((e) => e.status), 'publish,publish,publish', `${at.name}: published`)
    await list('category')
    same(await all((e) => e.categories.map((c) => c.name)), made.map(() => group.name).join(), `${at.name}: in a category`)
    await list('draft')
    same(await all((e) => e.status), 'draft,draft,draft', `${at.name}: drafts again`)
    await list('trash')
    const trash = async (button) => {
      await at.open('/admin/trash')
      for (const { id } of made.toReversed()) await at.tick(`section[aria-labelledby=trash-events] ${box(id)}`)
      await at.press(`section[aria-labelledby=trash-events] button[value=${button}]`)
    }
    await trash('restore')
    same(await all((e) => e.status), 'draft,draft,draft', `${at.name}: restored`)
    await list('trash')
    await at.press('form.said.undo button')
    same(await all((e) => e.status), 'draft,draft,draft', `${at.name}: taken back`)
    await list('trash')
    await trash('delete')
    await at.press('main button[value=delete]')
    same(await all((e) => e.status).catch((error) => /: (404|410) /.test(error.message)), true, `${at.name}: gone for good`)
  },

  /** Title, time and status changed in the list, and taken back. */
  async quickEdit(at) {
    const { id } = await event(`Row ${at.name}`, { status: 'draft' })
    const now = async () => { const e = await api('GET', `/events/${id}`); return `${e.title}, ${e.status}` }
    const list = `/admin/events?search=${encodeURIComponent(`row ${at.name}`)}`
    await at.open(list)
    if (at instanceof Keys) {
      await at.touch(`a[href*="/events/${id}/row"]`)
      await at.see('form.row-form')
      await at.fill('form.row-form [name=title]', 'Never saved')
      await at.page.keyboard.press('Escape')
      await at.page.locator('form.row-form').waitFor({ state: 'detached' })
      same(await now(), `Row ${at.name}, draft`, `${at.name}: left as it was`)
      await at.touch(`a[href*="/events/${id}/row"]`)
      await at.see('form.row-form')
    } else await at.press(`a[href*="/events/${id}/row"]`)
    await at.fill('form.row-form [name=title]', `Changed row ${at.name}`)
    await at.choose('#r-status', 'publish')
    if (at instanceof Keys) {
      await at.touch('form.row-form button[value=save]')
      await at.page.locator('form.row-form').waitFor({ state: 'detached' })
    } else await at.press('form.row-form button[value=save]')
    same(await now(), `Changed row ${at.name}, publish`, `${at.name}: changed in the list`)
    await at.open(list)
    same(await at.page.locator('.rows, #found').getByText(`Changed row ${at.name}`).count() > 0, true, `${at.name}: the list shows it`)
  },

  /** Two that are the same become one, whatever they are. */
  async merging(at) {
    const kinds = { venues: ['venue', 'venue'], organizers: ['organizer', 'organizer'], categories: ['name', 'categories'], tags: ['name', 'tags'] }
    for (const [section, [name, link]] of Object.entries(kinds)) {
      const [keep, gone] = [`Kept ${section} ${at.name}`, `Gone ${section} ${at.name}`]
      const a = await api('POST', `/${section}`, { [name]: keep, description: 'Of the first' })
      const b = await api('POST', `/${section}`, { [name]: gone, description: 'Of the second' })
      const { id } = await event(`Merged ${section} ${at.name}`, { [link]: [b.id] })
      await at.open(`/admin/${section}?search=${encodeURIComponent(at.name)}`)
      const order = await at.page.locator('.rows input[name=id]').evaluateAll((all) => all.map((one) => one.value))
      for (const one of order.filter((one) => [a.id, b.id].includes(Number(one)))) await at.tick(box(one))
      await at.press('main form button[value=merge]')
      await at.pick(`input[name=keep][value="${a.id}"]`)
      await at.press('form.conflict button[value=show]')
      await at.pick(`input[name="take.description"][value="${b.id}"]`)
      await at.press('form.conflict button[value=merge]')
      const merged = await api('GET', `/${section}/${a.id}`)
      same(`${merged[name]}, ${merged.description.includes('second')}`, `${keep}, true`, `${at.name}: ${section} merged`)
      const links = (await api('GET', `/events/${id}`))[link]
      same([links].flat().map((one) => one[name]), keep, `${at.name}: the event of the ${section} gone`)
      const path = { venues: '/venue/', organizers: '/organizer/', categories: '/events/category/', tags: '/tag/' }[section]
      same(await statusOf(`/en${path}${slug(gone)}/`), 301, `${at.name}: the address of the ${section} gone`)
    }
    // From the page of one, with another to be looked for.
    const a = await api('POST', '/venues', { venue: `Pier ${at.name}` }), b = await api('POST', '/venues', { venue: `Jetty ${at.name}` })
    await at.open(`/admin/venues/${a.id}`)
    await at.press('a[href*="/venues/merge"]')
    await at.fill('#f-search', 'jetty')
    await at.press('form.filter button')
    await at.tick(box(b.id))
    await at.press('form.stack button[type=submit]')
    await at.press('form.conflict button[value=merge]')
    same(await statusOf(`/calendar/events/v1/venues/${b.id}`) >= 400, true, `${at.name}: merged from the page of one`)
  },

  /** A picture: uploaded, described, chosen for an event, and removed. */
  async media(at) {
    const file = `${slug(at.name)}.png`
    await at.open('/admin/media')
    await at.file('#f-files', file, png(64, 48))
    if (at instanceof Plain) await at.press('form[enctype] button')
    else {
      await at.see('.uploads form')
      await at.fill('.uploads input[name=alt]', 'Said at once')
      await at.touch('.uploads button[type=submit]')
      await at.page.locator('.uploads .hint').filter({ hasText: /saved/i }).waitFor()
    }
    const address = await at.page.locator('.media-grid a', { hasText: slug(at.name) }).getAttribute('href')
    const id = address.match(/\d+$/)[0]
    await at.press(`.media-grid a[href="${address}"]`)
    await at.fill('#f-alt', `Stripes ${at.name}`)
    await at.press('form.stack button[value=save]')
    await at.open('/admin/events/new')
    await at.fill('#f-title', `With a picture ${at.name}`)
    if (at instanceof Keys) {
      await at.touch('image-field [data-do=library]')
      await at.fill('#library-search', slug(at.name))
      await at.page.waitForFunction(() => document.querySelectorAll('.pictures button').length === 1)
      await at.touch('.pictures button')
      await at.see('image-field figure')
      same(await at.page.evaluate(() => document.activeElement.closest('image-field') !== null), true, `${at.name}: the focus after choosing from the library`)
    } else {
      await at.fill('#f-image', id)
    }
    await at.press('.saves .first')
    const stored = await api('GET', `/events/${at.page.url().match(/\d+$/)[0]}`)
    same(`${stored.title} ${stored.image.id}`, `With a picture ${at.name} ${id}`, `${at.name}: the picture of the event`)
    same(stored.image.alt ?? await at.page.inputValue('#f-image_alt'), `Stripes ${at.name}`, `${at.name}: its words`)
    await at.open(address)
    await at.press('form.stack button[value=delete]')
    await at.press('form.stack button[value=delete]')
    same(await statusOf(address.replace('/admin', '/calendar/events/v1')) >= 400, true, `${at.name}: the picture is gone`)
    same(await at.page.locator('.media-grid a', { hasText: slug(at.name) }).count(), 0, `${at.name}: the picture is in the grid`)
  },

  async settings(at) {
    await at.open('/admin/settings')
    await at.fill('#f-name', `Site ${at.name}`)
    await at.fill('#f-timezone', 'Asia/Tokyo')
    await at.tick('input[name=languages][value=fr]', false)
    await at.press('form.settings p.buttons button[value=save]')
    const now = async (...fields) => (await Promise.all(fields.map((field) => at.page.inputValue(field)))).join()
    same(`${await now('#f-name', '#f-timezone')},${await at.page.isChecked('input[name=languages][value=fr]')}`, `Site ${at.name},Asia/Tokyo,false`, `${at.name}: the settings`)
    await at.open('/admin/settings/display')
    await at.choose('#f-week_start', '7')
    await at.choose('#f-currency_position', 'postfix')
    await at.fill('#f-per_page', '7')
    await at.press('form.settings p.buttons button[value=save]')
    same(await now('#f-week_start', '#f-currency_position', '#f-per_page'), '7,postfix,7', `${at.name}: the settings of what is shown`)
    same(await at.text('.top .site'), `Site ${at.name}`, `${at.name}: the name`)
    await at.fill('#f-per_page', '0')
    await at.press('form.settings p.buttons button[value=show]')
    await at.fill('#f-per_page', '10')
    await at.press('form.settings p.buttons button[value=save]')
    same(await now('#f-week_start', '#f-per_page'), '7,10', `${at.name}: the settings once more`)
    await at.open('/admin/settings')
    await at.fill('#f-timezone', 'Europe/Vienna')
    await at.tick('input[name=languages][value=fr]')
    await at.press('form.settings p.buttons button[value=save]')
    same(`${await now('#f-timezone')},${await at.page.isChecked('input[name=languages][value=fr]')}`, 'Europe/Vienna,true', `${at.name}: the time zone and the languages`)
  },

  /** A colleague: invited, with another role, a new password, signed out, and gone. */
  async users(at) {
    const login = slug(at.name).replaceAll('-', '')
    await at.open('/admin/users/new')
    await at.fill('#f-handle', login)
    await at.fill('#f-name', `Colleague ${at.name}`)
    await at.fill('#f-email', `${login}@example.org`)
    await at.choose('#f-role', 'author')
    await at.fill('#f-confirm', service.signIn)
    await at.press('main button[value=save]')
    const link = async () => { const { pathname, search } = new URL(await at.text('code.secret')); return pathname + search }
    const welcome = await link()
    const other = await hand(at.constructor, browser, service.base, (text) => problems.push(text))
    const secret = async (path, password) => {
      await other.open(path)
      await other.fill('#f-password', password)
      await other.fill('#f-again', password)
      await other.press('main form button[type=submit]')
      if (await other.page.locator('#f-login').count()) await other.signIn(login, password)
      await other.open('/admin/events/new')
      same(await other.page.locator('#f-title').count(), 1, `${at.name}: the colleague's editor`)
    }
    await secret(welcome, 'first long enough secret')
    await at.open(`/admin/users?search=${login}`)
    await at.press('.rows a.name')
    const address = new URL(at.page.url()).pathname
    await at.fill('#f-name', `Colleague of ${at.name}`)
    await at.press('form.stack button[value=save]')
    same(await at.page.inputValue('#f-name'), `Colleague of ${at.name}`, `${at.name}: the name`)
    await at.choose('#f-role', 'editor')
    await at.press('form.stack button[value=save]')
    same(await at.page.inputValue('#f-role'), 'editor', `${at.name}: the role that was chosen`)
    await at.fill('#f-yours', service.signIn)
    await at.press('form.stack button[value=save]')
    same([await at.page.inputValue('#f-role'), await at.page.locator('#p-yours').count()], 'editor,0', `${at.name}: the role`)
    await at.fill('#f-confirm', service.signIn)
    await at.press('main button[value=voucher]')
    const reset = await link()
    await other.page.context().clearCookies({ name: 'kalends' })
    await secret(reset, 'second long enough secret')
    await at.open(address)
    await at.press('main button[value=end]')
    await other.open('/admin')
    same(new URL(other.page.url()).pathname, '/admin/login', `${at.name}: signed out by another`)
    await at.press('main button[value=delete]')
    await at.press('main button[value=delete]')
    await at.open(`/admin/users?search=${login}`)
    same(await at.page.locator('.rows a.name').count(), 0, `${at.name}: the colleague is still there`)
    await other.page.context().close()
  },

  /** What programs use: made, used and revoked. */
  async access(at) {
    await at.open('/admin/access')
    await at.fill('#f-name', `Key ${at.name}`)
    await at.choose('#f-kind', 'api_key')
    await at.tick('#f-read_only')
    await at.fill('#f-present', service.signIn)
    await at.press('main button[value=save]')
    const key = `Bearer ${await at.text('code.secret')}`
    same(await opens(key), 200, `${at.name}: the key`)
    same((await fetch(`${rest}/events`, { method: 'POST', headers: { Authorization: key, 'Content-Type': 'application/json' }, body: JSON.stringify({ title: 'Not to be', start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00' }) })).status, 403, `${at.name}: a key that only reads`)
    await at.open('/admin/access')
    await at.fill('#f-name', `Password ${at.name}`)
    await at.choose('#f-kind', 'application_password')
    await at.fill('#f-present', service.signIn)
    await at.press('main button[value=save]')
    const password = `Basic ${Buffer.from(`admin:${await at.text('code.secret')}`).toString('base64')}`
    same(await opens(password), 200, `${at.name}: the application password`)
    for (const name of ['Key', 'Password']) await at.press(`button[value=revoke][aria-label*="${name} ${at.name}"]`)
    same([await opens(key), await opens(password)], '401,401', `${at.name}: revoked`)
  },

  /** The tree: a new branch with a colour, moved, coloured anew, and removed. */
  async tree(at) {
    const root = await api('POST', '/categories', { name: `Root ${at.name}` })
    await at.open('/admin/categories')
    await at.fill('section.panel #f-name', `Leaf ${at.name}`)
    await at.choose('#f-parent', String(root.id))
    await at.tick('#f-color_none', false)
    await at.press('section.panel button[value=save]')
    const { categories } = await api('GET', `/categories?search=${encodeURIComponent(`Leaf ${at.name}`)}&hide_empty=false`)
    const leaf = categories[0]
    const now = async () => api('GET', `/categories/${leaf.id}`)
    same(leaf.parent, root.id, `${at.name}: where the new one is`)
    await at.tick(box(leaf.id))
    await at.choose('#f-below', '0')
    await at.press('button[value=move]')
    same((await now()).parent || 0, 0, `${at.name}: moved`)
    await at.press(`.rows a[href="/admin/categories/${leaf.id}"]`)
    await at.color('#f-color', '#aa3311')
    await at.fill('#f-description', 'In words')
    await at.press('main button[value=save]')
    await at.open(`/admin/categories/${leaf.id}`)
    same(await at.page.inputValue('#f-color'), '#aa3311', `${at.name}: the colour`)
    same(await at.page.isChecked('#f-color_none'), false, `${at.name}: it has a colour`)
    await at.press('main button[value=delete]')
    await at.press('main button[value=delete]')
    same(await statusOf(`/calendar/events/v1/categories/${leaf.id}`) >= 400, true, `${at.name}: the category is gone`)
  },

  /** The calendar: an event moved, made longer, and put back, all by its form. */
  async moving(at) {
    const month = at instanceof Keys ? '2031-07' : '2031-09' // where nothing else is
    const { id } = await event(`Moved ${at.name}`, { start_date: `${month}-01 10:00`, end_date: `${month}-01 11:00` })
    const when = async () => { const e = await api('GET', `/events/${id}`); return `${e.start_date} – ${e.end_date}` }
    for (const view of ['month', 'week', 'list']) {
      await at.open(`/admin?view=${view}&date=${month}-01`)
      await at.press(`[data-id="${id}"] .move`)
      await at.date('#f-start_date', `${month}-08T15:30`)
      await at.date('#f-end_date', `${month}-08T18:45`)
      await at.press('.move-form button[type=submit]')
      same(await when(), `${month}-08 15:30:00 – ${month}-08 18:45:00`, `${at.name}: moved and resized in ${view}`)
      await at.touch('#calendar-status button')
      await at.page.locator('#calendar-status button').waitFor({ state: 'detached' })
      same(await when(), `${month}-01 10:00:00 – ${month}-01 11:00:00`, `${at.name}: put back in ${view}`)
    }
    await at.open(`/admin?date=${month}-01`)
    await at.press(`td[data-day="${month}-14"] .add`)
    same(await at.page.inputValue('#f-start_date'), `${month}-14T10:00`, `${at.name}: a day's new event`)
  },

  async duplicate(at) {
    const { id } = await event(`Again ${at.name}`, { cost: '5', venue: { venue: `Hall of ${at.name}` } })
    await at.open(`/admin/events?search=${encodeURIComponent(`again ${at.name}`)}`)
    await at.press(`#found a[href$="/${id}/copy"]`)
    await at.date('#f-start_date', '2031-06-01T10:00')
    await at.press('form.stack button[value=publish]')
    const copy = await api('GET', `/events/${at.page.url().match(/\d+$/)[0]}`)
    same([copy.id === id, copy.title, copy.start_date, copy.venue.venue, copy.status], `false,Again ${at.name},2031-06-01 10:00:00,Hall of ${at.name},publish`, `${at.name}: the copy`)
  },

  async revisions(at) {
    const { id } = await event(`First name ${at.name}`)
    await api('POST', `/events/${id}`, { title: `Second name ${at.name}` })
    await api('POST', `/events/${id}`, { title: `Third name ${at.name}`, cost: '7' })
    await at.open(`/admin/events/${id}`)
    await at.press('a[href$="/revisions"]')
    const versions = await at.page.locator('.revisions input[name=version]').evaluateAll((all) => all.map((one) => one.value))
    await at.press(`.revisions a[href$="from=${versions.at(-1)}"]`)
    same((await at.text('.differences')).includes('First'), true, `${at.name}: the difference to the first`)
    await at.press('.differences form:has(input[name=only][value=title]) button')
    const back = await api('GET', `/events/${id}`)
    same([back.title, back.cost !== ''], `First name ${at.name},true`, `${at.name}: only the title is restored`)
    await at.press('form.said.undo button')
    same((await api('GET', `/events/${id}`)).title, `Third name ${at.name}`, `${at.name}: not restored after all`)
    await at.open(`/admin/events/${id}/revisions`)
    await at.press(`.history form:has(input[name=version][value="${versions.at(-1)}"]) button`)
    same((await api('GET', `/events/${id}`)).title, `First name ${at.name}`, `${at.name}: restored`)
  },

  async conflict(at) {
    const { id } = await event(`Meeting ${at.name}`)
    await at.open(`/admin/events/${id}`)
    await api('POST', `/events/${id}`, { title: 'Theirs', website: 'https://example.org/theirs' })
    await at.fill('#f-title', 'Mine')
    await at.fill('#f-website', 'https://example.org/mine')
    await at.press('.saves .first')
    await at.pick('input[name="choose.title"][value=theirs]')
    await at.pick('input[name="choose.website"][value=mine]')
    await at.press('button[value=resolve]')
    const now = await api('GET', `/events/${id}`)
    same(`${now.title} ${now.website}`, 'Theirs https://example.org/mine', `${at.name}: what was chosen`)
  },

  /** What is one's own: language, theme, a password that is wrong, and the way out. */
  async profile(at) {
    await at.open('/admin/profile')
    await at.choose('#f-theme', 'dark')
    await at.press('main button[value=person]')
    same(await at.page.getAttribute('html', 'data-theme'), 'dark', `${at.name}: the theme`)
    await at.choose('#f-theme', '')
    await at.press('main button[value=person]')
    await at.fill('#f-old', 'not it')
    await at.fill('#f-password', 'a long enough secret')
    await at.fill('#f-again', 'a long enough secret')
    await at.press('main button[value=password]')
    await at.see('#p-old')
    await at.choose('#language', 'de')
    await at.press('form.language button')
    same(await at.page.getAttribute('html', 'lang'), 'de', `${at.name}: the language`)
    await at.choose('#language', 'en')
    await at.press('form.language button')
  },

  /** Finding: words, more of the filter, order and pages. */
  async finding(at) {
    for (let n = 10; n < 35; n++) await event(`Series ${at.name} ${n}`)
    await at.open('/admin/events')
    await at.fill('#f-search', `series ${at.name}`)
    await at.touch('.filter .send button')
    await at.see('#found .count:text-is("25")')
    await at.touch('#found th a[href*="sort=title"]')
    await at.see('th[aria-sort] a[href*="sort=title"]')
    await at.touch('#found nav.pages a[rel=next]')
    await at.see('#found nav.pages a[rel=prev]')
    const details = at.page.locator('.filter details')
    if (await details.getAttribute('open') === null) await at.touch('.filter summary')
    await at.date('#f-to', '2030-01-01')
    await at.touch('.filter .send button')
    await at.see('#found .nothing')
  },

  /** The public pages: a search, a locked event, a month, another language. */
  async visiting(at) {
    await at.open('/en/event/board/')
    await at.fill('#password', 'anchor')
    await at.press('.lock button')
    same(await at.page.locator('.lock').count(), 0, `${at.name}: the locked event`)
    await at.open('/en/events/')
    await at.fill('input[name=search]', 'lake')
    await at.press(at instanceof Keys ? 'input[name=search]' : 'form:has(input[name=search]) button')
    same(await at.page.locator('.entry').count() > 0, true, `${at.name}: found`)
    await at.open('/en/events/month/')
    await at.press('a[rel=next]')
    await at.touch('.languages > button')
    await at.press('a[hreflang=de], a[lang=de]')
    same(await at.page.getAttribute('html', 'lang'), 'de', `${at.name}: the other language`)
  },

  /** A form that is left before it is sent asks, where scripts run; sent or unchanged it doesn't. */
  async unsaved(at) {
    if (at instanceof Plain) return
    let asked = 0
    const answer = (dialog) => { asked += dialog.type() === 'beforeunload'; dialog.accept().catch(() => {}) }
    at.page.on('dialog', answer)
    const leaves = async (times, what) => {
      asked = 0
      await at.open('/admin/events')
      same(asked, times, `${at.name}: asked before ${what} is lost`)
    }
    const group = await api('POST', '/categories', { name: `Unsaved ${at.name}` })
    for (const [path, field] of [['/admin/settings', '#f-tagline'], ['/admin/users/new', '#f-name'], ['/admin/venues/new', '#f-venue'], [`/admin/categories/${group.id}`, '#f-name']]) {
      await at.open(path)
      await leaves(0, `nothing at ${path}`)
      await at.open(path)
      await at.fill(field, 'typed')
      await leaves(1, path)
    }
    await at.open('/admin/settings')
    await at.fill('#f-tagline', 'By the lake')
    asked = 0
    await at.press('form.settings button[value=save]')
    same(asked, 0, `${at.name}: asked although the form is sent`)
    at.page.off('dialog', answer)
  },

  /** Last, because it ends the session. */
  async leaving(at) {
    await at.open('/admin/profile')
    await at.press('.user button')
    await at.open('/admin/forgotten')
    await at.press('a[href="/admin/login"]')
    await at.fill('#f-login', 'admin')
    await at.fill('#f-password', 'wrong')
    await at.press('main form button[type=submit]')
    await at.signIn('admin', service.signIn)
    same(new URL(at.page.url()).pathname.startsWith('/admin/login'), false, `${at.name}: signed in again`)
  },
}

let done = 0
const wanted = Object.entries(tasks).filter(([name]) => !process.env.ONLY || process.env.ONLY.split(',').includes(name))
try {
  await seed(service)
  for (const kind of [Keys, Plain]) {
    const at = await hand(kind, browser, service.base, (text) => problems.push(text))
    await at.open('/admin')
    await at.signIn('admin', service.signIn)
    for (const [name, task] of wanted) await task(at).then(() => done++, (error) => problems.push(`${name} ${at.name}: ${error.stack}`))
  }
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${done} of ${2 * wanted.length} ways gone to their end, ${checked} checks, ${problems.length} problems`)
process.exit(problems.length ? 1 : 0)
