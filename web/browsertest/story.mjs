// Times the story of a series that people tell first, on a phone by finger and on a
// screen by mouse: every second Thursday at half past seven, not on 26 December, in
// May in the hall, until the end of June. It is typed at 60 ms a key; nothing is put
// into fields. Then it holds the dates that a calendar program reads in the feed
// against those of the interface, and looks at the public page.
//
//	node story.mjs ../../bin/kalends
import { spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { chromium } from 'playwright-core'
import { start } from './service.mjs'

const out = new URL('../../out/', import.meta.url).pathname
const service = await start(process.argv[2])
const { api, base } = service
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0
const same = (is, want, text) => {
  checked++
  if (JSON.stringify(is) !== JSON.stringify(want)) problems.push(`${text}: ${JSON.stringify(is)}, want ${JSON.stringify(want)}`)
}
const expect = (condition, text) => same(Boolean(condition), true, text)

/** What one person does on one screen, counted. */
class Person {
  constructor(page, finger) { Object.assign(this, { page, finger, presses: 0, keys: 0, since: Date.now() }) }

  async press(selector, position) {
    const one = typeof selector === 'string' ? this.page.locator(selector).first() : selector
    await one.waitFor()
    await (this.finger ? one.tap({ position }) : one.click({ position }))
    this.presses++
  }

  /** Presses what leads to another page. */
  async leave(selector) { await Promise.all([this.page.waitForEvent('load'), this.press(selector)]) }

  async type(text) {
    await this.page.keyboard.type(text, { delay: 60 })
    this.keys += text.length
  }

  async fill(selector, text) {
    await this.press(selector)
    await this.page.locator(selector).first().press('Control+A')
    await this.type(text)
  }

  /** Types a date, or a date and a time, part by part, as the browser shows it. A phone has wheels for that, which no test can turn. */
  async date(selector, text) {
    const [, year, month, day, hours, minutes] = text.match(/^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/)
    const { height } = await this.page.locator(selector).boundingBox()
    await this.press(selector, { x: 22, y: height / 2 }) // its first part
    await this.type(month + day + year)
    if (hours) { // after a year of four digits comes the hour
      await this.type(`${String(hours % 12 || 12).padStart(2, '0')}${minutes}${hours < 12 ? 'A' : 'P'}`)
    }
    same(await this.page.inputValue(selector), text, `what was typed into ${selector}`)
  }

  /** Opens a list of choices and takes one: two presses. */
  async choose(selector, value) {
    await this.page.locator(selector).scrollIntoViewIfNeeded()
    await this.page.selectOption(selector, value)
    await this.page.waitForTimeout(300) // in which a hand moves to it
    this.presses += 2
  }

  tally() { return { seconds: Math.round((Date.now() - this.since) / 100) / 10, presses: this.presses, keys: this.keys } }
}

/** When it happens. */
const dates = ['2030-12-12', '2031-01-09', '2031-01-23', '2031-02-06', '2031-02-20', '2031-03-06', '2031-03-20', '2031-04-03', '2031-04-17',
  '2031-05-01', '2031-05-15', '2031-05-29', '2031-06-12', '2031-06-26']
const may = (at) => at.startsWith('2031-05')

async function person(width) {
  const finger = width < 600
  const context = await browser.newContext({ viewport: { width, height: finger ? 844 : 900 }, hasTouch: finger, isMobile: finger, locale: 'en-US' })
  await context.addCookies([{ name: 'kalends-language', value: 'en', url: base }])
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`script: ${error.stack}`))
  await page.goto(`${base}/admin`)
  await page.fill('#f-login', 'admin')
  await page.fill('#f-password', service.signIn)
  await page.click('main button[type=submit]')
  await page.waitForURL('**/admin')
  return { page, name: `story-${width}`, start: () => new Person(page, finger) }
}

/** Makes the series and returns its id. */
async function make({ page, name, start }, title) {
  const one = start()
  await page.goto(`${base}/admin/events/new`)
  await page.screenshot({ path: `${out}${name}-new.png` })
  await one.fill('#f-title', title)
  await one.date('#f-start_date', '2030-12-12T19:30')
  await one.choose('#f-repeat', 'week')
  await one.fill('#f-repeat_every', '2')
  await one.choose('#f-repeat_end', 'on')
  await one.date('#f-repeat_until', '2031-06-30')
  await page.locator('.repeat-words', { hasText: 'Every second Thursday until 30 June 2031' }).waitFor()
  await one.press('.repeat-dates summary')
  await one.press('[value="row_date_2030-12-26"]')
  await page.locator('[value="row_date_2030-12-26"].is-out').waitFor()
  await page.screenshot({ path: `${out}${name}-form.png`, fullPage: true })
  await one.leave('.saves .first')
  return { id: Number(page.url().match(/\d+$/)[0]), made: one.tally() }
}

const occurrences = async (id) => (await api('GET', `/events/${id}/occurrences?start_date=2030-11-01&end_date=2031-12-31&per_page=50`)).events

/** Moves the dates in May, one by one, as the form asks: this one only. */
async function move({ page, name, start }, id) {
  const one = start()
  for (const date of (await occurrences(id)).filter(({ start_date: at }) => may(at))) {
    await page.goto(`${base}/admin/events/${date.id}`)
    await one.press('pick-field[data-name=venue] .pick-box input')
    await one.type('Great')
    await one.press(page.locator('.picks li', { hasText: 'Great hall' }).first())
    await one.leave('.saves .first')
    await page.screenshot({ path: `${out}${name}-which.png` })
    expect(await page.locator('form.which [value=this]').isChecked(), `${name}: which dates: this one isn’t what is offered first`)
    await one.leave('form.which button[value=save]')
  }
  return one.tally()
}

/** The dates a calendar program makes of a feed. */
const program = `
import sys, datetime, icalendar
from dateutil import rrule
calendar = icalendar.Calendar.from_ical(sys.stdin.read())
zones = {str(zone['TZID']): zone.to_tz() for zone in calendar.walk('VTIMEZONE')} # as the feed has them
wall = lambda at: at.replace(tzinfo=None)
dates, moved = {}, {}
for event in calendar.walk('VEVENT'):
    start = wall(event['DTSTART'].dt)
    zone = zones[event['DTSTART'].params['TZID']]
    place = str(event.get('LOCATION', '')).split(',')[0]
    if 'RECURRENCE-ID' in event:
        moved[wall(event['RECURRENCE-ID'].dt)] = start, zone, place
        continue
    rule = event['RRULE']
    rule['UNTIL'] = [wall(at.astimezone(zone)) for at in rule['UNTIL']]
    days = set(rrule.rrulestr(rule.to_ical().decode(), dtstart=start))
    out = event.get('EXDATE', [])
    for one in out if isinstance(out, list) else [out]:
        for at in one.dts:
            days.remove(wall(at.dt))
    dates.update((at, (at, zone, place)) for at in days)
for at in moved:
    assert at in dates, at
dates.update(moved)
for start, zone, place in sorted(dates.values(), key=lambda date: date[0]):
    print(start.strftime('%Y-%m-%d %H:%M'), zone.localize(start).astimezone(datetime.timezone.utc).strftime('%H:%M'), place)
`

/** Holds the feed of a series against the interface. */
async function subscribe(id, name) {
  const { slug } = await api('GET', `/events/${id}`)
  const feed = await (await fetch(`${base}/event/${slug}.ics`)).text()
  const { stdout, stderr, error, status } = spawnSync('/usr/bin/python3', ['-c', program], { input: feed, encoding: 'utf8' })
  if (error || /No module named/.test(stderr)) return console.log(`${name}: no python3-icalendar here, the feed isn't read`)
  expect(status === 0, `${name}: the feed can't be read: ${stderr}`)
  const listed = await Promise.all((await occurrences(id)).map(({ id }) => api('GET', `/events/${id}`)))
  same(stdout.trim().split('\n').map((line) => line.trim()),
    listed.map((one) => `${one.start_date.slice(0, 16)} ${one.utc_start_date.slice(11, 16)} ${one.venue?.venue ?? ''}`.trim()), `${name}: dates by the feed`)
}

async function tell(width) {
  const who = await person(width)
  const { id, made } = await make(who, `Chess club ${width}`)
  same((await occurrences(id)).map(({ start_date: at }) => at), dates.map((day) => `${day} 19:30:00`), `${who.name}: dates`)
  const moved = await move(who, id)
  for (const one of await occurrences(id)) {
    const { venue, start_date: at } = await api('GET', `/events/${one.id}`)
    same(venue?.venue ?? '', may(at) ? 'Great hall' : '', `${who.name}: where it is on ${at}`)
  }
  console.log(`${who.name}: made ${JSON.stringify(made)}, May moved ${JSON.stringify(moved)}`)
  expect(made.seconds < 60, `${who.name}: making the series takes ${made.seconds} s`)
  await subscribe(id, who.name)
  const { page } = who
  await page.goto((await api('GET', `/events/${id}`)).url)
  expect(await page.evaluate(() => document.documentElement.scrollWidth) <= width, `${who.name}: the public page is wider than the screen`)
  await page.screenshot({ path: `${out}${who.name}-public.png`, fullPage: true })
  const first = (await occurrences(id)).find(({ start_date: at }) => may(at))
  await page.goto((await api('GET', `/events/${first.id}`)).url)
  await page.screenshot({ path: `${out}${who.name}-may.png`, fullPage: true })
  await page.context().close()
}

try {
  await mkdir(out, { recursive: true })
  await api('POST', '/venues', { venue: 'Great hall' })
  for (const width of [390, 1280]) await tell(width).catch((error) => problems.push(`${width}: ${error.stack}`))
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${checked} checks of the story, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
