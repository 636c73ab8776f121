// A site with something on every page there is, and the addresses of them all, by the kind of visitor who sees them.
import { pages, png, seed, seedSeries } from './service.mjs'

/** Signs a context in, and returns its page. */
export async function signedIn(service, context, address, fields) {
  const page = await context.newPage()
  await page.goto(service.base + address)
  for (const [id, value] of Object.entries(fields)) await page.fill(`#f-${id}`, value)
  await Promise.all([page.waitForEvent('load'), page.click('main button[type=submit]')])
  return page
}
/** What the pages show besides: a picture, somebody who is invited, and something in the trash. */
export async function fill(service, browser) {
  await seed(service)
  await seedSeries(service)
  const { id } = await service.api('POST', '/events', { title: 'Called off', start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00' })
  await service.api('DELETE', `/events/${id}`)
  await service.api('POST', '/fields', { key: 'stage', label: 'Stage', kind: 'choice', filter: true, options: [{ label: 'Garden' }, { label: 'Hall' }] })
  const hook = await service.api('POST', '/webhooks', { url: 'https://example.org/changes', events: ['*'] })
  const source = await service.api('POST', '/sources', { name: 'Club', kind: 'ics', url: 'https://calendar.invalid/club.ics', active: false })
  const taken = await service.api('POST', '/imports', { url: 'https://calendar.invalid/club.ics', dry_run: true })
  const page = await signedIn(service, await browser.newContext({ javaScriptEnabled: false }), '/admin', { login: 'admin', password: service.signIn })
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
export function addresses(ids) {
  const admin = {
    calendar: '', 'calendar-week': '?view=week', 'calendar-day': '?view=list', 'calendar-filter': '?filter=1', board: '/events', new: '/events/new', form: `/events/${ids.series}`,
    quick: '/events/quick?text=Choir', settings: '/settings', 'settings-design': '/settings/design', 'settings-seasons': '/settings/seasons', 'settings-display': '/settings/display', 'settings-visitors': '/settings/visitors', 'settings-sharing': '/settings/sharing', 'settings-texts': '/settings/texts', access: '/access', desk: '/desk', trash: '/trash', audit: '/audit', users: '/users', 'new-user': '/users/new', user: `/users/${ids.users[0]}`,
    keys: '/keys', 'sign-in': '/sign-in', letters: '/letters', numbers: '/numbers', imports: '/import', import: `/import/${ids.import}`, webhooks: '/webhooks', webhook: `/webhooks/${ids.webhook}`, fields: '/fields', field: '/fields/edit?key=stage', sources: '/sources', source: `/sources/${ids.source}`, profile: '/profile', embed: '/embed', texts: '/texts', media: '/media', picture: `/media/${ids.media[0]}`, nothing: '/events?search=nowhere', featured: '/events?featured=1', 'long-names': '/events?search=Rechtsschutz',
    move: `/events/${ids.events[0]}/move`, copy: `/events/${ids.events[0]}/copy`, event: `/events/${ids.events[0]}`, row: `/events/${ids.events[0]}/row`, revisions: `/events/${ids.events[0]}/revisions`,
  }
  for (const kind of ['venues', 'organizers', 'categories', 'tags']) {
    const [one, two] = ids[kind]
    Object.assign(admin, { [kind]: `/${kind}`, [`${kind}-one`]: `/${kind}/${one}`, [`${kind}-merge`]: `/${kind}/merge?id=${one}&id=${two}` })
    if (kind === 'venues' || kind === 'organizers') Object.assign(admin, { [`${kind}-new`]: `/${kind}/new`, [`${kind}-revisions`]: `/${kind}/${one}/revisions`, [`${kind}-twins`]: `/${kind}/twins` })
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
