// What an editor does with one event.
import { api, base, browser, counted, day, month, number, open, out, picture, press, same, save, service, settings, signedIn, written } from './tasks_kit.mjs'
import { png } from './service.mjs'

export const tasks = {
  async firstEvent(page) {
    await open(page, '/events')
    await counted(3, 'a first event', async () => {
      await page.locator('a[href="/admin/events/new"]').first().click()
      await written(page)
      await page.keyboard.type('Summer concert')
      await page.fill('#f-start_date', `${month}-12T19:30`)
      await page.fill('#f-end_date', `${month}-12T22:00`)
      await page.locator('.rich-box#f-description').click()
      await page.keyboard.type('The choir sings by the lake.')
      await page.fill('#f-cost', '12, 18')
      await page.locator('[data-live=cost] p').waitFor()
      await picture(page, 'editor', true)
      await save(page)
    })
    const event = await api('GET', `/events/${number(page)}`)
    same(event.title, 'Summer concert', 'the first event')
    same(event.status, 'publish', 'its state')
    await page.goto(`${base}/admin?view=month&date=${month}-01`)
    await page.locator('[data-id]', { hasText: 'Summer concert' }).first().waitFor()
    await picture(page, 'calendar', true)
    await page.goto(event.url)
    same(await page.locator('h1').innerText(), 'Summer concert', 'the public page')
    await picture(page, 'public', true)
    await page.goto(event.url.replace('/event/', '/ar/event/'))
    same(await page.getAttribute('html', 'dir'), 'rtl', 'the Arabic page')
    await picture(page, 'arabic')
  },

  async editFromThePage() {
    const page = await signedIn() // whom it signs out
    const event = await api('POST', '/events', { title: 'Evening of tales', slug: 'tales', start_date: `${month}-14 19:30`, end_date: `${month}-14 22:00` })
    await page.goto(event.url)
    await counted(1, 'from the page of an event to its form', () => Promise.all([page.waitForURL(`**/admin/events/${event.id}`), page.locator('.desk a').first().click()]))
    for (const width of [390, 1280]) {
      const visitor = await (await browser.newContext({ viewport: { width, height: 860 } })).newPage()
      const asked = []
      visitor.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await visitor.goto(event.url)
      await visitor.waitForLoadState('networkidle')
      same(await visitor.locator('.desk').count(), 0, 'links to the administration for a visitor')
      same(asked.filter((path) => path.startsWith('/admin')).join(), '', 'what a visitor asks for')
      await visitor.context().close()
    }
    await page.goto(event.url)
    await page.screenshot({ path: `${out}task-edit-link.png` })
    const tab = await page.context().newPage()
    await tab.goto(`${base}/admin`)
    await Promise.all([tab.waitForURL('**/admin/login'), tab.locator('form[action$="/logout"] button').first().evaluate((button) => button.click())])
    await tab.goto(event.url)
    same(await tab.locator('.desk').count(), 0, 'links to the administration after signing out')
    same(await tab.locator('.footer a[href="/admin"]').innerText(), 'Administration', 'the way in after signing out')
    await page.context().close()
  },

  async leastEvent(page) {
    await page.goto(`${base}/admin/events`)
    await counted(2, 'an event of one line', async () => {
      await page.locator('#f-text').click()
      await page.keyboard.type('Choir Thu 19:30 Riverside Park', { delay: 30 })
      await page.locator('.understood').waitFor()
      await Promise.all([page.waitForURL(/events\/\d+$/), page.click('#quick-read button')])
    })
    const event = await api('GET', `/events/${number(page)}`)
    same(`${event.title}, ${event.venue.venue}, ${event.status}, ${event.start_date.slice(11)}`, 'Choir, Riverside Park, draft, 19:30:00', 'the event of one line')
    await page.goto(`${base}/admin/events`)
    const lines = 'Sat 19:30 Jazz, Riverside Park\nSun 11:00 Matinee, Riverside Park'
    await counted(1, 'lines of a mail in the field for one event', async () => {
      await page.locator('#f-text').click()
      await Promise.all([page.waitForURL(/admin\/import/), page.evaluate((text) => {
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', text)
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }, lines)])
    })
    same(await page.locator('#f-lines').inputValue(), lines, 'the list to import')
    await page.goto(`${base}/admin/events`)
    await counted(2, 'an event with its form', async () => {
      await page.locator('a[href="/admin/events/new"]').first().click()
      await written(page)
      await page.keyboard.type('Typed at once')
      await page.locator('.saves .first').click()
      await page.waitForURL(/events\/\d+$/)
    })
    same((await api('GET', `/events/${number(page)}`)).title, 'Typed at once', 'the event of the form')
  },

  async addAnother(page) {
    await open(page, '/events/new')
    await counted(3, 'two events one after the other', async () => {
      await page.keyboard.type('First of two')
      await save(page)
      await page.locator('a[href="/admin/events/new"]').first().click()
      await written(page)
      await page.keyboard.type('Second of two')
      await save(page)
    })
    same((await api('GET', `/events/${number(page)}`)).title, 'Second of two', 'the other event')
  },

  async likeLastSunday(page) {
    for (const n of [-14, -7]) await api('POST', '/events', { title: 'Sunday service', start_date: `${day(n)} 10:00`, end_date: `${day(n)} 11:30` })
    await open(page, '/venues')
    await counted(3, 'an event like an earlier one', async () => {
      await page.locator('a[href="/admin/events/new"]').first().click()
      await page.locator('.patterns a', { hasText: 'Sunday service' }).click()
      await written(page)
      await page.locator('.said a[href="#f-start_date"]').waitFor()
      await picture(page, 'like-earlier', false)
      await save(page)
    })
    const made = await api('GET', `/events/${number(page)}`)
    same(made.title, 'Sunday service', 'the copy')
    same(new Date(made.start_date.slice(0, 10)).getUTCDay(), new Date(day(-7)).getUTCDay(), 'its day of the week')
    same(made.start_date.slice(0, 10) >= day(0), true, 'the copy is to come')
  },

  async byName(page) {
    const { id } = await api('POST', '/events', { title: 'Harvest supper', start_date: `${month}-22 18:00`, end_date: `${month}-22 22:00` })
    await open(page, '/desk')
    await counted(1, 'an event by its name, from any page', async () => {
      await page.locator('[data-palette]').click()
      await page.keyboard.type('harvest')
      await page.locator('#palette [aria-selected=true]', { hasText: 'Harvest supper' }).waitFor()
      await Promise.all([page.waitForURL(/events\/\d+$/), page.keyboard.press('Enter')])
    })
    same(number(page), id, 'the event that was found')
  },

  async repeatAsCopy(page) {
    await api('POST', '/events', { title: 'Planning of the fair', start_date: `${day(-1)} 18:00`, end_date: `${day(-1)} 20:00` })
    await open(page, '/events?search=planning')
    await counted(2, 'a copy for next week', async () => {
      await page.locator('#found a[href$="/copy"]').click()
      await press(page, 'form.stack button[value=publish]')
    })
    same((await api('GET', `/events/${number(page)}`)).start_date, `${day(6)} 18:00:00`, 'the copy is stored')
    await picture(page, 'copy')
  },

  async moveByDragging(page) {
    const { id } = await api('POST', '/events', { title: 'Garden party', start_date: `${month}-09 15:00`, end_date: `${month}-09 18:00` })
    await page.goto(`${base}/admin?view=month&date=${month}-01`)
    const from = page.locator(`[data-id="${id}"] .title`).first(), to = page.locator(`td[data-day="${month}-17"]`)
    await from.scrollIntoViewIfNeeded()
    const a = await from.boundingBox(), b = await to.boundingBox()
    await counted(1, 'an event on another day, dragged there', async () => {
      await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2)
      await page.mouse.down()
      await page.mouse.move(a.x + a.width / 2 + 9, a.y + a.height / 2 + 3)
      await page.mouse.move(b.x + b.width / 2, b.y + b.height * 0.7, { steps: 6 })
      await page.mouse.up()
      await page.locator('#calendar-status button').waitFor()
    })
    same((await api('GET', `/events/${id}`)).start_date, `${month}-17 15:00:00`, 'dragged')
    await picture(page, 'moved')
  },

  async throwAway(page) {
    const { id } = await api('POST', '/events', { title: 'Outdoor cinema', start_date: `${month}-20 21:00`, end_date: `${month}-20 23:00` })
    await open(page, `/events/${id}`)
    await counted(1, 'into the trash', () => press(page, 'button[value=remove]'))
    same((await fetch(`${base}/calendar/events/v1/events/${id}`)).ok, false, 'an event in the trash is still there')
    await open(page, '/trash')
    await page.locator('label', { hasText: 'Outdoor cinema' }).waitFor()
    await picture(page, 'trash')
  },

  async findLastYears(page) {
    const year = Number(month.slice(0, 4)) - 1
    await api('POST', '/events', { title: 'Advent concert of last year', start_date: `${year}-12-05 19:00`, end_date: `${year}-12-05 21:00` })
    await open(page, '/events')
    await counted(2, 'an event of last year', async () => {
      await page.locator('#f-search').click()
      await page.keyboard.type('concert last')
      await page.waitForFunction(() => document.querySelectorAll('#found tbody tr').length === 1)
      await picture(page, 'found', true)
      await page.locator('#found tbody a.name').click()
      await page.waitForURL(/events\/\d+$/)
    })
    await written(page)
    same(await page.inputValue('#f-title'), 'Advent concert of last year', 'found')
  },

  async venueOnTheSpot(page) {
    await open(page, '/events/new')
    await page.fill('#f-title', 'Book launch')
    await page.fill('#f-start_date', `${month}-23T18:00`)
    await page.fill('#f-end_date', `${month}-23T20:00`)
    await counted(3, 'a new venue, with its event', async () => {
      await page.locator('input[role=combobox][name=venue]').click()
      await page.keyboard.type('Corner Bookshop')
      await page.locator('#pick-venue [data-new]').click()
      await page.fill('#f-new_venue\\.city', 'Constance')
      await picture(page, 'venue', true, '#f-venue')
      await save(page)
    })
    const { venue } = await api('GET', `/events/${number(page)}`)
    same(`${venue.venue}, ${venue.city}`, 'Corner Bookshop, Constance', 'the new venue')
  },

  async missingCategory(page) {
    await open(page, '/events/new')
    await page.fill('#f-title', 'Poetry by the harbour')
    await page.fill('#f-start_date', `${month}-15T19:00`)
    await counted(3, 'a category that is missing', async () => {
      await page.locator('#f-categories details > summary').click()
      await page.locator('#f-new_category').click()
      await page.keyboard.type('Poetry')
      await save(page)
    })
    const { categories, url } = await api('GET', `/events/${number(page)}`)
    same(categories.map((one) => one.name).join(), 'Poetry', 'the new category')
    await page.goto(url)
    await press(page, '.crumbs a[href*="/category/"]')
    same(await page.locator('main a', { hasText: 'Poetry by the harbour' }).count() > 0, true, 'the event on the page of its category')
  },

  async imageByDrop(page) {
    await open(page, '/events/new')
    await page.fill('#f-title', 'Exhibition of stripes')
    await page.fill('#f-start_date', `${month}-24T10:00`)
    await page.fill('#f-end_date', `${month}-24T18:00`)
    const drop = () => page.evaluate((bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], 'stripes.png', { type: 'image/png' }))
      document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    }, [...png(480, 270)])
    await counted(1, 'a picture that is dropped', async () => {
      await drop()
      await page.locator('image-field figure').waitFor()
      await page.fill('#f-image_alt', 'Blue stripes')
      await save(page)
    })
    const { image } = await api('GET', `/events/${number(page)}`)
    same(image && image.extension, 'png', 'the dropped picture')
    await page.locator('image-field figure').scrollIntoViewIfNeeded()
    await page.screenshot({ path: `${out}task-image.png` })
  },

  async secondLanguage(page) {
    await settings(page, '', async () => page.locator('input[name=content_languages][value=de]').check())
    const { id } = await api('POST', '/events', { title: 'Night of the museums', slug: 'museums', start_date: `${month}-13 18:00`, end_date: `${month}-13 23:00`, description: '<p>All doors are open.</p>' })
    await open(page, `/events/${id}`)
    const panel = page.locator('[id="f-translations.de"]')
    await counted(3, 'the text in a second language', async () => {
      await panel.locator('summary').click()
      await panel.locator('input[type=text]').first().fill('Nacht der Museen')
      await panel.locator('.rich-box').click()
      await page.keyboard.type('Alle Türen stehen offen, ')
      await page.keyboard.press('Control+b')
      await page.keyboard.type('bis elf')
      await picture(page, 'second-language', false, '[id="f-translations.de"]')
      await save(page)
    })
    await page.goto(`${base}/de/event/museums/`)
    same(await page.locator('h1').innerText(), 'Nacht der Museen', 'the German title')
    same((await page.locator('.prose').innerHTML()).trim(), '<p>Alle Türen stehen offen, <strong>bis elf</strong></p>', 'the German text')
    await page.goto(`${base}/en/event/museums/`)
    same(await page.locator('.prose').innerText(), 'All doors are open.', 'the English text')
  },

  async fixConflict(page) {
    const { id } = await api('POST', '/events', { title: 'Town meeting', start_date: `${month}-25 19:00`, end_date: `${month}-25 21:00` })
    await open(page, `/events/${id}`)
    await api('POST', `/events/${id}`, { title: 'Town meeting in the hall' })
    await page.fill('#f-title', 'Big town meeting')
    await page.fill('#f-cost', '5')
    await counted(3, 'two people have changed the same title', async () => {
      await save(page)
      await page.locator('form.conflict').waitFor()
      await page.locator('input[name="choose.title"][value=theirs]').click()
      await picture(page, 'conflict', true)
      await press(page, 'button[value=resolve]')
    })
    const event = await api('GET', `/events/${id}`)
    same(`${event.title}, ${event.cost_details.values.join()}`, 'Town meeting in the hall, 5', 'what was chosen')
  },

  async nothingLost(page) {
    await open(page, '/events/new')
    await page.locator('#f-title').pressSequentially('Typed before the power failed')
    await page.locator('.rich-box#f-description').click()
    await page.keyboard.type('A text that took an hour.')
    await page.locator('[data-autosave]').filter({ hasText: /Draft kept/ }).waitFor()
    await page.reload()
    await written(page)
    same(await page.inputValue('#f-title'), '', 'the title before the draft is taken')
    await counted(1, 'what was typed is taken back', () => Promise.all([page.waitForURL('**?draft=1'), page.click('.notice.draft a')]))
    await written(page)
    await save(page)
    const event = await api('GET', `/events/${number(page)}`)
    same(`${event.title}: ${event.description.trim()}`, 'Typed before the power failed: <p>A text that took an hour.</p>', 'what was typed')
  },

  async shortcuts(page) {
    await open(page, '/desk')
    const keys = page.locator('dialog#keys')
    await counted(0, 'the keyboard shortcuts', async () => {
      await page.keyboard.press('?')
      await keys.waitFor()
    })
    same(await keys.locator('div', { hasText: 'Publish or update the event' }).locator('kbd').allInnerTexts().then((all) => all.join('+')), 'Ctrl+Enter', 'the keys that publish')
    await picture(page, 'keys')
    await page.keyboard.press('Escape')
    same(await keys.isVisible(), false, 'the shortcuts after Escape')
    await open(page, '/events/new')
    await page.keyboard.type('Published? By keys')
    same(await keys.isVisible(), false, 'the shortcuts while somebody types')
    await counted(0, 'published by keyboard', async () => {
      await page.keyboard.press('Control+Enter')
      await page.waitForURL(/events\/\d+$/)
    })
    const event = await api('GET', `/events/${number(page)}`)
    same(`${event.title}, ${event.status}`, 'Published? By keys, publish', 'the event published by keyboard')
  },
}
