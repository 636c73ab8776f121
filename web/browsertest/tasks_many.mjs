// What an editor does with many events at once, in lists and in series.
import { api, counted, month, number, open, picture, press, same, save, search } from './tasks_kit.mjs'

export const tasks = {
  async editInTheList(page) {
    const { id } = await api('POST', '/events', { title: 'Flea markt', start_date: `${month}-26 09:00`, end_date: `${month}-26 12:00` })
    await open(page, '/events?search=flea')
    await counted(1, 'a title and a time in the list', async () => {
      await page.locator(`#event-${id} a[data-row]`).click()
      await page.locator('.row-open [name=title]').waitFor()
      await page.keyboard.type('Flea market')
      await page.fill('.row-open [name=start_date]', `${month}-27T10:00`)
      await page.keyboard.press('Enter')
      await page.locator('main > .said').waitFor()
    })
    const now = async () => { const e = await api('GET', `/events/${id}`); return `${e.title}, ${e.start_date}, ${e.end_date}` }
    same(await now(), `Flea market, ${month}-27 10:00:00, ${month}-27 13:00:00`, 'changed in the list')
    same(await page.evaluate(() => document.activeElement.closest('tr')?.id), `event-${id}`, 'the focus after saving')
    await page.keyboard.press('Enter')
    await page.locator('.row-open [name=title]').waitFor()
    await picture(page, 'row')
    await page.keyboard.type('Never')
    await page.keyboard.press('Escape')
    same(await page.evaluate(() => document.activeElement.closest('tr')?.id), `event-${id}`, 'the focus after Escape')
    await press(page, 'form.said.undo button')
    same(await now(), `Flea markt, ${month}-26 09:00:00, ${month}-26 12:00:00`, 'taken back')
  },

  async savedFarBelow(page) {
    for (let n = 1; n <= 20; n++) await api('POST', '/events', { title: `Harp lesson ${n}`, start_date: `${month}-0${1 + n % 9} 17:00`, end_date: `${month}-0${1 + n % 9} 18:00` })
    await open(page, '/events?search=harp+lesson')
    await page.locator('#found tbody a[data-row]').last().click()
    await page.locator('.row-open [name=title]').waitFor()
    await page.keyboard.type('Harp lesson, the last')
    await page.keyboard.press('Enter')
    await page.locator('main > .said').waitFor()
    const { top, bottom, high } = await page.evaluate(() => ({ ...document.querySelector('main > .said button').getBoundingClientRect().toJSON(), high: innerHeight }))
    same(await page.evaluate(() => scrollY > 300), true, 'the page is scrolled to the row')
    same(top >= 0 && bottom <= high, true, 'Undo is in sight of the row that was changed')
  },

  async clearsWithoutReload(page) {
    await open(page, '/events')
    const clear = page.locator('#filter-links a', { hasText: 'Clear filters' })
    same(await clear.count(), 0, 'a link that clears no filter')
    await page.fill('#f-search', 'choir')
    await clear.waitFor({ timeout: 5_000 })
    await press(page, '#filter-links a:last-child')
    same(await page.inputValue('#f-search'), '', 'the search after “Clear filters”')
    await open(page, '/venues')
    await page.fill('form.filter [name=search]', 'hall')
    await clear.waitFor({ timeout: 5_000 })
  },

  async aWeekAtOnce(page) {
    await open(page, '/events')
    await counted(1, 'the events of next week', () => press(page, '#filter-links a:nth-child(2)'))
    const [from, to] = [await page.inputValue('#f-from'), await page.inputValue('#f-to')], days = (a, b) => (Date.parse(b) - Date.parse(a)) / 86_400_000
    const ahead = days(new Date().toISOString().slice(0, 10), from) // weeks begin on the day that the site says
    same(`${days(from, to)} ${ahead > -1 && ahead < 9}`, '6 true', 'the days of next week')
    same(await page.locator('#filter details').getAttribute('open'), null, 'the other filters are folded')
    same(await page.innerText('#filter-links [aria-current]'), 'Next week', 'the week that is shown')
  },

  async placeInTheList(page) {
    const { id } = await api('POST', '/events', { title: 'Lute recital', venue: { venue: 'Chapel' }, start_date: `${month}-18 19:00`, end_date: `${month}-18 20:00` })
    await api('POST', '/venues', { venue: 'Town hall cellar' })
    await open(page, '/events?search=lute')
    await counted(1, 'a venue in the list', async () => {
      await page.locator(`#event-${id} a[data-row]`).click()
      await page.locator('.row-open [name=venue]').fill('Town hall cellar')
      await page.keyboard.press('Enter')
      await page.locator('main > .said').waitFor()
    })
    same((await api('GET', `/events/${id}`)).venue.venue, 'Town hall cellar', 'the venue from the list')
  },

  async duplicates(page) {
    const [mill, double] = [await api('POST', '/venues', { venue: 'Windmill', city: 'Millford' }), await api('POST', '/venues', { venue: 'Windmil', city: 'Millford' })]
    const [hall, other] = [await api('POST', '/venues', { venue: 'Lane hall', city: 'Millford' }), await api('POST', '/venues', { venue: 'Hall Lane', city: 'Millford' })]
    await open(page, '/venues')
    const group = (id) => `form:has(input[name=id][value="${id}"])`
    await counted(2, 'two venues are different', async () => {
      await press(page, '.twins a')
      await press(page, `${group(hall.id)} button[value=apart]`)
    })
    same(await page.locator(`input[name=id][value="${other.id}"]`).count(), 0, 'what is different is still named')
    await picture(page, 'duplicates')
    await counted(2, 'two venues are merged', async () => {
      await press(page, `${group(mill.id)} button[value=merge]`)
      await press(page, 'form.conflict button[value=merge]')
    })
    const left = await Promise.all([mill, double].map(({ id }) => api('GET', `/venues/${id}`).then(() => 1, () => 0)))
    same(left.join(''), left[0] ? '10' : '01', 'one of the two venues is left')
  },

  async publishTwenty(page) {
    for (let n = 1; n <= 20; n++) {
      await api('POST', '/events', { title: `Lantern workshop ${n}`, status: 'draft', start_date: `${month}-21 1${n % 10}:00`, end_date: `${month}-21 1${n % 10}:30` })
    }
    await open(page, '/events')
    await counted(3, 'twenty drafts are published', async () => {
      await search(page, 'lantern workshop')
      await page.locator('#found thead [data-every] input').click()
      await press(page, '#found button[value=publish]')
    })
    const answer = await api('GET', `/events?search=${encodeURIComponent('lantern workshop')}&start_date=${month}-01&per_page=50`)
    same(answer.total, 20, 'published at once')
    await picture(page, 'bulk')
  },

  async barKeepsItsPlace(page) {
    for (let n = 1; n <= 3; n++) await api('POST', '/events', { title: `Archery ${n}`, start_date: `${month}-0${n} 17:00`, end_date: `${month}-0${n} 18:00` })
    const buttons = '#many .buttons button'
    const places = () => page.locator(buttons).evaluateAll((list) => list.map((one) => { const { x, y } = one.getBoundingClientRect(); return `${one.value} ${x} ${y + scrollY}` }).join())
    const disabled = () => page.locator(`${buttons}:disabled`).count()
    for (const width of [1366, 1000]) {
      await page.setViewportSize({ width, height: 900 })
      await open(page, '/events?search=archery')
      await page.locator('#many .buttons').scrollIntoViewIfNeeded()
      same(await disabled(), await page.locator(buttons).count(), 'buttons that are disabled before anything is ticked')
      const before = await places()
      await page.locator('#found thead [data-every] input').click()
      same(await places(), before, `the places of the buttons at ${width}`)
      same(await disabled(), 0, 'buttons that are disabled then')
      same(await page.innerText('#many [data-chosen]'), '3 selected', 'how many are chosen')
    }
    await page.setViewportSize({ width: 1280, height: 860 })
    await press(page, '#many button[value=draft]')
    same((await page.innerText('h1')).trim(), 'Change 3 published events to drafts?', 'the question before visitors lose events')
  },

  async allOnAllPages(page) {
    for (let n = 1; n <= 22; n++) await api('POST', '/events', { title: `Falconry ${n}`, status: 'draft', start_date: `${month}-11 10:00`, end_date: `${month}-11 11:00` })
    await open(page, '/events?search=falconry')
    const ticked = () => page.locator('#found tbody input[name=id]:checked').count()
    await page.click('#many input[name=all]')
    same(await ticked(), 20, 'rows that are ticked with all on all pages')
    same(await page.innerText('#many [data-chosen]'), '22 selected', 'how many are chosen')
    await page.locator('#found tbody input[name=id]').nth(1).click()
    same(`${await page.isChecked('#many input[name=all]')} ${await page.innerText('#many [data-chosen]')}`, 'false 19 selected', 'without one row')
  },

  async rangeWithShift(page) {
    for (let n = 1; n <= 7; n++) await api('POST', '/events', { title: `Reading circle ${n}`, status: 'draft', start_date: `${month}-0${n} 17:00`, end_date: `${month}-0${n} 18:00` })
    await open(page, '/events?view=draft&search=reading+circle&sort=start_date&order=asc')
    await counted(3, 'five drafts in a row', async () => {
      const boxes = page.locator('#found tbody input[name=id]')
      await boxes.nth(0).click()
      await boxes.nth(4).click({ modifiers: ['Shift'] })
      await press(page, '#found button[value=publish]')
    })
    const { events } = await api('GET', `/events?search=reading+circle&start_date=${month}-01&status=publish,draft&per_page=20`)
    same(events.map((one) => `${one.title.slice(-1)} ${one.status}`).join(), '1 publish,2 publish,3 publish,4 publish,5 publish,6 draft,7 draft', 'the first five of seven drafts')
  },

  async thirtyWrongVenues(page) {
    const wrong = await api('POST', '/venues', { venue: 'Wrong hall' })
    const right = await api('POST', '/venues', { venue: 'Arsenal' })
    for (let n = 1; n <= 30; n++) {
      await api('POST', '/events', { title: `Bassoon class ${n}`, venue: wrong.id, start_date: `${month}-11 ${10 + n % 10}:00`, end_date: `${month}-11 ${10 + n % 10}:30` })
    }
    await open(page, '/events')
    const at = async () => (await api('GET', `/events?venue=${right.id}&start_date=${month}-01&per_page=50`)).total
    await counted(6, 'thirty wrong venues', async () => {
      await page.locator('#f-search').click()
      await page.keyboard.type('bassoon')
      await page.waitForFunction(() => [...document.querySelectorAll('#found tbody a.name')].every((a) => a.textContent.includes('Bassoon')))
      await page.locator('#many input[name=all]').click()
      await press(page, '#many button[value=bulk]')
      await page.locator('#f-set_venue').click()
      await page.keyboard.press('Escape')
      await page.keyboard.type('Arsenal')
      await press(page, 'button[value=look]')
      await picture(page, 'bulk-look', true)
      await press(page, 'button[value=save]')
    })
    same(await at(), 30, 'events at the right venue')
    await press(page, 'form.said.undo button')
    same(await at(), 0, 'events at the right venue after Undo')
  },

  async nextWeekAgain(page) {
    for (const n of [1, 2, 3]) await api('POST', '/events', { title: `Open studio ${n}`, start_date: `${month}-0${n} 10:00`, end_date: `${month}-0${n} 12:00` })
    await open(page, '/events?search=open+studio')
    await counted(3, 'a week of events once more', async () => {
      await page.locator('#found thead [data-every] input').click()
      await press(page, '#many button[value=copies]')
      await press(page, 'button[value=same]')
    })
    const { events } = await api('GET', `/events?search=open+studio&start_date=${month}-01&per_page=20`)
    same(events.map((one) => one.start_date.slice(8, 10)).join(), '01,02,03,08,09,10', 'the events and their copies')
  },

  async anHourLater(page) {
    const made = []
    for (let n = 1; n <= 6; n++) made.push(await api('POST', '/events', { title: `Swimming lesson ${n}`, start_date: `${month}-0${n} 09:00`, end_date: `${month}-0${n} 10:00` }))
    const starts = async () => (await Promise.all(made.map(({ id }) => api('GET', `/events/${id}`)))).map((one) => one.start_date.slice(8, 16)).join()
    const before = await starts()
    await open(page, '/events?search=swimming+lesson')
    await counted(4, 'six events a day and two hours later', async () => {
      await page.locator('#found thead [data-every] input').click()
      await press(page, '#many button[value=bulk]')
      await page.fill('#f-move_days', '1')
      await page.fill('#f-move_hours', '2')
      await press(page, 'button[value=look]')
      await press(page, 'button[value=save]')
    })
    same(await starts(), [2, 3, 4, 5, 6, 7].map((n) => `0${n} 11:00`).join(), 'a day and two hours later')
    await counted(1, 'as they were', () => press(page, 'form.said.undo button'))
    same(await starts(), before, 'the six events after Undo')
  },

  async cancelAll(page) {
    const made = []
    for (const n of [1, 2, 3]) made.push(await api('POST', '/events', { title: `Ice rink ${n}`, start_date: `${month}-0${n + 3} 14:00`, end_date: `${month}-0${n + 3} 18:00` }))
    await open(page, '/events?search=ice+rink')
    await counted(4, 'three events are cancelled, and why', async () => {
      await page.locator('#found thead [data-every] input').click()
      await press(page, '#many button[value=bulk]')
      await page.selectOption('#f-event_status', 'cancelled')
      await page.fill('#f-event_status_reason', 'It is too warm.')
      await press(page, 'button[value=look]')
      await press(page, 'button[value=save]')
    })
    const now = await Promise.all(made.map(({ id }) => api('GET', `/events/${id}`)))
    same(now.map((one) => `${one.event_status} ${one.event_status_reason}`).join(), Array(3).fill('cancelled It is too warm.').join(), 'cancelled at once')
  },

  async takenBackLater(page) {
    const made = []
    for (const n of [1, 2, 3]) made.push(await api('POST', '/events', { title: `Kite festival ${n}`, start_date: `${month}-1${n} 11:00`, end_date: `${month}-1${n} 12:00`, cost: '4' }))
    const prices = async () => (await Promise.all(made.map(({ id }) => api('GET', `/events/${id}`)))).map((one) => one.cost_details.values.join()).join()
    await open(page, '/events?search=kite+festival')
    await page.locator('#found thead [data-every] input').click()
    await press(page, '#many button[value=bulk]')
    await page.fill('#f-cost', '9')
    await press(page, 'button[value=look]')
    await press(page, 'button[value=save]')
    same(await prices(), '9,9,9', 'the wrong prices')
    await api('POST', '/events', { title: 'Something else in between', start_date: `${month}-10 11:00`, end_date: `${month}-10 12:00` })
    await open(page, '/desk')
    await counted(2, 'a mistake with many events, taken back later', async () => {
      await press(page, '#nav a[href="/admin/audit"]')
      await picture(page, 'history')
      const undo = page.locator('.history > li', { hasText: 'Kite festival 1' }).first().locator('form[action="/admin/events/undo"] button')
      await Promise.all([page.waitForEvent('load'), undo.click()])
    })
    same(await prices(), '4,4,4', 'the prices that were taken back')
  },

  async venueTwice(page) {
    const a = await api('POST', '/venues', { venue: 'Boathouse by the mill' }), b = await api('POST', '/venues', { venue: 'Boathouse at the mill' })
    const days = []
    for (const venue of [a.id, b.id]) days.push(await api('POST', '/events', { title: 'Rowing day', venue, start_date: `${month}-14 10:00`, end_date: `${month}-14 12:00` }))
    const where = async () => (await Promise.all(days.map(({ id }) => api('GET', `/events/${id}`)))).map((one) => one.venue.id)
    await open(page, '/venues?search=boathouse')
    await counted(4, 'a venue that exists twice', async () => {
      for (const one of [a, b]) await page.locator(`main input[name=id][value="${one.id}"]`).click()
      await press(page, 'main button[value=merge]')
      await press(page, 'form.conflict button[value=merge]')
    })
    same(new Set(await where()).size, 1, 'venues of the two events')
    await press(page, 'form.said.undo button')
    same((await where()).join(), [a.id, b.id].join(), 'their venues after Undo')
  },

  async outOfTheTrash(page) {
    const made = []
    for (const n of [1, 2, 3]) made.push(await api('POST', '/events', { title: `Thrown away ${n}`, start_date: `${month}-16 1${n}:00`, end_date: `${month}-16 1${n}:30` }))
    for (const { id } of made) await api('DELETE', `/events/${id}`)
    await open(page, '/events?status=trash&search=thrown')
    await counted(2, 'all of the trash that a search finds', async () => {
      await page.locator('#found thead [data-every] input').click()
      await press(page, '#many button[value=restore]')
    })
    same((await Promise.all(made.map(({ id }) => api('GET', `/events/${id}`)))).map((one) => one.status).join(), 'publish,publish,publish', 'restored')
  },

  async seriesWithHolidays(page) {
    const monday = Array.from({ length: 7 }, (_, n) => `${month}-0${n + 1}`).find((date) => new Date(date).getUTCDay() === 1)
    await open(page, '/events/new')
    await page.fill('#f-title', 'Choir on Mondays')
    await page.fill('#f-start_date', `${monday}T19:00`)
    await page.fill('#f-end_date', `${monday}T21:00`)
    let named
    await counted(4, 'a weekly series, not on public holidays', async () => {
      await page.selectOption('#f-repeat', 'week')
      await page.locator('.repeat-dates summary').click()
      await page.selectOption('#f-repeat_holidays', { label: 'Germany' })
      await page.locator('[value=row_holidays_name]').click()
      const skip = page.locator('[value=row_holidays_skip]')
      await skip.waitFor()
      named = await page.locator('.repeat-own li', { hasText: '·' }).allInnerTexts()
      await picture(page, 'holidays', false, '#f-recurrence')
      await skip.click()
      await skip.waitFor({ state: 'detached' })
      await save(page)
    })
    const skipped = named.map((text) => new Date(`${text.split('·')[0].trim()} UTC`).toISOString().slice(0, 10))
    same(skipped.length > 8, true, 'public holidays on Mondays in five years')
    const dates = async (from, until) => (await api('GET', `/events/${number(page)}/occurrences?start_date=${from}&end_date=${until}&per_page=50`)).events.map((one) => one.start_date.slice(0, 10))
    for (const one of skipped) {
      const near = (offset) => new Date(Date.parse(one) + offset * 86_400_000).toISOString().slice(0, 10)
      const left = await dates(near(-7), near(7))
      same(left.includes(one), false, `a date on the holiday ${one}`)
      same(left.length > 0, true, `dates around the holiday ${one}`)
    }
  },

  async oneDateOfASeries(page) {
    const { id } = await api('POST', '/events', { title: 'Yoga in the park', start_date: `${month}-02 08:00`, end_date: `${month}-02 09:00`, recurrence: { every: 'week', count: 4 } })
    const dates = async () => (await api('GET', `/events/${id}/occurrences?start_date=${month}-01&per_page=20`)).events
    const [, second] = await dates()
    await open(page, `/events/${second.id}`)
    await page.fill('#f-title', 'Yoga in the hall')
    await counted(2, 'one date of a series', async () => {
      await save(page)
      await press(page, 'form.which button[value=save]')
    })
    same((await dates()).map((one) => one.title.slice(12)).join(), 'park,hall,park,park', 'the dates of the series')
  },
}
