// What the provider does in the console.
import { base, counted, newPage, out, platform, press, same, token } from './tasks_kit.mjs'

/** A page of the console, on which the provider has signed in. */
async function provider(path = '') {
  const page = await newPage()
  await page.goto(`${base}/admin/provider`)
  await page.fill('#f-password', token)
  await Promise.all([page.waitForURL('**/admin/provider'), page.click('main button[type=submit]')])
  if (path) await page.goto(`${base}/admin/provider${path}`)
  return page
}

export const tasks = {
  async tenSites() {
    const page = await newPage()
    await page.goto(`${base}/admin/provider`)
    const lines = Array.from({ length: 10 }, (_, n) => `Village ${n + 1}; village-${n + 1}; mayor${n + 1}@example.org`)
    await counted(4, 'ten sites', async () => {
      await page.fill('#f-password', token)
      await Promise.all([page.waitForURL('**/admin/provider'), page.click('main button[type=submit]')])
      await press(page, 'a[href$="/admin/provider/many"]')
      await page.fill('#f-list', lines.join('\n'))
      await press(page, 'button[value=check]')
      await page.fill('#f-token', token)
      await press(page, 'button[value=create]')
    })
    await page.screenshot({ path: `${out}task-ten-sites.png` })
    same(await page.locator('code.secret').count(), 10, 'invitations')
    for (let n = 1; n <= 10; n++) {
      const site = await platform('GET', `/sites/village-${n}`)
      same(`${site.name}, ${site.state}, ${site.usage.users}`, `Village ${n}, active, 1`, `site ${n}`)
    }
    await page.context().close()
  },

  async planForTen() {
    await platform('PUT', '/plans/village', { limits: { events: 500 } })
    for (let n = 1; n <= 10; n++) await platform('POST', '/sites', { slug: `parish-${n}`, name: `Parish ${n}` })
    const page = await provider()
    await counted(4, 'another plan for ten sites', async () => {
      await page.locator('#f-search').click()
      await page.keyboard.type('parish')
      await page.waitForFunction(() => document.querySelectorAll('#found .rows li').length === 10)
      await page.locator('#many [data-every] input').click()
      await page.selectOption('#f-set', { label: 'village' })
      await press(page, '#many button[value=look]')
      await page.screenshot({ path: `${out}task-plan.png` })
      await press(page, 'main button[value=change]')
    })
    for (let n = 1; n <= 10; n++) same((await platform('GET', `/sites/parish-${n}`)).limits.events, 500, `events that site ${n} may have`)
    await page.context().close()
  },

  async copyAndBack() {
    await platform('POST', '/sites', { slug: 'club', name: 'The club' })
    const page = await provider('/sites/club')
    await counted(4, 'a copy of a site, and back to it', async () => {
      await press(page, 'a[href$="/sites/club/copies"]')
      await press(page, 'button[value=copy]')
      for (let n = 0; n < 60 && !await page.locator('button[value=back]').count(); n++) {
        await page.waitForTimeout(500)
        await page.reload()
      }
      await platform('PATCH', '/sites/club', { name: 'The club, spoilt' })
      await press(page, 'button[value=back]')
      await page.screenshot({ path: `${out}task-copy.png` })
      await press(page, '.notice button[value=back]')
    })
    for (let n = 0; n < 60 && (await platform('GET', '/sites/club')).name !== 'The club'; n++) await page.waitForTimeout(500)
    same((await platform('GET', '/sites/club')).name, 'The club', 'the name of the site')
    await page.context().close()
  },

  async supportSignIn() {
    await platform('POST', '/sites', { slug: 'rowers', name: 'Rowing club' })
    const page = await provider('/sites/rowers')
    await counted(3, 'support looks into a site and leaves', async () => {
      await press(page, 'a[href$="/sites/rowers/support"]')
      await page.fill('#f-reason', 'They cannot find their events.')
      await page.locator('main form button[type=submit]').click()
      await page.locator('.support-bar').waitFor()
      same(new URL(page.url()).hostname, 'rowers.localhost', 'where support is')
      same((await page.goto(new URL('/admin/events', page.url()).href)).status(), 200, 'the list of events for support')
      await page.screenshot({ path: `${out}task-support.png` })
      await press(page, '.support-bar button')
    })
    await page.goto(`http://rowers.localhost:${new URL(base).port}/admin/events`)
    same(new URL(page.url()).pathname, '/admin/login', 'where support gets after it has left')
    await page.goto(`${base}/admin/provider/sites/rowers/audit`)
    same((await page.locator('main').innerText()).includes('They cannot find their events.'), true, 'the reason in the history of the site')
    await page.context().close()
  },
}
