// Between the HTML that is stored and the one the editor has: there a paragraph
// ends with two line breaks, here it is one.

const blocks = new Set(['P', 'DIV', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'UL', 'OL', 'LI', 'BLOCKQUOTE', 'PRE'])
const alike = { B: 'STRONG', I: 'EM', S: 'DEL', STRIKE: 'DEL' }

const parse = (html) => new DOMParser().parseFromString(html, 'text/html').body
const isBreak = (node) => node?.nodeName === 'BR'

/** Drops the white space that stands for nothing, as browsers do: at the edges of blocks and lines, and after a blank, in
 *  whatever marks either stands. */
function tidy(root) {
  let last, after = true // the text before in the line, and whether a blank there would be one too many
  const end = () => {
    if (last) last.data = last.data.replace(/ $/, '')
    last = undefined
    after = true
  }
  const walk = (parent) => {
    for (const node of [...parent.childNodes]) {
      if (node.nodeType === Node.COMMENT_NODE) node.remove()
      else if (node.nodeType === Node.TEXT_NODE) {
        node.data = node.data.replace(/[ \t\n\r\f]+/g, ' ')
        if (after) node.data = node.data.replace(/^ /, '')
        if (!node.data) node.remove()
        else {
          last = node
          after = node.data.endsWith(' ')
        }
      } else if (isBreak(node)) end()
      else if (node.nodeName === 'PRE' || blocks.has(node.nodeName)) {
        end()
        if (node.nodeName !== 'PRE') walk(node)
        end()
      } else if (node.hasChildNodes()) walk(node)
      else {
        last = undefined
        after = false
      }
    }
  }
  walk(root)
  end()
  return root
}

/** Writes the paragraphs in a flow as lines with two breaks between. */
function joined(flow, wrap) {
  const made = document.createDocumentFragment()
  let open
  for (const node of [...flow.childNodes]) {
    if (node.nodeName !== 'P') {
      open = undefined
      made.append(node)
      continue
    }
    if (open) open.append(document.createElement('br'), document.createElement('br'))
    else {
      open = wrap ? document.createElement('div') : made
      if (wrap) made.append(open)
    }
    open.append(...node.childNodes)
  }
  flow.replaceChildren(made)
}

// Reading HTML, the editor makes a blank of whatever looks like one: narrow ones, those of Japanese, marks without width.
// Signs of nobody's stand for them until it has read.
const odd = [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff, ...Array.from({ length: 11 }, (_, n) => 0x2000 + n)]
  .map((code) => String.fromCharCode(code))
const stand = 0xf000
const hide = (text) => text.replace(new RegExp(`[${odd.join('')}]`, 'g'), (sign) => String.fromCharCode(stand + odd.indexOf(sign)))

/** What the editor has read, with the blanks that toEditor hid. */
export const shown = (read) => JSON.parse(JSON.stringify(read).replace(/[\uf000-\uf0ff]/g, (sign) => odd[sign.charCodeAt(0) - stand] ?? sign))

/** The editor's HTML of a stored text. */
export function toEditor(html) {
  const body = tidy(parse(html))
  eachText(body, (text) => hide(keep(text)))
  for (const quote of body.querySelectorAll('blockquote')) joined(quote, false)
  joined(body, true)
  return body.innerHTML
}

/** Takes the breaks that end or part a run of marked letters out of its mark. */
function lift(block) {
  for (const br of block.querySelectorAll('br')) {
    const within = (side) => br[side] && !isBreak(br[side])
    while (br.parentNode !== block && !(within('previousSibling') && within('nextSibling'))) {
      const mark = br.parentNode
      const rest = mark.cloneNode(false)
      while (br.nextSibling) rest.append(br.nextSibling)
      mark.after(br)
      if (rest.hasChildNodes()) br.after(rest)
      if (!mark.hasChildNodes()) mark.remove()
    }
  }
}

/** Parts a block of the editor into paragraphs at two breaks. */
function paragraphs(block) {
  lift(block)
  const made = [document.createElement('p')]
  for (const node of [...block.childNodes]) {
    if (isBreak(node) && isBreak(made.at(-1).lastChild)) {
      made.at(-1).lastChild.remove()
      made.push(document.createElement('p'))
    } else made.at(-1).append(node)
  }
  for (const p of made) {
    while (isBreak(p.firstChild)) p.firstChild.remove()
    while (isBreak(p.lastChild)) p.lastChild.remove()
  }
  return made.filter((p) => p.hasChildNodes())
}

/** Calls back with every text of a tree but what is set as typed. */
function eachText(root, change) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode
    if (!text.parentElement.closest('pre')) text.data = change(text.data)
  }
}

// The editor takes a fixed blank for a blank, and makes fixed ones of its own beside marks. So those of the text are
// blanks between word joiners while they are in it, which look and break the same, and its own are blanks.
const fixed = '\u00a0'
const keep = (text) => text.replaceAll(fixed, '\u2060 \u2060')
const unkept = /[\ue000-\uf8ff]/g // signs that mean something in one font alone, Word's bullets among them
const release = (text) => text.replace(unkept, '').replace(/[\u2028\u2029]/g, ' ').replace(/\u2060[ \u00a0]\u2060/g, '\ue000').replace(/\u2060/g, '')
  .replace(/[ \u00a0]+/g, (run) => ' ' + fixed.repeat(run.length - 1)).replaceAll('\ue000', fixed)

/** The text to store of the editor's HTML. */
export function toStored(html) {
  const body = parse(html)
  eachText(body, release)
  for (const mark of body.querySelectorAll('span')) mark.replaceWith(...mark.childNodes) // of what a link is made for at the moment
  for (const node of body.querySelectorAll('[dir]')) node.removeAttribute('dir')
  for (const quote of body.querySelectorAll('blockquote')) quote.replaceChildren(...paragraphs(quote))
  for (const block of [...body.children]) if (block.nodeName === 'DIV') block.replaceWith(...paragraphs(block))
  for (const item of body.querySelectorAll('li')) {
    item.before('\n')
    if (!item.nextElementSibling) item.after('\n')
  }
  return [...body.children].map((block) => block.outerHTML).join('\n')
}

const attributes = (node) => [...node.attributes].map(({ name, value }) => `${name}=${value}`).sort().join()

/** What a stored text says: its blocks, and its runs of letters with their marks. */
function meaning(html) {
  const runs = []
  const put = (path, marks, text) => {
    const last = runs.at(-1)
    const key = [...new Set(marks)].sort().join()
    if (last && last[0] === path && last[1] === key) last[2] += text
    else runs.push([path, key, text])
  }
  let count = 0
  const walk = (node, path, marks) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) put(path, marks, child.data)
      else if (isBreak(child)) put(path, [], '\n')
      else {
        const name = `${alike[child.nodeName] ?? child.nodeName}[${attributes(child)}]`
        if (blocks.has(child.nodeName)) walk(child, `${path}/${count++}${name}`, marks)
        else {
          if (!child.hasChildNodes()) put(path, [...marks, name], '\uFFFC')
          walk(child, path, [...marks, name])
        }
      }
    }
  }
  walk(tidy(parse(html)), '', [])
  return JSON.stringify(runs)
}

/** Whether two stored texts say the same. */
export const same = (a, b) => meaning(a) === meaning(b)
