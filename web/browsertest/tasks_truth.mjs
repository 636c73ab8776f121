// What an editor does so that visitors read what is true: prices, changes, and no mistakes.
import { api, base, counted, day, month, number, open, out, picture, press, same, save, written } from './tasks_kit.mjs'

export const tasks = {
  async soldOut(page) {
    const { id, url } = await api('POST', '/events', { title: 'Gala of the year', start_date: `${month}-19 20:00`, end_date: `${month}-19 23:00`,
      tickets: [{ name: 'Seat', price: 20, currency: 'EUR', url: 'https://example.org/gala' }] })
    await open(page, `/events/${id}`)
    await counted(1, 'sold out', async () => {
      await page.selectOption('[name="tickets[0][status]"]', 'sold_out')
      await save(page)
    })
    await page.goto(url)
    same((await page.locator('main').innerText()).includes('Sold out'), true, 'visitors read that it is sold out')
  },

  async threePrices(page) {
    await open(page, '/events/new')
    await page.fill('#f-title', 'Opera gala')
    await page.fill('#f-start_date', `${month}-25T19:30`)
    await page.fill('#f-end_date', `${month}-25T22:30`)
    await counted(4, 'three prices with the address of the box office', async () => {
      await page.locator('details:has(#f-tickets) > summary').click()
      for (const [n, [name, price]] of [['Stalls', '48'], ['Circle', '36.50'], ['Gallery', '15']].entries()) {
        if (n) await page.click('#f-tickets .another')
        await page.fill(`[name="tickets[${n}][name]"]`, name)
        await page.fill(`[name="tickets[${n}][price]"]`, price)
        await page.fill(`[name="tickets[${n}][url]"]`, 'https://tickets.example.org/opera')
      }
      await picture(page, 'tickets', false, '#f-tickets')
      await save(page)
    })
    const { url } = await api('GET', `/events/${number(page)}`)
    await page.goto(`${base}/en/events/?search=opera+gala`)
    same(/€15\s*–\s*€?48/.test(await page.locator('main').innerText()), true, 'the price in the list')
    await page.goto(url)
    same(/€15\s*–\s*€?48/.test(await page.locator('.glance .facts').innerText()), true, 'the price in the box')
    const main = page.locator('.actions a.button, .actions button').first()
    same(`${await main.innerText()} ${await main.getAttribute('href')}`, 'Tickets https://tickets.example.org/opera', 'the first button')
    const told = (await page.locator('script[type="application/ld+json"]').allInnerTexts()).map((text) => JSON.parse(text)).flat().find((one) => one.offers)
    same(told?.offers.map((one) => `${one.name} ${one.price} ${one.priceCurrency}`).join(), 'Stalls 48 EUR,Circle 36.5 EUR,Gallery 15 EUR', 'what search engines read')
    await picture(page, 'tickets-public')
  },

  async postponed(page) {
    const { id, url } = await api('POST', '/events', { title: 'Balloon ride', start_date: `${month}-26 06:00`, end_date: `${month}-26 09:00` })
    const part = page.locator('details:has(#f-event_status) > summary'), state = page.locator('#f-event_status')
    await open(page, `/events/${id}`)
    await counted(2, 'postponed', async () => {
      await part.click()
      await state.selectOption('postponed')
      same(await part.locator('.soft').innerText(), await state.evaluate((one) => one.selectedOptions[0].textContent), 'what the folded part says before it is saved')
      await save(page)
    })
    same((await api('GET', `/events/${id}`)).event_status, 'postponed', 'the state')
    await page.goto(url)
    await page.locator('.notice.status-postponed').waitFor()
    same(await page.locator('.actions [popovertarget=subscribe]').count(), 0, 'buttons that put a postponed event into a calendar')
    await picture(page, 'postponed')
    await open(page, `/events/${id}`)
    await counted(1, 'as planned again', async () => {
      await state.selectOption('')
      await save(page)
    })
    await page.goto(url)
    same(await page.locator('.notice.status-postponed').count(), 0, 'notices that it is postponed')
    same(await page.locator('.actions [popovertarget=subscribe]').count(), 1, 'buttons that put it into a calendar')
  },

  async beforeItIsPublic(page) {
    await open(page, '/events/new')
    await page.fill('#f-title', 'Too late')
    await page.locator('#f-start_date').evaluate((one) => { one.value = '202619-01-01T10:00' })
    await page.locator('.saves .first').click()
    same(await page.evaluate(() => `${location.pathname} ${document.querySelectorAll('#f-start_date:invalid').length}`), '/admin/events/new 1', 'a year of six digits')
    await page.fill('#f-start_date', `${day(-3)}T10:00`)
    await page.fill('#f-end_date', `${day(-3)}T11:00`)
    await counted(2, 'an event that is over is asked about once', async () => {
      await save(page)
      await page.locator('.notice[role=alert]').waitFor()
      await page.locator('.saves .first').click()
      await page.waitForURL(/events\/\d+$/)
    })
    same((await api('GET', `/events/${number(page)}`)).status, 'publish', 'the event that is over')
  },

  async sameTwice(page) {
    await api('POST', '/events', { title: 'Winter market', start_date: `${month}-27 10:00`, end_date: `${month}-27 18:00` })
    const there = async () => (await api('GET', `/events?search=winter+market&start_date=${month}-01`)).total
    await open(page, '/events/new')
    await page.fill('#f-title', 'Winter market')
    await page.fill('#f-start_date', `${month}-27T10:00`)
    await page.fill('#f-end_date', `${month}-27T18:00`)
    await counted(2, 'the same event twice, on purpose', async () => {
      await save(page)
      await page.locator('.notice[role=alert] a', { hasText: 'Winter market' }).waitFor()
      same(await there(), 1, 'events before somebody says that it is meant')
      await written(page)
      await page.locator('.saves .first').click()
      await page.waitForURL(/events\/\d+$/)
    })
    same(await there(), 2, 'events after somebody said so')
  },
}
