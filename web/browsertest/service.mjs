// A service of its own for one run: a fresh database, the sample events of the
// first run, and a few that are hard to show.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => resolve(port))
  })
})

/** Starts the program and returns its address, a login, and how to stop it. env are settings besides those that every run has. */
export async function start(program, env = {}) {
  const data = await mkdtemp(join(tmpdir(), 'kalends-browser-'))
  const port = await freePort()
  const child = spawn(program, ['serve'], {
    env: { ...process.env, KALENDS_DATA_DIR: data, KALENDS_ADDR: `127.0.0.1:${port}`, KALENDS_LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (part) => { if ((printed += part).includes('Kalends answers at')) resolve() })
    child.on('exit', (code) => reject(new Error(`the service ended with ${code}: ${printed}`)))
  })
  const [, login, password] = printed.match(/curl -u '([^:]+):([^']+)'/)
  const base = `http://localhost:${port}`
  const authorization = 'Basic ' + Buffer.from(`${login}:${password}`).toString('base64')
  return {
    base, login, password,
    /** The interface, for what a test needs to be there. */
    api: async (method, path, body) => {
      const answer = await fetch(`${base}/calendar/events/v1${path}`, { method, body: body && JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', Authorization: authorization } })
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return answer.json()
    },
    signIn: (printed.match(/^\s*password\s+(\S+)/m) ?? [])[1],
    stop: async () => {
      const gone = new Promise((resolve) => (child.exitCode === null && child.signalCode === null ? child.on('exit', resolve) : resolve()))
      child.kill('SIGTERM')
      await gone
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** Settings of a service that could send e-mail; nothing takes it. */
export const mailing = { KALENDS_SMTP_URL: 'smtp://127.0.0.1:1', KALENDS_MAIL_FROM: 'calendar@example.org' }

/** A mail server. It keeps in its inbox every letter that it is sent, and takes none while that is undefined. */
export async function postOffice() {
  const post = { inbox: undefined }
  const server = createServer((line) => {
    let rest = '', letter = false
    line.on('error', () => {})
    if (post.inbox === undefined) return line.destroy()
    line.write('220 post\r\n')
    line.on('data', (data) => {
      const lines = (rest + data).split('\r\n')
      rest = lines.pop()
      for (const one of lines) {
        if (letter) post.inbox += `${one}\n`
        if (letter && one !== '.') continue
        letter = one === 'DATA'
        line.write(letter ? '354 go on\r\n' : one === 'QUIT' ? '221 bye\r\n' : '250 well\r\n')
      }
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  post.mailing = { ...mailing, KALENDS_SMTP_URL: `smtp://127.0.0.1:${server.address().port}` }
  post.close = () => server.close()
  /** The path of a link in the last letter that has one of this form. */
  post.link = (form) => post.inbox.replaceAll('=\n', '').replaceAll('=3D', '=').match(new RegExp(form, 'g'))?.at(-1)
  return post
}

/** Turns letters on, as an administrator does. */
export async function turnLettersOn(service, browser) {
  const page = await (await browser.newContext({ locale: 'en' })).newPage()
  await page.goto(`${service.base}/admin/login`)
  await page.fill('#f-login', service.login)
  await page.fill('#f-password', service.signIn)
  await page.click('form[action="/admin/login"] button')
  await page.goto(`${service.base}/admin/settings/visitors`)
  await page.selectOption('#f-mailing', 'on')
  await Promise.all([page.waitForEvent('load'), page.click('form.settings p.buttons button[value=save]')])
  await page.context().close()
}

/** The pages of what a visitor keeps, which need the ids of events. */
export async function keptPages({ api }) {
  const [lecture, choir] = await Promise.all(['lecture', 'choir'].map((slug) => api('GET', `/events/by-slug/${slug}`)))
  const ids = `${lecture.id},s${choir.id}`
  return { shared: `/events/kept/?ids=${ids}`, remind: `/events/by-mail/?ids=${ids}` }
}

const month = (() => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString().slice(0, 7)
})()

const yearOn = Number(month.slice(0, 4)) + 1

/** Events that are hard to show, all in the month to come. */
export const events = [
  { title: 'Winter Exhibition: Maps, Myths and the Measuring of Lakes', slug: 'exhibition', all_day: true,
    start_date: `${month}-02`, end_date: `${month}-17`, cost: '€8 - €12', categories: ['Culture'],
    description: '<p>Six rooms, <strong>two hundred maps</strong>.</p><h2>Opening hours</h2><ul><li>Tuesday to Sunday</li></ul><blockquote>A lake is a mirror with a memory.</blockquote>' },
  { title: 'Harbour Days', slug: 'harbour', all_day: true, start_date: `${month}-04`, end_date: `${month}-06` },
  { title: 'Lecture from New York', slug: 'lecture', start_date: `${month}-09 19:00`, end_date: `${month}-09 20:30`,
    timezone: 'America/New_York', show_map: true, website: 'https://www.example.org/lectures/lakes', cost: 'Free',
    description: 'Questions are taken at the end.', tags: ['lecture', 'online'], categories: ['Literature'],
    organizer: [{ organizer: 'Lake Institute', slug: 'lake-institute', email: 'lake@example.org', phone: '+1 212 555 0101' }, { organizer: 'Columbia Friends' }],
    venue: { venue: 'Butler Library', slug: 'butler', address: '535 W 114th St', city: 'New York', zip: '10027', country: 'United States',
      state: 'NY', phone: '+1 212 555 0100', website: 'https://library.example.org' },
    tickets: [{ name: 'Regular seat', price: 12.5, currency: 'EUR', url: 'https://example.org/t' }, { name: 'Reduced', price: 6, status: 'sold_out' }] },
  { title: 'Silvesternacht-Orgelkonzert mit anschließendem Neujahrsempfang im Gemeindezentrum', start_date: `${month}-28 22:30`, end_date: `${month}-29 01:30` },
  ...Array.from({ length: 12 }, (_, n) => ({ title: `Advent market stall ${n + 1}`, start_date: `${month}-12 ${n + 9}:00`, end_date: `${month}-12 ${n + 9}:45` })),
  { title: 'أمسية شعرية على ضفاف البحيرة', start_date: `${month}-15 18:00`, end_date: `${month}-15 20:00` },
  { title: '湖畔の朗読会と音楽の夕べ', start_date: `${month}-16 18:00`, end_date: `${month}-16 20:00`, featured: true },
  { title: 'Board meeting', slug: 'board', start_date: `${month}-18 18:00`, end_date: `${month}-18 20:00`, post_password: 'anchor' },
  { title: '<script>alert(1)</script> & "quotes"', slug: 'script', start_date: `${month}-19 18:00`, end_date: `${month}-19 20:00` },
  { title: 'Rechtsschutzversicherungsgesellschaftenverbandsjahreshauptversammlung', slug: 'verband', start_date: `${month}-20 09:00`, end_date: `${month}-20 17:30`,
    website: `https://www.example.org/${'veranstaltungen-und-versammlungen/'.repeat(4)}?programm=jahreshauptversammlung`, cost: '12.50 - 1480', categories: ['Öffentlichkeitsarbeit und Mitgliederversammlungen'],
    description: `<p>Anmeldung unter https://www.example.org/${'anmeldung-zur-versammlung/'.repeat(5)} bis zum Vortag.</p>`,
    venue: { venue: 'Donaudampfschifffahrtsgesellschaftshauptgebäude', slug: 'donau', address: 'Handelskai 265', zip: '1020', city: 'Wien', country: 'Österreich' },
    organizer: [{ organizer: 'Bundesarbeitsgemeinschaft der Veranstaltungskaufleute', slug: 'bundesarbeitsgemeinschaft', email: `veranstaltungskaufleute@${'bundesarbeitsgemeinschaft'.repeat(2)}.example.org` }] },
  { title: '第二十七回湖畔国際室内楽音楽祭特別記念演奏会並びに若手演奏家交流懇談会開催のお知らせ', slug: 'shitsunaigaku', featured: true, start_date: `${month}-21 13:30`, end_date: `${month}-21 16:00`, timezone: 'Asia/Tokyo',
    cost: '2500', description: '<p>全席自由。開場は開演の三十分前です。小学生未満のお子様はご入場いただけませんので、あらかじめご了承ください。</p>',
    venue: { venue: '湖畔市民会館大ホール', slug: 'shimin', address: '湖畔町一丁目二番三号', city: '大津市', zip: '520-0001', country: '日本' } },
  { title: 'مهرجان البحيرة للموسيقى والشعر: ثلاثة أيام من الحفلات والقراءات في الهواء الطلق', slug: 'mahrajan', all_day: true, start_date: `${month}-22`, end_date: `${month}-24`,
    description: '<p>الدخول مجاني، والأماكن محدودة. للحجز يرجى الاتصال قبل يومين على الأقل.</p>', cost: 'Free', categories: ['ثقافة وفنون'],
    venue: { venue: 'حديقة البحيرة', slug: 'hadiqa', address: 'شارع الكورنيش 12', city: 'الإسكندرية', country: 'مصر', phone: '+20 3 555 0101' }, organizer: [{ organizer: 'جمعية أصدقاء الكتاب', slug: 'asdiqa' }] },
  { title: 'Winter school', slug: 'school', all_day: true, start_date: `${month}-08`, end_date: `${yearOn}-03-14` },
  { title: 'Concert of the evening', slug: 'today', start_date: 'today 20:00', end_date: 'today 23:00' },
]

/** A series and what is cancelled, put off or moved, which the public pages show. */
const series = { title: 'Choir rehearsal at the lake', slug: 'choir', start_date: `${month}-01 19:30`, end_date: `${month}-01 21:30`, timezone: 'Europe/Berlin',
  recurrence: { every: 'day', interval: 2, count: 40 }, description: 'We sing folk songs and the odd madrigal.', categories: ['Music'],
  venue: { venue: 'Old Town Hall', slug: 'hall', city: 'Lindau' } }
const changes = [{ event_status: 'cancelled', event_status_reason: 'The heating of the hall is broken. We hope to see you next time.' }, { event_status: 'postponed' },
  { title: 'Concert of the choir', start_date: `${month}-05 17:00`, event_status: 'rescheduled', event_status_reason: 'So that families can come.' },
  { attendance_mode: 'mixed', virtual_url: 'https://meet.example.org/choir' }]

/** Makes them; only the public pages have them, for the others count events. */
export async function seedSeries({ api }) {
  const { id } = await api('POST', '/events', series)
  const { events } = await api('GET', `/events/${id}/occurrences?start_date=${month}-01&per_page=${changes.length}`)
  for (const [n, change] of changes.entries()) await api('PATCH', `/events/${events[n].id}`, change)
}

/** The pages worth looking at, below the language. */
export const pages = {
  series: '/event/choir/', 'series-over': '/event/choir/?past=1', cancelled: `/event/choir/${month}-01/`, postponed: `/event/choir/${month}-03/`,
  moved: `/event/choir/${month}-05/`, mixed: `/event/choir/${month}-07/`,
  home: '/', list: '/events/', listed: '/events/list/', this: '/events/month/', month: `/events/month/${month}/`, day: `/events/day/${month}-12/`, past: '/events/past/', search: '/events/?search=lake',
  event: '/event/lecture/', days: '/event/exhibition/', locked: '/event/board/', venue: '/venue/butler/', organizer: '/organizer/lake-institute/',
  german: '/event/verband/', japanese: '/event/shitsunaigaku/', arabic: '/event/mahrajan/', 'german-venue': '/venue/donau/', 'german-organizer': '/organizer/bundesarbeitsgemeinschaft/',
  'free-month': `/events/month/${yearOn + 1}-02/`, 'free-day': `/events/day/${yearOn + 1}-02-12/`, found: '/events/?search=nowhere',
  tonight: '/events/tonight/', tomorrow: '/events/tomorrow/', weekend: '/events/weekend/', free: '/events/free/', children: '/events/children/', 'on-show': '/events/on-show/', week: `/events/week/${month}-12/`, 'this-week': '/events/week/', today: '/events/day/', images: '/events/photo/', map: '/events/map/', filtered: '/events/?category=literature&when=month', venues: '/venues/', organizers: '/organizers/',
  kept: '/events/kept/', 'by-mail': '/events/by-mail/', programme: '/events/programme/', poster: '/event/lecture/poster/', 'poster-date': `/event/choir/${month}-05/poster/`, mistake: '/event/lecture/mistake/', 'mistake-date': `/event/choir/${month}-05/mistake/`,
  'mistake-venue': '/venue/butler/mistake/', 'mistake-organizer': '/organizer/lake-institute/mistake/',
  categories: '/categories/', tags: '/tags/', category: '/events/category/literature/', tag: '/tag/lecture/', missing: '/event/nothing/', reference: '/api-reference/', 'reference-venue': '/api-reference/venue/',
}

/** Makes the events. */
export async function seed({ base, login, password }) {
  for (const event of events) {
    const answer = await fetch(`${base}/calendar/events/v1/events`, { method: 'POST', body: JSON.stringify(event),
      headers: { 'Content-Type': 'application/json', Authorization: 'Basic ' + Buffer.from(`${login}:${password}`).toString('base64') } })
    if (answer.status !== 201) throw new Error(`${event.title}: ${answer.status} ${await answer.text()}`)
  }
}

/** A picture as a file: stripes. */
export function png(width, height) {
  const table = Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n >>> 0 })
  const sum = (bytes) => { let c = 0xffffffff; for (const b of bytes) c = table[(c ^ b) & 255] ^ (c >>> 8); return (c ^ 0xffffffff) >>> 0 }
  const chunk = (name, data) => {
    const body = Buffer.concat([Buffer.from(name), data]), whole = Buffer.alloc(body.length + 8)
    whole.writeUInt32BE(data.length, 0)
    body.copy(whole, 4)
    whole.writeUInt32BE(sum(body), body.length + 4)
    return whole
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) rows.set([40 + y % 120, 90 + (x + y) % 90, 160], y * (width * 3 + 1) + 1 + x * 3)
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))])
}
