// What visitors do by e-mail, and editors with them: each on a site of its own that can write.
import { counted, month, newPage, out, press, same } from './tasks_kit.mjs'
import { postOffice, start } from './service.mjs'

/** Does a task on a site of its own where a setting for visitors is on. */
async function mailing(setting, task) {
  const post = await postOffice()
  const service = await start(process.argv[2], post.mailing), { base } = service
  const page = await newPage(), visitor = await newPage()
  try {
    post.inbox = ''
    await page.goto(`${base}/admin`)
    await page.fill('#f-login', service.login)
    await page.fill('#f-password', service.signIn)
    await press(page, 'main button[type=submit]')
    await page.goto(`${base}/admin/settings/visitors`)
    await setting(page)
    await press(page, 'form.settings p.buttons button[value=save]')
    await task({ post, page, visitor, ...service })
  } finally {
    await page.context().close()
    await visitor.context().close()
    await service.stop()
    post.close()
  }
}

/** The link of this form in the next letter. */
async function letter(post, link, before) {
  for (let tries = 0; post.link(link) === before && tries < 240; tries++) await new Promise((later) => setTimeout(later, 1000))
  return post.link(link)
}

export const tasks = {
  // A link in a letter leads to a page that is nobody else's. Its form is the visitor's own, also by what browsers say of it.
  async newsletter() {
    await mailing((page) => page.selectOption('#f-mailing', 'on'), async ({ post, page, visitor, base }) => {
      await visitor.goto(`${base}/en/events/by-mail/`)
      await visitor.fill('#f-email', 'ada@example.net')
      await press(visitor, 'main form button[type=submit]')
      await visitor.goto(base + await letter(post, String.raw`/en/events/by-mail/confirm/\?code=[\w-]+`))
      await counted(1, 'a newsletter is confirmed', async () => press(visitor, 'main form button[type=submit]'))
      same(await visitor.locator('h1').innerText(), 'Newsletter', 'the page after it')
      await page.goto(`${base}/admin/letters`)
      same(/Subscribers\s*1/.test(await page.locator('main').innerText()), true, 'a subscriber in the administration')
      await page.screenshot({ path: `${out}task-newsletter.png` })
    })
  },

  async askedBack() {
    await mailing((page) => page.locator('#f-submissions').check(), async ({ post, page, visitor, api, base }) => {
      const year = Number(month.slice(0, 4)) + 1, link = String.raw`/en/submit/sent/\?code=[\w-]+`
      await visitor.goto(`${base}/en/submit/`)
      const typed = { title: 'Moss walk', start_date: `${year}-06-04`, start_time: '09:00', venue: 'Old quarry', contact_name: 'Ada', contact_email: 'ada@example.net' }
      for (const [field, text] of Object.entries(typed)) await visitor.fill(`#f-${field}`, text)
      await press(visitor, '.send button[type=submit]')
      const first = await letter(post, link)
      await visitor.goto(base + first)
      await press(visitor, 'button[value=confirm]')
      const { events: [{ id }] } = await api('GET', `/events?search=moss&status=pending&start_date=${year}-01-01`)
      const status = async () => (await api('GET', `/events/${id}`)).status

      await page.goto(`${base}/admin/desk`)
      await counted(4, 'sent back to its sender', async () => {
        await press(page, '#nav a[href="/admin/submissions"]')
        await Promise.all([page.waitForEvent('load'), page.locator('.inbox a', { hasText: 'Moss walk' }).click()])
        await page.locator('#f-review_note').click()
        await page.keyboard.type('Where do we meet?')
        await press(page, 'button[value=back]')
      })
      same(await status(), 'draft', 'what was sent back')

      await visitor.goto(base + await letter(post, link, first)) // what was sent back can be undone for a while; then its letter goes
      same(await visitor.locator('main', { hasText: 'Where do we meet?' }).count(), 1, 'the note that the sender sees')
      await visitor.screenshot({ path: `${out}task-asked-back.png` })
      await counted(2, 'changed and sent again', async () => {
        await visitor.locator('#f-description').click()
        await visitor.keyboard.type('We meet at the gate.')
        await press(visitor, 'button[value=again]')
      })
      same(await status(), 'pending', 'what was sent again')

      await page.goto(`${base}/admin/desk`)
      await counted(3, 'what came back is published', async () => {
        await press(page, '#nav a[href="/admin/submissions"]')
        await Promise.all([page.waitForEvent('load'), page.locator('.inbox a', { hasText: 'Moss walk' }).click()])
        same(await page.locator('main', { hasText: 'We meet at the gate.' }).count(), 1, 'what the sender has changed')
        await page.screenshot({ path: `${out}task-came-back.png` })
        await press(page, 'main button[value=publish]')
      })
      same(await status(), 'publish', 'what came back')
    })
  },
}
