// Two ways to work with the pages: by keyboard alone, and by mouse with scripts
// off. Both hands know the same moves; the first sees where the focus is at every
// step, the second that nothing on a page needs a script.

/** Runs in the page: what has the focus, and what is wrong with how that is seen. */
function focused(wanted) {
  const one = document.activeElement
  if (!one || one === document.body) return { there: false }
  const style = getComputedStyle(one), wrong = []
  const name = `${one.localName}${one.id && '#' + one.id}${one.name ? `[name=${one.name}]` : ''} “${(one.innerText || one.value || '').trim().slice(0, 30)}”`
  const shown = (s) => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1
  if (!shown(style)) wrong.push(`the focus can't be seen on ${name}`)
  const box = [...one.getClientRects()].find((rect) => rect.width * rect.height > 1)
  if (!box) wrong.push(`the focus is on what can't be seen: ${name}`)
  else {
    const points = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.2], [0.5, 0.8]]
    const seen = points.some(([x, y]) => {
      const on = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y)
      return on && (one.contains(on) || on.contains(one) && on.localName === 'label')
    })
    if (!seen) wrong.push(`${name} is behind something or outside of the screen when it has the focus`)
  }
  if (one.tabIndex > 0) wrong.push(`${name} has a place of its own in the order of the focus`)
  return { there: true, wanted: one.matches(wanted), wrong }
}

/** Runs in the page: what does nothing without scripts. */
function dead() {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true })
  const name = (one) => `${one.localName}${one.id && '#' + one.id} “${(one.innerText || one.action || '').trim().slice(0, 40)}”`
  const wrong = [...document.querySelectorAll('button[type=button]:not([popovertarget]), a[href^="javascript:"], a[href="#"], a:not([href])')].filter(seen)
    .map((one) => `${name(one)} does nothing without scripts`)
  for (const form of document.forms) {
    const fields = [...form.elements].filter((one) => seen(one) && one.localName !== 'fieldset' && one.type !== 'hidden')
    const inside = [...form.querySelectorAll('[popover] [type=submit]')] // which buttons open without scripts
    if (fields.length && ![...fields, ...inside].some((one) => one.type === 'submit' && !one.classList.contains('default-button'))) wrong.push(`${name(form)} can't be sent without scripts`)
  }
  return wrong
}

class Hand {
  constructor(page, base, tell) {
    Object.assign(this, { page, base, said: new Set() })
    page.on('filechooser', () => {}) // from now on, so that none opens before somebody waits for it
    this.wrong = (text) => {
      const whole = `${new URL(page.url()).pathname}: ${text}`
      if (!this.said.has(whole)) tell(`${this.name}: ${whole}`)
      this.said.add(whole)
    }
  }

  /** Opens an address below the service's. */
  async open(path) {
    await this.page.goto(this.base + path)
    await this.arrived()
  }

  /** Presses what leads to another page, and waits for that. */
  async press(selector) {
    await Promise.all([this.page.waitForEvent('load'), this.touch(selector)])
    await this.arrived()
  }

  /** Signs in on a page that asks for it. */
  async signIn(login, password) {
    await this.fill('#f-login', login)
    await this.fill('#f-password', password)
    await this.press('main form button[type=submit]')
  }

  async text(selector) { return (await this.page.locator(selector).first().innerText()).trim() }

  /** Waits until something is there. */
  async see(selector) { await this.page.locator(selector).first().waitFor() }
}

/** By keyboard alone. */
export class Keys extends Hand {
  name = 'by keyboard'

  async arrived() {
    await this.page.waitForFunction(() => !document.documentElement.matches(':active-view-transition')) // which is before all that has the focus
    if (await this.page.locator('.wide > rich-text').count()) await this.page.locator('.wide > rich-text[data-ready]').first().waitFor()
  }

  /** Presses Tab until the element has the focus. */
  async reach(selector) {
    for (let i = 0; i < 400; i++) {
      const at = await this.page.evaluate(focused, selector)
      if (at.there && i > 0) at.wrong.forEach(this.wrong)
      if (at.wanted) return
      await this.page.keyboard.press('Tab')
    }
    throw new Error(`${this.name}: ${selector} can't be reached on ${this.page.url()}`)
  }

  async touch(selector) {
    await this.reach(selector)
    await this.page.keyboard.press('Enter')
  }

  async fill(selector, text) {
    await this.reach(selector)
    await this.page.keyboard.press('Control+A')
    if (text) await this.page.keyboard.type(text)
    else await this.page.keyboard.press('Delete')
  }

  async choose(selector, value) {
    await this.reach(selector)
    const steps = await this.page.evaluate((value) => {
      const { options, selectedIndex } = document.activeElement
      return [...options].findIndex((one) => one.value === value) - selectedIndex
    }, value)
    for (let i = 0; i < Math.abs(steps); i++) await this.page.keyboard.press(steps > 0 ? 'ArrowDown' : 'ArrowUp')
    const now = await this.page.evaluate(() => document.activeElement.value)
    if (now !== value) throw new Error(`${this.name}: ${selector} is ${now}, not ${value}`)
  }

  async tick(selector, on = true) {
    await this.reach(selector)
    if (await this.page.evaluate(() => document.activeElement.checked) !== on) await this.page.keyboard.press('Space')
  }

  /** Chooses one of a group, which has one place in the order of the focus. */
  async pick(selector) {
    const group = await this.page.locator(selector).first().getAttribute('name')
    await this.reach(`input[name="${group}"]`)
    for (let i = 0; i < 60; i++) {
      if (await this.page.evaluate((s) => document.activeElement.matches(s) && document.activeElement.checked, selector)) return
      await this.page.keyboard.press(await this.page.evaluate((s) => document.activeElement.matches(s), selector) ? 'Space' : 'ArrowDown')
    }
    throw new Error(`${this.name}: ${selector} can't be chosen`)
  }

  async file(selector, name, buffer) {
    await this.reach(selector)
    const [chooser] = await Promise.all([this.page.waitForEvent('filechooser'), this.page.keyboard.press('Space')])
    await chooser.setFiles({ name, mimeType: 'image/png', buffer })
  }

  /** Chooses a colour: the browser's own chooser, within which the keys aren't the page's, is opened and closed. */
  async color(selector, value) {
    await this.reach(selector)
    await this.page.keyboard.press('Enter')
    for (let n = 0; n < 50 && await this.page.evaluate((s) => document.activeElement.matches(s), selector); n++) { // until the chooser, which may open late, is closed
      await this.page.keyboard.press('Escape')
      await this.page.keyboard.press('Tab')
    }
    await this.page.evaluate(([selector, value]) => {
      const one = document.querySelector(selector)
      one.value = value
      for (const kind of ['input', 'change']) one.dispatchEvent(new Event(kind, { bubbles: true }))
    }, [selector, value])
  }

  /** Types a date, or a date and a time, part by part as the browser wants it. */
  async date(selector, text) {
    await this.reach(selector)
    const [, year, month, day, hours, minutes] = text.match(/^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d))?$/)
    await this.page.keyboard.type(`${month}${day}${year}`)
    if (hours) { // after a year of four digits comes the hour
      await this.page.keyboard.type(`${String(hours % 12 || 12).padStart(2, '0')}${minutes}${hours < 12 ? 'A' : 'P'}`)
    }
    const now = await this.page.locator(selector).inputValue()
    if (now !== text) throw new Error(`${this.name}: ${selector} is ${now}, not ${text}`)
  }
}

/** By mouse, with scripts off. */
export class Plain extends Hand {
  name = 'without scripts'

  async arrived() {
    for (const text of await this.page.evaluate(dead)) this.wrong(text)
  }

  async touch(selector) {
    const one = this.page.locator(selector).first()
    if (await one.evaluate((e) => getComputedStyle(e).pointerEvents === 'none')) await one.locator('..').hover() // which shows it
    await one.click()
  }
  async fill(selector, text) { await this.page.locator(selector).first().fill(text) }
  async choose(selector, value) { await this.page.locator(selector).first().selectOption(value) }
  async tick(selector, on = true) { await this.page.locator(selector).first().setChecked(on) }
  async pick(selector) { await this.page.locator(selector).first().check() }
  async file(selector, name, buffer) { await this.page.locator(selector).setInputFiles({ name, mimeType: 'image/png', buffer }) }
  async date(selector, text) { await this.page.fill(selector, text) }
  async color(selector, value) { await this.page.fill(selector, value) }
}

/** A hand of a kind, nobody signed in. */
export async function hand(kind, browser, base, tell) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, javaScriptEnabled: kind !== Plain })
  await context.addCookies([{ name: 'kalends-language', value: 'en', url: base }])
  const page = await context.newPage()
  page.on('pageerror', (error) => tell(`script: ${error.stack}`))
  return new kind(page, base, tell)
}
