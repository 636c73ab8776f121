// Checks what scripts put over the forms of the administration: each widget by
// keyboard and by mouse, with axe while it is open, in both directions, light and
// dark, narrow and wide; that no text is lost; how much the page weighs.
//
//	node editor.mjs ../../bin/kalends
import { mkdir, readFile } from 'node:fs/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import { png, seed, start } from './service.mjs'

const out = new URL('../../out/', import.meta.url).pathname
const service = await start(process.argv[2])
const { api } = service
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] })
const problems = []
let checked = 0
const expect = (condition, text) => {
  checked++
  if (!condition) problems.push(text)
}

async function open(options = {}, language = 'en') {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  await context.addCookies([{ name: 'kalends-language', value: language, url: service.base }])
  const page = await context.newPage()
  page.on('console', (message) => {
    // Chromium tells of the styles in a pasted text when it is parsed, though they never get into the page.
    if (/inline style/.test(message.text()) && message.location().url.includes('/editor')) return
    if (message.type() === 'error' && !/status of (401|422)|ERR_INTERNET_DISCONNECTED/.test(message.text()) && !message.location().url.endsWith('/media/a.png')) problems.push(`console: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => problems.push(`script: ${error.stack}`))
  await page.goto(`${service.base}/admin`)
  await page.fill('#f-login', 'admin')
  await page.fill('#f-password', service.signIn)
  await page.click('main button[type=submit]')
  await page.waitForURL('**/admin')
  return page
}

async function form(page, path = '/events/new') {
  await page.goto(`${service.base}/admin${path}`)
  await page.locator('.wide > rich-text[data-ready]').first().waitFor()
}

async function save(page) {
  await Promise.all([page.waitForEvent('load'), page.click('.saves .first')])
}

// Texts of everything that may be stored, which the editor keeps whole.
const texts = JSON.parse(await readFile(new URL('../../calendar/wording/testdata/kept.json', import.meta.url)))

/** Types a text with a bold word at a person's speed; the form that opens after saving still shows the editor. */
async function typedText(page) {
  await form(page)
  await page.fill('#f-title', 'Typed')
  await page.locator('.rich-box#f-description').first().click()
  const type = (text) => page.keyboard.type(text, { delay: 40 })
  await type('Doors open at ')
  await page.keyboard.press('Control+b')
  await type('19:00')
  await page.keyboard.press('Control+b')
  await type(' sharp.  Two  blanks ')
  await page.keyboard.press('Enter')
  await type(' and a line')
  await save(page)
  await page.locator('.wide > rich-text[data-ready]').first().waitFor()
  expect(await page.locator('.rich-box#f-description').count() === 1, 'a typed text opens as HTML')
  const stored = await page.locator('.wide > rich-text textarea').inputValue()
  expect(stored.includes('Doors open at <strong>19:00</strong> sharp.'), `typed, and stored as ${stored}`)
  for (const visual of [0, 1]) {
    await page.click('.wide > rich-text [data-switch]')
    expect(await page.locator('.rich-box#f-description').count() === visual, `the way ${visual ? 'back from' : 'to'} HTML`)
  }
}

// What Word and Google Docs put into the clipboard.
const word = `<html xmlns:w="urn:schemas-microsoft-com:office:word"><body><p class=MsoNormal><b><span lang=EN-US style='font-size:12.0pt'>Concert</span></b>&nbsp;on Friday<o:p></o:p></p>
  <p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp; </span></span><![endif]>First</p>
  <p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>a)<span>&nbsp; </span></span>Within</p>
  <p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>&nbsp; </span></span>Second</p></body></html>`
const docs = `<b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700;">Bold</span><span style="font-weight:400;"> and text</span></p><br />
  <ul><li dir="ltr"><p dir="ltr"><span style="font-style:italic;">one</span></p></li></ul><p><a href="https://example.org/x"><span style="text-decoration:underline;">a link</span></a></p></b>`

/** What other programs give is a text with its marks and lists; the buttons are one stop of Tab and say what is pressed. */
async function fromElsewhere(page) {
  for (const [name, html, want] of [['a list quoted', '<blockquote><ul><li>a</li></ul><p>b\uf0b7</p></blockquote>', '<ul>\n<li>a</li>\n</ul>\n<p>b</p>'], ['Word', word, '<p><strong>Concert</strong> on Friday</p>\n<ul>\n<li>First<ol>\n<li>Within</li>\n</ol></li>\n<li>Second</li>\n</ul>'],
    ['Docs', docs, '<p><strong>Bold</strong> and text</p>\n<ul>\n<li><em>one</em></li>\n</ul>\n<p><a href="https://example.org/x">a link</a></p>']]) {
    await form(page)
    await page.locator('.rich-box#f-description').click()
    await page.waitForFunction(() => document.querySelector('.rich-box[contenteditable]'))
    await page.evaluate((html) => {
      const data = new DataTransfer()
      data.setData('text/plain', 'plain')
      data.setData('text/html', html)
      document.querySelector('.rich-box').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    }, html)
    const got = await page.inputValue('textarea[name=description]')
    expect(got === want, `pasted from ${name}: ${got}`)
  }
  await form(page)
  const stops = () => page.locator('.wide > rich-text .rich-tools [tabindex="0"]').count()
  expect(await stops() === 1, 'the buttons are several stops of Tab')
  await page.locator('.rich-box#f-description').click()
  await page.keyboard.press('Control+b')
  await page.locator('.wide > rich-text .rich-bold[aria-pressed=true]').waitFor()
  await page.locator('.wide > rich-text .rich-bold').focus()
  await page.keyboard.press('ArrowRight')
  expect(await page.evaluate(() => document.activeElement.matches('.wide > rich-text .rich-italic')) && await stops() === 1, 'an arrow doesn’t lead to the next button')
  await page.keyboard.press('Tab')
  const inText = () => page.evaluate(() => document.activeElement.matches('.rich-box'))
  expect(await inText(), 'Tab doesn’t lead from the buttons to the text')
  await page.keyboard.type('typed')
  await page.locator('.wide > rich-text .rich-undo').focus()
  for (let n = 0; n < 9 && !await inText(); n++) await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement.matches('.rich-box'), null, { timeout: 2000 }).catch(() => {})
  expect(await inText() && await page.locator('.wide > rich-text .rich-tools [tabindex="0"]:not(:disabled)').count() === 1, 'a button with nothing left to undo keeps the focus or the stop of Tab')
  await page.keyboard.type('linked')
  await page.keyboard.press('Control+a')
  await page.locator('.wide > rich-text .rich-href').focus()
  await page.keyboard.press('Enter')
  await page.locator('.wide > rich-text [data-link]').waitFor()
  expect(!(await page.inputValue('textarea[name=description]')).includes('<span'), 'an address half typed leaves a mark in the text')
}

/** Tables are made, grow and shrink by buttons, which stand there while the caret is in one; the direction of a paragraph can be turned. */
async function tables(page) {
  await form(page)
  const bar = page.locator('.wide > rich-text').first().locator('[data-tables]')
  const press = (name) => page.locator(`.wide > rich-text [data-do=${name}]`).first().click()
  const stored = () => page.inputValue('textarea[name=description]')
  await page.locator('.rich-box#f-description').click()
  await page.keyboard.type('Prices')
  expect(await bar.isHidden(), 'the buttons of tables are there without a table')
  await press('table')
  await bar.waitFor()
  for (const text of ['Seat', 'Price', 'Row 1', '12', 'Row 2', '9']) {
    await page.keyboard.type(text)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type('Row 3')
  const cells = (tag, ...all) => all.map((one) => `<${tag}>${one}</${tag}>`).join('')
  const rows = (...all) => all.map((one) => `<tr>${one}</tr>`).join('')
  const at = async (want, what) => {
    const got = (await stored()).replaceAll('\n', '')
    expect(got === want, `${what}: ${got}`)
  }
  const first = `<p>Prices</p><table><thead>${rows(cells('th', 'Seat', 'Price'))}</thead><tbody>`
  await at(`${first}${rows(cells('td', 'Row 1', '12'), cells('td', 'Row 2', '9'), cells('td', 'Row 3', ''))}</tbody></table>`, 'a table that was typed')
  await press('rowRemove')
  await at(`${first}${rows(cells('td', 'Row 1', '12'), cells('td', 'Row 2', '9'))}</tbody></table>`, 'a row less')
  await press('columnAfter')
  await press('columnRemove')
  await page.locator('.rich-box th').first().click()
  expect(await page.locator('[data-do=rowAbove]').first().isDisabled(), 'a row can be put above the headings')
  await press('rowBelow')
  await page.locator('.rich-box td').first().click()
  await page.keyboard.type('Row 0')
  expect(/<thead><tr><th>[^<]*<\/th>.*<\/thead><tbody><tr><td>Row 0/.test((await stored()).replaceAll('\n', '')), `below the headings: ${await stored()}`)
  await page.locator('.rich-box th').first().click()
  await press('headRow')
  expect(!/<t(h|head)>/.test(await stored()), 'the row of headings stays one')
  await press('headRow')
  expect(/<thead><tr><th>/.test(await stored()), 'no row of headings')
  await press('tableRemove')
  await at('<p>Prices</p>', 'the table is gone')
  expect(await bar.isHidden(), 'the buttons of tables stay')
  for (let n = 0; n < 20 && !await page.locator('.wide > rich-text .rich-undo').first().isDisabled(); n++) await press('undo')
  await at('', 'all is undone')
  for (let n = 0; n < 20 && !await page.locator('.wide > rich-text .rich-redo').first().isDisabled(); n++) await press('redo')
  await at('<p>Prices</p>', 'all is done again')

  await page.locator('.rich-box#f-description').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('قراءة في Jazzclub')
  await press('direction')
  await at('<p dir="ltr">قراءة في Jazzclub</p>', 'a paragraph in the other direction')
  expect(await page.locator('[data-do=direction]').first().getAttribute('aria-pressed') === 'true', 'the button doesn’t say that')
  await press('direction')
  await at('<p>قراءة في Jazzclub</p>', 'a paragraph in its own direction')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('one')
  await press('bullet')
  await press('direction')
  await at('<ul><li dir="rtl">one</li></ul>', 'an entry of a list in the other direction')
}

async function richText() {
  const page = await open()
  await typedText(page)
  await fromElsewhere(page)
  await tables(page)
  for (const description of texts) {
    const event = await api('POST', '/events', { title: 'Text', start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00', description })
    const before = (await api('GET', `/events/${event.id}`)).description
    await form(page, `/events/${event.id}`)
    expect(await page.locator('.rich-box#f-description').count() === 1, `HTML is shown of ${description}`)
    await page.locator('.rich-box#f-description').focus()
    await page.locator('.rich-box#f-description[contenteditable]').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('more')
    await save(page)
    const after = (await api('GET', `/events/${event.id}`)).description
    const same = await page.evaluate(async ([one, other]) => (await import(document.querySelector('.wide > rich-text').dataset.editor)).same(one, other), [before, after.replace('\n<p>more</p>', '').replace('more', '')])
    expect(after.includes('more') && same, `a word more changed the rest:\n${before}\n${after}`)
  }
  await form(page)
  await page.fill('#f-title', 'Written')
  // At a person's speed: keys without any time between them get lost in the editor.
  const type = (text) => page.keyboard.type(text, { delay: 20 })
  const press = (key) => page.keyboard.press(key).then(() => page.waitForTimeout(20))
  await page.locator('.rich-box#f-description').click()
  await type('First')
  await press('Enter')
  await press('Enter')
  await press('Control+b')
  await type('second')
  await press('Control+b')
  await press('Enter')
  await press('Enter')
  await page.click('.wide > rich-text .rich-bullet')
  await type('point')
  // By keyboard: the button of the quotation.
  await press('Enter')
  await press('Enter')
  await type('said')
  await page.locator('.wide > rich-text .rich-quote').focus()
  await page.keyboard.press('Enter')
  await page.locator('.rich-box blockquote').waitFor({ timeout: 5000 }).catch(() => {})
  expect(await page.locator('.rich-box blockquote').count() === 1, 'a button can’t be pressed by keyboard')
  expect(await page.inputValue('textarea[name=description]') === '<p>First</p>\n<p><strong>second</strong></p>\n<ul>\n<li>point</li>\n</ul>\n<blockquote><p>said</p></blockquote>',
    `written: ${await page.inputValue('textarea[name=description]')}`)
  const paste = (kind, size) => page.evaluate(([kind, size]) => {
    const data = new DataTransfer()
    data.setData('text/plain', kind === 'both' ? 'short' : 'x '.repeat(size / 2))
    if (kind === 'both') data.setData('text/html', `<p>${'<b>x</b> '.repeat(size / 9)}</p>`)
    const box = document.querySelector('.rich-box')
    const began = performance.now()
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
    return performance.now() - began
  }, [kind, size])
  const pasted = [await paste('plain', 3 << 20), await paste('both', 3 << 20)]
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(Math.max(...pasted) < 1000, `pasting 3 MB takes ${pasted} ms`)
  expect((await page.inputValue('textarea[name=description]')).includes('short'), 'of a paste too rich its text is lost')
  console.log(`a paste of 3 MB is answered in ${pasted.map((t) => t.toFixed(0)).join(' and ')} ms`)
  await page.locator('.wide > rich-text [data-switch]').click()
  await page.locator('textarea[name=description]').fill('<p>By hand</p>')
  await page.locator('.wide > rich-text [data-switch]').click()
  await page.locator('.rich-box#f-description').waitFor()
  expect((await page.locator('.rich-box#f-description').innerText()).includes('By hand'), 'the HTML written by hand isn’t shown')
  // What other scripts put there is shown anew; the label stays with what is shown.
  await page.locator('textarea[name=description]').evaluate((area) => {
    area.value = '<p>From elsewhere</p>'
    area.dispatchEvent(new Event('change', { bubbles: true }))
  })
  await page.locator('.rich-box', { hasText: 'From elsewhere' }).waitFor()
  await page.locator('.wide > rich-text [data-switch]').click()
  expect(await page.locator('textarea[name=description]').evaluate((area) => area.labels[0]?.htmlFor) === 'f-description', 'the HTML has no label')
  await page.context().close()
}

async function picking() {
  const page = await open()
  await api('POST', '/venues', { venue: 'Mühle', city: 'Bern' })
  await api('POST', '/organizers', { organizer: 'Alpha Choir' })
  await api('POST', '/organizers', { organizer: 'Beta Band' })
  await api('POST', '/tags', { name: 'Été' })
  await form(page)
  await page.fill('#f-title', 'Picked')
  const venue = page.locator('input[role=combobox][name=venue]')
  const chips = (name) => page.locator(`pick-field[data-name=${name}] .chip bdi`).allInnerTexts()
  await venue.focus()
  await page.keyboard.type('muhl')
  await page.locator('#pick-venue [role=option]').first().waitFor()
  expect(await venue.getAttribute('aria-expanded') === 'true', 'the list isn’t told to be open')
  await page.keyboard.press('ArrowDown')
  expect(await venue.getAttribute('aria-activedescendant') === 'pick-venue-0', 'no option is active')
  await page.keyboard.press('Enter')
  expect((await chips('venue')).join() === 'Mühle', `by keyboard: ${await chips('venue')}`)
  expect((await page.locator('pick-field[data-name=venue] [role=status]').innerText()).includes('Mühle'), 'it isn’t announced')
  for (const name of ['alpha', 'beta']) {
    await page.locator('input[role=combobox][name=organizer]').fill(name)
    await page.locator('#pick-organizer [data-name]').first().click()
  }
  await page.locator('pick-field[data-name=organizer] [data-do=up]').last().click()
  expect((await chips('organizer')).join() === 'Beta Band,Alpha Choir', `by mouse: ${await chips('organizer')}`)
  await page.locator('input[role=combobox][name=organizer]').fill('Gamma')
  await page.locator('#pick-organizer [data-new]').click()
  expect(await page.inputValue('#f-new_organizer\\.organizer') === 'Gamma', 'a new one isn’t begun')
  await page.keyboard.type('+41 31 000 00 00')
  await page.locator('input[role=combobox][name=organizer]').fill('Delta')
  await page.locator('#pick-organizer [data-new]').waitFor()
  await page.keyboard.press('Enter') // the only choice there is
  expect(await page.inputValue('#f-new_organizer\\.1\\.organizer') === 'Delta', 'a second new one isn’t begun')
  await page.locator('#new-organizer .another').click()
  await page.keyboard.type('Epsilon')
  expect(await page.inputValue('#f-new_organizer\\.2\\.organizer') === 'Epsilon', 'a third new one isn’t begun')
  await page.locator('filter-tree input[type=search]').fill('category')
  await page.keyboard.press('Tab')
  const named = () => page.evaluate(() => document.activeElement.closest('filter-tree label')?.textContent.trim())
  expect(await named() === 'Category 0', `Tab leads from the filter to ${await named()}`)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  expect(await named() === 'Category 1', `arrows lead to ${await named()}`)
  await page.keyboard.press('Space')
  expect(await page.locator('filter-tree input:checked').count() === 1, 'the blank doesn’t tick')
  await page.keyboard.press('Tab')
  expect(await named() === undefined, 'categories are more than one stop of Tab')
  await page.locator('#f-tags').focus()
  await page.keyboard.type('ete')
  await page.locator('#pick-tags [data-value]').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.type('new one, other')
  if (process.env.DEBUG) console.log(await page.evaluate(() => document.querySelector('pick-field[data-name=tags]').outerHTML))
  await save(page)
  await page.locator('.wide > rich-text[data-ready]').waitFor()
  expect((await chips('venue')).join() === 'Mühle', 'the venue is lost')
  expect((await chips('organizer')).join() === 'Beta Band,Alpha Choir,Gamma,Delta,Epsilon', `saved: ${await chips('organizer')}`)
  expect((await chips('tags')).toSorted().join() === 'new one,other,Été', `tags: ${await chips('tags')}`)
  await page.locator('pick-field[data-name=organizer] [data-do=remove]').first().focus()
  await page.keyboard.press('Enter')
  await save(page)
  await page.locator('.wide > rich-text[data-ready]').waitFor()
  expect((await chips('organizer')).join() === 'Alpha Choir,Gamma,Delta,Epsilon', `removed: ${await chips('organizer')}`)
  await page.context().close()
}

async function images() {
  const page = await open()
  await form(page)
  await page.fill('#f-title', 'With a picture')
  const choose = (name, buffer) => page.locator('[name=image_file]').setInputFiles({ name, mimeType: 'image/png', buffer })
  await choose('fake.png', Buffer.from('<html>'))
  await page.locator('image-field [data-told] .wrong').waitFor()
  await choose('lake-view.png', png(64, 48))
  await page.locator('image-field figure').waitFor()
  expect(await page.locator('image-field .wrong').count() === 0, 'what was wrong stays')
  await page.fill('#f-image_alt', 'A lake')
  await page.fill('#f-title', '')
  await save(page)
  await page.locator('.wide > rich-text[data-ready]').waitFor()
  expect(await page.locator('image-field figure').count() === 1, 'a form with something wrong loses the picture')
  await page.fill('#f-title', 'With a picture')
  await save(page)
  expect(await page.getAttribute('image-field img', 'alt') === 'A lake', 'the alternative text is lost')
  await form(page)
  await page.fill('#f-title', 'From the library')
  await page.locator('image-field [data-do=library]').focus()
  await page.keyboard.press('Enter')
  await page.fill('#library-search', 'LAKE-view')
  await page.locator('.pictures button').first().waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('image-field figure').waitFor()
  expect(await page.inputValue('#f-image_alt') === 'A lake', 'the library doesn’t bring the text')
  await page.evaluate((bytes) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(bytes)], 'dropped.png', { type: 'image/png' }))
    document.querySelector('.drop').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  }, [...png(20, 20)])
  await page.locator('image-field figcaption', { hasText: 'dropped' }).waitFor()
  await page.locator('image-field [data-do=remove]').click()
  expect(await page.inputValue('[name=image]') === '', 'the picture stays')
  await page.evaluate((bytes) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(bytes)], 'x.png', { type: 'image/png' }))
    document.querySelector('.rich-box').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, [...png(20, 20)])
  expect(await page.locator('.rich-box img').count() === 0, 'a file gets into the text')
  await page.context().close()
}

// The library: several files at once by drop and by picker, one that only claims
// to be an image, one too large, and words for what came in.
async function library() {
  const page = await open()
  await page.goto(`${service.base}/admin/media`)
  const before = await page.locator('.media-grid li').count()
  const big = (21 << 20) + 1
  await page.evaluate(([bytes, big]) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(bytes)], 'pier.png', { type: 'image/png' }))
    data.items.add(new File(['<html>'], 'fake.png', { type: 'image/png' }))
    data.items.add(new File([new Uint8Array(big)], 'large.png', { type: 'image/png' }))
    data.items.add(new File([new Uint8Array(bytes)], 'quay.png', { type: 'image/png' }))
    const main = document.querySelector('main')
    for (const kind of ['dragover', 'drop']) main.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }))
  }, [[...png(64, 48)], big])
  await page.locator('.uploads li', { hasText: 'quay.png' }).locator('form').waitFor()
  const told = async (name) => page.locator('.uploads li', { hasText: name }).locator('.wrong').innerText()
  expect((await told('fake.png')).length > 10 && (await told('large.png')).includes('20'), 'it isn’t told what is wrong with each')
  expect(await page.locator('.media-grid li').count() === before + 2, 'the grid hasn’t what came in')
  expect((await page.locator('media-upload [data-status]').textContent()).startsWith('quay.png: '), 'it isn’t announced')
  expect(await page.locator('main.over').count() === 0, 'the page still looks as if something were to be dropped')
  await scan(page, 'media')
  // By keyboard: the picker is a field like others, and so are the words.
  await page.locator('#f-files').focus()
  await page.locator('#f-files').setInputFiles([{ name: 'mole.png', mimeType: 'image/png', buffer: png(32, 32) }])
  const words = page.locator('.uploads li', { hasText: 'mole.png' }).locator('input[name=alt]')
  await words.waitFor()
  for (let i = 0; i < 40 && !await words.evaluate((field) => field === document.activeElement); i++) await page.keyboard.press('Tab')
  await page.keyboard.type('A mole in the evening')
  const answer = page.waitForResponse((one) => one.request().method() === 'POST')
  await page.keyboard.press('Enter')
  expect((await answer).status() === 200, 'the words aren’t stored')
  await page.locator('.words .hint', { hasText: 'Saved' }).waitFor()
  expect(await words.evaluate((field) => field === document.activeElement), 'the focus is lost')
  // A session that ended is renewed on the way, and the file is sent again.
  await page.context().clearCookies({ name: 'kalends' })
  await page.locator('#f-files').setInputFiles([{ name: 'late.png', mimeType: 'image/png', buffer: png(16, 16) }])
  await page.fill('#d-login', 'admin')
  await page.fill('#d-password', service.signIn)
  await page.keyboard.press('Enter')
  await page.locator('.uploads li', { hasText: 'late.png' }).locator('form').waitFor()
  await page.goto(`${service.base}/admin/media?search=mole`)
  expect(await page.locator('.media-grid li').count() === 1, 'the words aren’t found')
  await page.context().close()
}

/** Types a time zone into its field, which is folded away. */
async function zone(page, name) {
  await page.click('details:has(#f-timezone) > summary')
  await page.locator('#f-timezone').focus()
  await page.locator('#list-zones option').first().waitFor({ state: 'attached' })
  await page.fill('#f-timezone', name)
}

async function liveAndTimes() {
  const page = await open()
  await form(page)
  const at = (name) => page.locator('form.editor').evaluate((form, one) => new FormData(form).get(one), name) // as it is sent
  await page.fill('#f-title', 'Live')
  await page.fill('#f-start_date', '2031-05-01T10:00')
  await page.locator('#f-start_date').blur()
  await page.locator('[data-live=when]', { hasText: 'from 10' }).waitFor() // nobody has chosen the end that follows
  expect(await page.isChecked('#f-end_unknown'), 'an end that nobody chose counts as known')
  await page.fill('#f-end_date', '2031-05-01T12:30')
  await page.locator('#f-end_date').blur()
  await page.locator('[data-live=when]', { hasText: '12:30' }).waitFor()
  expect(!await page.isChecked('#f-end_unknown'), 'an end that somebody chose counts as unknown')
  await page.fill('#f-start_date', '2031-05-03T09:00')
  await page.locator('#f-start_date').blur()
  expect(await at('end_date') === '2031-05-03T11:30', `the end follows to ${await at('end_date')}`)
  await zone(page, 'new york')
  expect(await page.locator('#list-zones option').count() > 300, 'the time zones aren’t offered')
  await page.locator('[data-live=when]', { hasText: 'site’s time zone' }).waitFor()
  await page.fill('#f-cost', '10, 20')
  await page.locator('[data-live=cost]', { hasText: '10 – ' }).waitFor()
  await page.fill('#f-end_date', '2031-05-01T11:30')
  await page.locator('[data-live=when] .wrong').waitFor()
  await page.fill('#f-end_date', '2031-05-04T11:30')
  await page.locator('#f-all_day').focus()
  await page.keyboard.press('Space')
  expect(await page.getAttribute('#f-start_date', 'type') === 'date', 'times are still asked of whole days')
  await page.fill('#f-start_date', '2031-05-10')
  await page.locator('#f-start_date').blur()
  expect(await at('start_date') === '2031-05-10T09:00' && await at('end_date') === '2031-05-11T11:30', `days: ${await at('start_date')} ${await at('end_date')}`)
  await save(page)
  const version = await at('version')
  await page.locator('.wide > rich-text[data-ready]').waitFor()
  await save(page)
  expect(await at('version') === version, 'saving what nobody touched changed something')
  const venue = await api('POST', '/venues', { venue: 'Taken Hall' })
  await api('POST', '/events', { title: 'There already', venue: venue.id, start_date: '2032-05-01 10:00', end_date: '2032-05-01 12:00' })
  await form(page)
  await page.fill('#f-start_date', '2032-05-01T11:00')
  await page.locator('#f-start_date').blur()
  await page.locator('input[role=combobox][name=venue]').fill('Taken')
  await page.locator('#pick-venue [data-name]').first().click()
  const top = () => page.locator('#f-attendance_mode').evaluate((field) => field.getBoundingClientRect().top + scrollY)
  const before = await top()
  await page.locator('[data-live=taken]', { hasText: 'There already' }).waitFor()
  expect(await top() === before, 'the warning moves the form')
  await page.context().close()
}

/** A year of two digits, as people type it, is one of this century, however the field is left. */
async function shortYears() {
  const page = await open()
  await form(page)
  await page.fill('#f-title', 'Short year')
  const typed = async (selector) => {
    await page.locator(selector).focus()
    await page.keyboard.type('050131', { delay: 20 })
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('1000A')
  }
  await typed('#f-start_date')
  await page.locator('#f-title').focus()
  expect(await page.inputValue('#f-start_date') === '2031-05-01T10:00', `the start with a short year is ${await page.inputValue('#f-start_date')}`)
  expect(await page.inputValue('#f-end_date') === '2031-05-01T11:00', `the end follows a short year to ${await page.inputValue('#f-end_date')}`)
  await typed('#f-end_date')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Control+s')])
  expect(await page.inputValue('#f-end_date') === '2031-05-01T10:00', `the end sent with a short year is ${await page.inputValue('#f-end_date')}`)
  await page.context().close()
}

/** A web address may be typed without https://, and pasted with letters that must be encoded. */
async function addresses() {
  const page = await open()
  for (const [typed, kept] of [['www.example.org', 'https://www.example.org'], ['example.org/a?b=c', 'https://example.org/a?b=c'], ['https://example.org/größe', 'https://example.org/gr%C3%B6%C3%9Fe'],
    ['http://example.org/a%20b', 'http://example.org/a%20b'], ['mailto:a@example.org', 'mailto:a@example.org']]) {
    await form(page)
    await page.fill('#f-title', 'With a website')
    await page.locator('#f-website').focus()
    await page.keyboard.type(typed)
    await Promise.all([page.waitForURL(/\/\d+$/), page.keyboard.press('Control+s')])
    expect(await page.inputValue('#f-website') === kept, `${typed} is kept as ${await page.inputValue('#f-website')}`)
  }
  for (const [typed, kept] of [['www.example.org/a', 'https://www.example.org/a'], ['a@example.org', 'mailto:a@example.org'], ['/venues/', '/venues/']]) {
    await form(page)
    await page.fill('#f-title', 'With a link')
    await page.locator('.rich-box#f-description').first().click()
    await page.keyboard.type('Linked', { delay: 20 })
    await page.keyboard.press('Control+a')
    await page.locator('.wide > rich-text .rich-href').first().click()
    await page.locator('.wide > rich-text [data-link]').first().fill(typed)
    await page.keyboard.press('Enter')
    const text = page.locator('textarea[name=description]')
    await page.waitForFunction(() => document.querySelector('textarea[name=description]').value.includes('<a '))
    expect((await text.inputValue()).includes(`href="${kept}"`), `a link to ${typed} is ${await text.inputValue()}`)
    await Promise.all([page.waitForURL(/\/\d+$/), page.keyboard.press('Control+s')])
  }
  await form(page, '/venues/new') // which keeps no draft
  for (const typed of ['a@example.org', 'nowhere', 'http:/example.org']) {
    await page.fill('#f-website', typed)
    await page.locator('#f-website').blur()
    expect(await page.inputValue('#f-website') === typed, `${typed} became ${await page.inputValue('#f-website')}`)
  }
  await page.context().close()
}

async function sessionGone() {
  const page = await open()
  await form(page)
  await page.context().clearCookies({ name: 'kalends' })
  const refused = page.waitForResponse((answer) => answer.url().endsWith('/preview') && answer.status() === 401)
  await page.fill('#f-title', 'Typed for an hour')
  await page.locator('.rich-box#f-description').click()
  await page.keyboard.type('Much text')
  await refused
  await page.click('.saves .first')
  await page.locator('dialog #d-login').waitFor()
  await scan(page, 'sign-in')
  await page.fill('#d-login', 'admin')
  await page.fill('#d-password', 'wrong')
  await page.keyboard.press('Enter')
  await page.locator('dialog .notice[role=alert]').waitFor()
  await page.fill('#d-password', service.signIn)
  await page.keyboard.press('Enter')
  await page.waitForURL(/events\/\d+$/)
  expect(await page.inputValue('#f-title') === 'Typed for an hour', 'the title is lost')
  expect((await page.inputValue('[name=description]')).includes('Much text'), 'the text is lost')
  await page.context().close()
}

/** A form that is sent without a connection stays, says so, and can be sent when there is one again. */
async function connectionGone() {
  const page = await open()
  for (const [path, field, button] of [['/events/new', '#f-title', '.saves .first'], ['/venues/new', '#f-venue', 'form.editor button[value=save]']]) {
    await form(page, path)
    await page.context().setOffline(true)
    await page.fill(field, 'Typed in a tunnel')
    await page.locator(button).last().click()
    await page.locator('form.editor [data-unreached]', { hasText: 'Nothing was saved' }).waitFor()
    expect(page.url().endsWith(path) && await page.inputValue(field) === 'Typed in a tunnel', `${path}: what was typed without a connection is lost`)
    await scan(page, `${path} without a connection`)
    await page.context().setOffline(false)
    await Promise.all([page.waitForURL(/\/\d+$/), page.locator(button).last().click()])
    expect(await page.inputValue(field) === 'Typed in a tunnel', `${path}: it was not saved with a connection`)
  }
  await page.context().close()
}

/** Back from what a form has made leads to what it made, not to a form that would make another. */
async function goingBack() {
  const page = await open()
  for (const [section, field] of [['events', '#f-title'], ['venues', '#f-venue']]) {
    await page.goto(`${service.base}/admin/${section}`)
    await page.goto(`${service.base}/admin/${section}/new`)
    await page.locator('.wide > rich-text[data-ready]').first().waitFor()
    await page.fill(field, `Made once in ${section}`)
    await Promise.all([page.waitForEvent('load'), page.locator('form.editor').locator('.saves .first, button[value=save]').last().click()])
    await page.waitForURL(/\/\d+$/)
    const made = page.url()
    await page.goBack()
    await page.waitForURL(made, { timeout: 5000 }).catch(() => problems.push(`back from what was made among ${section} leads to ${page.url()}`))
    await page.goto(`${service.base}/admin/${section}/new`)
    expect(await page.inputValue(field) === '' && page.url().endsWith('/new'), `no further form can be opened among ${section}`)
  }
  await page.context().close()
}

/** The signs of the editor point into the direction of the page. */
async function mirrored() {
  for (const language of ['en', 'ar']) {
    const page = await open({}, language)
    await form(page)
    for (const name of ['decreaseNestingLevel', 'increaseNestingLevel', 'undo', 'redo']) {
      const turned = await page.locator(`.wide > rich-text .rich-${name}`).evaluate((button) => getComputedStyle(button, '::before').transform !== 'none')
      expect(turned === (language === 'ar'), `${language}: the sign of ${name} points the wrong way`)
    }
    await page.context().close()
  }
}

async function scan(page, name) {
  await page.evaluate(() => document.getAnimations().forEach((a) => a.finish()))
  const source = axe.source
  const client = await page.context().newCDPSession(page)
  await client.send('Runtime.evaluate', { expression: source })
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }))
  for (const v of violations) problems.push(`${name}: ${v.id}: ${v.help} (${v.nodes.slice(0, 3).map((n) => n.target).join('; ')})`)
  const [wide, screen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth])
  if (wide > screen) problems.push(`${name}: ${wide} pixels wide on a screen of ${screen}`)
  await page.screenshot({ path: `${out}editor-${name}.png`, fullPage: !name.includes('library') && !name.includes('sign-in') })
  checked++
}

async function look(language, colorScheme, width) {
  const page = await open({ viewport: { width, height: 900 }, colorScheme }, language)
  const name = (what) => `${what}-${language}-${colorScheme}-${width}`
  await form(page)
  await page.fill('#f-title', 'Title')
  await zone(page, 'America/New York')
  await page.fill('#f-cost', '10, 20')
  await page.locator('[data-live=cost] p').waitFor()
  await page.locator('.rich-box#f-description').click()
  await page.keyboard.type('Text')
  await page.click('.wide > rich-text .rich-href')
  await page.locator('input[role=combobox][name=organizer]').fill('a')
  await page.locator('#pick-organizer [data-name]').first().click()
  await page.locator('input[role=combobox][name=organizer]').fill('e')
  await page.locator('#pick-organizer [role=option]').first().waitFor()
  await page.keyboard.press('ArrowDown')
  await scan(page, name('open'))
  await page.keyboard.press('Escape')
  await page.locator('image-field [data-do=library]').click()
  await page.locator('.pictures button').first().waitFor()
  await scan(page, name('library'))
  await page.locator('.pictures button').first().click()
  await page.locator('image-field figure').waitFor()
  await scan(page, name('chosen'))
  await page.context().close()
}

/** What a first visit to the form takes, as it is sent. */
async function weigh() {
  const page = await open()
  const fresh = await page.context().newPage()
  const client = await page.context().newCDPSession(fresh)
  await client.send('Network.enable')
  await client.send('Network.setCacheDisabled', { cacheDisabled: true })
  const names = new Map(), sizes = []
  client.on('Network.responseReceived', ({ requestId, response }) => names.set(requestId, new URL(response.url).pathname))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.push([names.get(requestId), encodedDataLength]))
  await form(fresh)
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  for (const [name, size] of sizes) console.log(`${String(size).padStart(8)} ${name}`)
  console.log(`the form weighs ${total} bytes as sent without TLS (gzip), heads included`)
  expect(total < 130_000, // browsers ask for smaller files where there is TLS; how small is tested where they are made
    `the form weighs ${total} bytes`)
  await page.context().close()
}

try {
  await mkdir(out, { recursive: true })
  await seed(service)
  for (let i = 0; i < 9; i++) await api('POST', '/categories', { name: `Category ${i}` })
  for (const [name, run] of Object.entries({ richText, picking, images, library, liveAndTimes, shortYears, addresses, sessionGone, connectionGone, goingBack, mirrored, weigh })) {
    if (process.env.ONLY && !process.env.ONLY.includes(name)) continue
    await run().catch((error) => problems.push(`${name}: ${error.stack}`))
  }
  if (!process.env.ONLY || process.env.ONLY.includes('look')) {
    for (const width of [390, 1280]) for (const colorScheme of ['light', 'dark']) for (const language of ['en', 'ar']) {
      if (process.env.LOOK && !process.env.LOOK.includes(`${language}-${colorScheme}-${width}`)) continue
      await look(language, colorScheme, width).catch((error) => problems.push(`look ${language} ${colorScheme} ${width}: ${error.stack}`))
    }
  }
} finally {
  await browser.close()
  await service.stop()
}
for (const problem of problems) console.error(problem)
console.log(`${checked} checks of the editor, ${problems.length} problems; screenshots in out/`)
process.exit(problems.length ? 1 : 0)
