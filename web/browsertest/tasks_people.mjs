// What an editor does with other people: visitors, authors, colleagues.
import { api, base, counted, month, newPage, number, open, out, person, picture, press, same, save, service, settings, written } from './tasks_kit.mjs'

export const tasks = {
  async colleague(page) {
    await open(page, '/users/new')
    await page.fill('#f-handle', 'colleague')
    await page.fill('#f-name', 'Colleague')
    await page.fill('#f-email', 'colleague@example.org')
    await page.selectOption('#f-role', 'editor')
    await page.fill('#f-confirm', service.signIn)
    await counted(1, 'a colleague is invited', async () => {
      await page.click('main button[value=save]')
      await page.locator('code.secret').waitFor()
    })
    const link = (await page.locator('code.secret').innerText()).trim()
    await picture(page, 'invitation')
    const other = await newPage()
    await other.goto(service.base + new URL(link).pathname + new URL(link).search)
    await counted(1, 'who is invited is in', async () => {
      for (const field of await other.locator('main input[type=password]').all()) await field.fill('a long enough secret')
      await press(other, 'main button[type=submit]')
    })
    await other.goto(`${base}/admin/events/new`)
    same(await other.locator('#f-title').count(), 1, 'the colleague’s editor')
    await other.screenshot({ path: `${out}task-colleague.png` })
    await other.context().close()
  },

  async submission(page) {
    await settings(page, '/visitors', async () => page.locator('#f-submissions').check())
    const visitor = await newPage()
    await visitor.goto(`${base}/en/submit/`)
    const year = Number(month.slice(0, 4)) + 1
    const typed = { title: 'Beekeepers’ breakfast', start_date: `${year}-06-04`, start_time: '09:00', venue: 'Apiary', contact_name: 'Ada', contact_email: 'ada@example.net' }
    for (const [field, text] of Object.entries(typed)) await visitor.fill(`#f-${field}`, text)
    if (await visitor.locator('#f-terms').count()) await visitor.check('#f-terms')
    await press(visitor, '.send button[type=submit]')
    await visitor.context().close()
    await open(page, '/desk')
    const link = page.locator('#nav a[href="/admin/submissions"]')
    await link.locator('.waits').waitFor()
    await counted(3, 'what a visitor has sent is published', async () => {
      await press(page, '#nav a[href="/admin/submissions"]')
      await Promise.all([page.waitForEvent('load'), page.locator('.inbox a', { hasText: 'Beekeepers' }).click()])
      await picture(page, 'submission')
      await press(page, 'main button[value=publish]')
    })
    const { events } = await api('GET', `/events?search=beekeepers&start_date=${year}-01-01`)
    same(events.map((one) => `${one.title} ${one.venue.venue} ${one.status}`).join(), 'Beekeepers’ breakfast Apiary publish', 'what was sent')
    same((await fetch(events[0].url)).status, 200, 'its page')
  },

  async reportedMistake(page) {
    const { url } = await api('POST', '/events', { title: 'Stargazing', start_date: `${month}-21 21:00`, end_date: `${month}-21 23:00` })
    const visitor = await newPage(), reportLink = '.footer a[href$="/mistake/"]'
    await visitor.goto(url)
    if (!await visitor.locator(reportLink).count()) {
      await settings(page, '/visitors', async () => page.locator('#f-submissions').check())
      await visitor.reload()
    }
    await press(visitor, reportLink)
    await visitor.fill('#f-text', 'It begins at ten.')
    await press(visitor, '.send button[type=submit]')
    await visitor.context().close()
    await open(page, '/desk')
    const report = page.locator('.reports li', { hasText: 'It begins at ten.' })
    await counted(5, 'a mistake that a visitor has reported', async () => {
      await press(page, '#nav a[href^="/admin/submissions"]')
      if (!page.url().endsWith('/mistakes')) await press(page, '.tabs a[href="/admin/submissions/mistakes"]')
      same(await report.locator('h2 a').innerText(), 'Stargazing', 'what the report is about')
      await picture(page, 'mistake')
      await press(page, '.reports li:has-text("It begins at ten.") h2 a')
      await page.fill('#f-start_date', `${month}-21T22:00`)
      await page.check('[name=corrected]')
      await save(page)
    })
    same((await api('GET', `/events/by-slug/${url.split('/').at(-2)}`)).start_date.slice(11, 16), '22:00', 'the start that the visitor reported')
    await open(page, '/submissions/mistakes')
    same(await report.count(), 0, 'reports that were seen to')
  },

  async sentBack(page) {
    const author = await person('contributor', 'contributor')
    await open(author, '/events/new')
    await author.fill('#f-title', 'Lecture on moss')
    await author.fill('#f-start_date', `${month}-28T18:00`)
    await save(author)
    const id = number(author)
    const status = async () => (await api('GET', `/events/${id}`)).status
    same(await status(), 'pending', 'what a contributor submits')
    await open(page, '/events?view=pending')
    await counted(3, 'sent back with a note', async () => {
      await page.locator(`#event-${id} a.name`).click()
      await written(page)
      await page.locator('details:has(#f-review_note) > summary').click()
      await page.fill('#f-review_note', 'Please say where.')
      await press(page, 'button[value=back]')
    })
    same(await status(), 'draft', 'what was sent back')
    await open(author, '/events?view=draft')
    same(await author.locator(`#event-${id} .asked`).innerText(), 'Please say where.', 'the note in the list')
    await counted(2, 'submitted again', async () => {
      await author.locator(`#event-${id} a.name`).click()
      await written(author)
      same(await author.locator('.notice .asked').innerText(), 'Please say where.', 'the note above the form')
      await author.screenshot({ path: `${out}task-sent-back.png` })
      await author.fill('#f-website', 'https://example.org/moss')
      await save(author)
    })
    same(await status(), 'pending', 'what was submitted again')
    await author.context().close()
  },

  async ownField(page) {
    await open(page, '/fields')
    await counted(3, 'a field of the site’s own', async () => {
      await page.fill('#f-label', 'Stage')
      await page.selectOption('#f-kind', 'choice')
      await page.fill('#f-options', 'Garden\nHall')
      await press(page, '.new-field button[value=save]')
      await page.locator('#f-filter').click()
      await press(page, 'form.stack > button[value=save]:not([tabindex])')
    })
    const made = []
    for (const n of [1, 2]) made.push(await api('POST', '/events', { title: `Chamber music ${n}`, start_date: `${month}-2${n} 19:00`, end_date: `${month}-2${n} 21:00` }))
    await open(page, `/events/${made[0].id}`)
    await counted(1, 'the field in the form', async () => {
      await page.locator('#f-fields select').selectOption({ label: 'Garden' })
      await save(page)
    })
    const visitor = await newPage()
    await visitor.goto(made[0].url)
    same((await visitor.locator('.glance .facts').innerText()).replace(/\s+/g, ' ').includes('Stage Garden'), true, 'the field on the page')
    await visitor.goto(`${base}/en/events/?search=chamber+music`)
    const found = async () => (await visitor.locator('main').innerText()).match(/Chamber music \d/g)?.join()
    same(await found(), 'Chamber music 1,Chamber music 2', 'what is found without the filter')
    await counted(3, 'the field as a filter', async () => {
      await visitor.locator('.filters .pill', { hasText: 'Stage' }).click()
      const menu = visitor.locator('.filters .choices:popover-open')
      await menu.locator('label', { hasText: 'Garden' }).click()
      await Promise.all([visitor.waitForEvent('load'), menu.locator('button[type=submit]').click()])
    })
    same(await found(), 'Chamber music 1', 'what the filter finds')
    await visitor.screenshot({ path: `${out}task-own-field.png` })
    await visitor.context().close()
  },
}
