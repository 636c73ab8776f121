// What an editor and a visitor who has sent an event do with each other, by e-mail: on a site of their own that can write.
import { counted, month, newPage, out, press, same } from './tasks_kit.mjs'
import { postOffice, start } from './service.mjs'

export const tasks = {
  async askedBack() {
    const post = await postOffice()
    const service = await start(process.argv[2], post.mailing), { api, base } = service
    const page = await newPage(), visitor = await newPage()
    try {
      post.inbox = ''
      await page.goto(`${base}/admin`)
      await page.fill('#f-login', service.login)
      await page.fill('#f-password', service.signIn)
      await press(page, 'main button[type=submit]')
      await page.goto(`${base}/admin/settings/visitors`)
      await page.locator('#f-submissions').check()
      await press(page, 'form.settings p.buttons button[value=save]')

      const year = Number(month.slice(0, 4)) + 1, link = String.raw`/en/submit/sent/\?code=[\w-]+`
      await visitor.goto(`${base}/en/submit/`)
      const typed = { title: 'Moss walk', start_date: `${year}-06-04`, start_time: '09:00', venue: 'Old quarry', contact_name: 'Ada', contact_email: 'ada@example.net' }
      for (const [field, text] of Object.entries(typed)) await visitor.fill(`#f-${field}`, text)
      await press(visitor, '.send button[type=submit]')
      const letter = async (before) => { // what was sent back can be undone for a while; then its letter goes
        for (let tries = 0; post.link(link) === before && tries < 240; tries++) await new Promise((later) => setTimeout(later, 1000))
        return post.link(link)
      }
      const first = await letter()
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

      await visitor.goto(base + await letter(first))
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
    } finally {
      await page.context().close()
      await visitor.context().close()
      await service.stop()
      post.close()
    }
  },
}
