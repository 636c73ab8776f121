// Between stored HTML and documents of the editor.
import { DOMParser as Reader, DOMSerializer } from '../vendored/prosemirror.js'
import { schema } from './schema.js'

const blocks = new Set(['P', 'DIV', 'SECTION', 'ARTICLE', 'ASIDE', 'HEADER', 'FOOTER', 'ADDRESS', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'PRE', 'BLOCKQUOTE',
  'UL', 'OL', 'LI', 'DL', 'DT', 'DD', 'FIGURE', 'FIGCAPTION', 'DETAILS', 'SUMMARY', 'TABLE', 'CAPTION', 'COLGROUP', 'THEAD', 'TBODY', 'TFOOT', 'TR', 'TH', 'TD', 'HR'])

const parse = (html) => new DOMParser().parseFromString(html, 'text/html').body

/** The document of a stored text. */
export const read = (html) => Reader.fromSchema(schema).parse(parse(html))

const paragraph = (node) => {
  const made = document.createElement('p')
  made.append(...node.childNodes)
  node.replaceWith(made)
}

/** Puts the rows of a table into the parts they came from. */
function parts(table) {
  const rows = table.querySelector(':scope > tbody')
  table.querySelector(':scope > caption')?.remove()
  let part, last
  for (const row of [...rows.children]) {
    const key = row.getAttribute('data-part') ?? ''
    row.removeAttribute('data-part')
    const headed = part?.localName === 'thead' && !key && row.querySelector(':scope > td')
    if (!part || key && key !== last || headed) { // a new row stands with the one above
      const { tag = 'tbody', a = null } = key ? JSON.parse(key) : {}
      part = document.createElement(tag)
      for (const [name, value] of Object.entries(a ?? {})) part.setAttribute(name, value)
      rows.before(part)
      last = key
    }
    part.append(row)
  }
  rows.remove()
}

/** The text to store of a document. */
export function write(doc) {
  const body = document.implementation.createHTMLDocument('').body
  body.append(DOMSerializer.fromSchema(schema).serializeFragment(doc.content, { document: body.ownerDocument }))
  for (const p of [...body.querySelectorAll('p, [data-bare]')]) if (!p.hasChildNodes() && p.parentElement.children.length > 1) p.remove()
  for (const bare of [...body.querySelectorAll('[data-bare]')]) {
    const beside = [bare.previousElementSibling, bare.nextElementSibling].some((one) => one?.matches('[data-bare]'))
    if (bare.parentElement === body || bare.parentElement.matches('blockquote') || beside) bare.setAttribute('data-bare', 'p')
  }
  for (const bare of [...body.querySelectorAll('[data-bare]')]) {
    if (bare.getAttribute('data-bare') === 'p') paragraph(bare)
    else bare.replaceWith(...bare.childNodes)
  }
  const heads = []
  doc.descendants((node) => { if (node.type.name === 'table') heads.push(node.attrs.head) })
  for (const [n, table] of [...body.querySelectorAll('table')].entries()) {
    parts(table)
    table.insertAdjacentHTML('afterbegin', heads[n])
  }
  for (const details of body.querySelectorAll('details')) details.removeAttribute('open')
  for (const item of body.querySelectorAll('li')) {
    item.before('\n')
    if (!item.nextElementSibling) item.after('\n')
  }
  return [...body.children].filter((one) => one.nodeName !== 'P' || one.hasChildNodes()).map((one) => one.outerHTML).join('\n')
}

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
      } else if (node.nodeName === 'BR') end()
      else if (blocks.has(node.nodeName)) {
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
      else if (child.nodeName === 'BR' && !child.attributes.length) put(path, [], '\n')
      else {
        const name = `${child.nodeName}[${attributes(child)}]`
        if (blocks.has(child.nodeName)) {
          const own = `${path}/${count++}${name}`
          if (!child.hasChildNodes()) put(own, [], '')
          walk(child, own, marks)
        } else {
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
export const same = (one, other) => meaning(one) === meaning(other)
