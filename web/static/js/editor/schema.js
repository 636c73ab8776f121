// The documents of the visual editor: exactly the HTML that is stored, every element and attribute of it.
import { Schema } from '../vendored/prosemirror.js'

const kept = {
  class: /^(align(left|right|center|none|wide|full)|has-text-align-(left|right|center)|wp-caption(-text)?|size-[a-z_]{1,20}|wp-image-\d{1,12}| )+$/,
  lang: /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/, dir: /^(ltr|rtl|auto)$/i, title: /./, target: /^_blank$/, rel: /^[a-z ]+$/, alt: /^/,
  href: /^(https?:|mailto:|tel:|[^:]*$|[^:]*[/?#])/i, src: /^(https?:|[^:]*$|[^:]*[/?#])/i, cite: /^(https?:|[^:]*$|[^:]*[/?#])/i,
  width: /^\d{1,5}%?$/, height: /^\d{1,5}%?$/, loading: /^(lazy|eager)$/, datetime: /./, start: /^\d{1,4}$/, value: /^\d{1,4}$/, span: /^\d{1,4}$/,
  scope: /^(row|col)(group)?$/,
}

/** The attributes of an element that are kept, or null. */
export function kindly(element) {
  const found = [...element.attributes].filter(({ name, value }) => kept[name]?.test(value.trim())).map(({ name, value }) => [name, value])
  return found.length ? Object.fromEntries(found) : null
}

const a = { default: null } // the attributes of an element, by name
const attrs = { a }
const rule = (tag) => ({ tag, getAttrs: (element) => ({ a: kindly(element) }) })
const block = (tag, more) => ({ group: 'block', attrs, parseDOM: [rule(tag)], toDOM: (node) => [tag, node.attrs.a ?? {}, 0], ...more })
const named = (tags, more) => ({
  group: 'block', attrs: { a, tag: { default: tags[0] } }, parseDOM: tags.map((tag) => ({ tag, getAttrs: (element) => ({ a: kindly(element), tag }) })),
  toDOM: (node) => [node.attrs.tag, node.attrs.a ?? {}, 0], ...more,
})
const leaf = (tag, more) => ({
  inline: true, group: 'inline', attrs, parseDOM: [rule(tag)], toDOM: (node) => [tag, node.attrs.a ?? {}], ...more,
})

const cell = (tag, role) => ({
  content: '(bare | block)+', tableRole: role, isolating: true,
  attrs: { a, colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } },
  parseDOM: [{ tag, getAttrs: (element) => ({ a: kindly(element), colspan: element.colSpan || 1, rowspan: element.rowSpan || 1 }) }],
  toDOM({ attrs: { a: own, colspan, rowspan } }) {
    return [tag, { ...own, ...(colspan > 1 && { colspan }), ...(rowspan > 1 && { rowspan }) }, 0]
  },
})

/** What stands in a table before its rows, as it was. */
const before = (table) => [...table.children].filter((one) => /^(CAPTION|COLGROUP)$/.test(one.nodeName)).map((one) => one.outerHTML).join('')

const nodes = {
  doc: { content: '(block | bare)+' },
  paragraph: block('p', { content: 'inline*' }),
  // A text without an element of its own, as in entries of lists and cells.
  bare: { content: 'inline*', parseDOM: [{ tag: 'div[data-bare]' }], toDOM: () => ['div', { 'data-bare': '' }, 0] },
  heading: named(['h2', 'h1', 'h3', 'h4', 'h5', 'h6'], { content: 'inline*', defining: true }),
  pre: block('pre', { content: 'inline*', code: true, defining: true, parseDOM: [{ ...rule('pre'), preserveWhitespace: 'full' }] }),
  hr: { group: 'block', attrs, parseDOM: [rule('hr')], toDOM: (node) => ['hr', node.attrs.a ?? {}] },
  blockquote: block('blockquote', { content: '(block | bare)+', defining: true }),
  list: named(['ul', 'ol'], { content: 'item+' }),
  item: { content: '(bare | block)+', defining: true, attrs, parseDOM: [rule('li')], toDOM: (node) => ['li', node.attrs.a ?? {}, 0] },
  box: named(['div', 'section', 'article', 'aside', 'header', 'footer', 'address', 'dl', 'dt', 'dd', 'figure', 'figcaption', 'details', 'summary'],
    { content: '(bare | block)*', defining: true, toDOM: ({ attrs: { tag, a: own } }) => [tag, { ...own, ...(tag === 'details' && { open: '' }) }, 0] }),
  table: {
    group: 'block', content: 'row+', tableRole: 'table', isolating: true, attrs: { a, head: { default: '' } },
    parseDOM: [{ tag: 'table', getAttrs: (element) => ({ a: kindly(element), head: before(element) }) }, { tag: 'caption, colgroup', ignore: true }],
    toDOM({ attrs: { a: own, head } }) {
      const caption = new DOMParser().parseFromString(`<table>${head}`, 'text/html').querySelector('caption')
      return ['table', own ?? {}, ...(caption ? [['caption', { contenteditable: 'false' }, caption.textContent]] : []), ['tbody', { 'data-rows': '' }, 0]]
    },
  },
  row: {
    content: '(cell | headcell)*', tableRole: 'row', attrs: { a, part: { default: null } },
    parseDOM: [{
      tag: 'tr',
      getAttrs(element) {
        const part = element.parentElement
        if (part.nodeName === 'TABLE' || part.hasAttribute('data-rows')) return { a: kindly(element), part: element.getAttribute('data-part') && JSON.parse(element.getAttribute('data-part')) }
        return { a: kindly(element), part: { tag: part.localName, a: kindly(part), n: [...part.parentElement.children].indexOf(part) } }
      },
    }],
    toDOM: ({ attrs: { a: own, part } }) => ['tr', { ...own, ...(part && { 'data-part': JSON.stringify(part) }) }, 0],
  },
  cell: cell('td', 'cell'),
  headcell: cell('th', 'header_cell'),
  text: { group: 'inline' },
  br: leaf('br', { selectable: false, linebreakReplacement: true }),
  wbr: leaf('wbr', { selectable: false }),
  img: leaf('img', { draggable: true, parseDOM: [{ tag: 'img', getAttrs: (element) => { const own = kindly(element); return own?.src ? { a: own } : false } }] }),
}

// Marks in the order in which they enclose each other.
const marks = {}
for (const tag of ['a', 'ruby', 'rt', 'rp', 'span', 'q', 'cite', 'dfn', 'abbr', 'acronym', 'time', 'bdi', 'ins', 'del', 'mark', 'strong', 'b', 'em', 'i', 'u', 's',
  'strike', 'small', 'big', 'sub', 'sup', 'code', 'kbd', 'samp', 'var', 'tt']) {
  marks[tag] = { attrs, excludes: tag === 'a' ? 'a' : '', inclusive: tag !== 'a', parseDOM: [rule(tag)], toDOM: (mark) => [tag, mark.attrs.a ?? {}, 0] }
}

export const schema = new Schema({ nodes, marks })
