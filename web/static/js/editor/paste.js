// What Word, Google Docs and their like put into the clipboard, as plain HTML: their lists are paragraphs with signs, their
// marks are styles, and a text in Docs stands in a bold that isn't meant.

/** A style of an element. The policy of the page keeps attributes from being styles, so they have another name here. */
const styled = (node, name) => new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, 'i').exec(node.getAttribute('data-style') ?? '')?.[1].trim() ?? ''

const bold = (node) => /^(bold|bolder|[6-9]00)$/i.test(styled(node, 'font-weight'))
const thin = (node) => /^(normal|lighter|[1-5]00)$/i.test(styled(node, 'font-weight'))

const unkept = /[\ue000-\uf8ff]/g // signs that mean something in one font alone, Word's bullets among them

const unwrap = (node) => node.replaceWith(...node.childNodes)

/** Puts what a node has into a mark. */
function wrap(node, name) {
  const mark = document.createElement(name)
  mark.append(...node.childNodes)
  node.append(mark)
}

/** Makes marks of the styles of spans. */
function marks(root) {
  for (const mark of [...root.querySelectorAll('b, strong')]) if (thin(mark)) unwrap(mark)
  for (const span of root.querySelectorAll('span')) {
    if (!span.closest('b, strong, h1, h2, h3, h4, h5, h6') && bold(span)) wrap(span, 'strong')
    if (!span.closest('i, em') && /italic|oblique/.test(styled(span, 'font-style'))) wrap(span, 'em')
    if (!span.closest('s, del, strike') && /line-through/.test(styled(span, 'text-decoration'))) wrap(span, 'del')
  }
  for (const span of [...root.querySelectorAll('span, font, u')]) unwrap(span)
  for (const old of root.querySelectorAll('b, i')) {
    wrap(old, old.localName === 'b' ? 'strong' : 'em')
    unwrap(old)
  }
  for (const node of root.querySelectorAll('[dir]')) node.removeAttribute('dir') // which programs write everywhere
}

// How Word says that a paragraph is an entry of a list, and of which depth.
const listed = (p) => /MsoListParagraph/.test(p.className) || /mso-list:\s*l\d/i.test(p.getAttribute('data-style') ?? '')
const depth = (p) => Number(/level(\d)/i.exec(p.getAttribute('data-style') ?? '')?.[1] ?? 1)

/** Makes lists of Word's paragraphs. */
function lists(root) {
  let open = [] // the lists that the entry before stands in, the outermost first
  for (const p of [...root.querySelectorAll('p')]) {
    if (!listed(p)) {
      open = []
      continue
    }
    if (open.length && p.previousElementSibling !== open[0].list) open = []
    const sign = [...p.querySelectorAll('span')].find((span) => /mso-list:\s*Ignore/i.test(span.getAttribute('data-style') ?? ''))
    const name = /^[\s\u00a0]*([0-9]{1,3}|[a-z]{1,4})[.)]/i.test(sign?.textContent ?? '') ? 'ol' : 'ul'
    sign?.remove()
    open = open.filter((one) => one.depth <= depth(p))
    if (open.at(-1)?.depth !== depth(p)) {
      const list = document.createElement(name), within = open.at(-1)?.list.lastElementChild
      if (within) within.append(list)
      else p.before(list)
      open.push({ list, depth: depth(p) })
    }
    const item = document.createElement('li')
    item.append(...p.childNodes)
    p.remove()
    open.at(-1).list.append(item)
  }
}

/** Takes the boxes away of which pages are made; texts in them that have no element become paragraphs. */
function boxes(root) {
  const inner = 'p, div, section, article, main, aside, header, footer, nav, address, h1, h2, h3, h4, h5, h6, ul, ol, table, pre, blockquote, dl, figure, hr'
  for (const box of [...root.querySelectorAll('div, section, article, main, aside, header, footer, nav, address')].reverse()) {
    if (box.querySelector(inner) || box.closest('li, td, th, dd, dt') || !box.textContent.trim() && !box.querySelector('img')) unwrap(box)
    else {
      const p = document.createElement('p')
      p.append(...box.childNodes)
      box.replaceWith(p)
    }
  }
}

/** The HTML to paste for what a program gave. What the editor itself gave stays as it is. */
export function pasted(html) {
  if (html.includes('data-pm-slice')) return html
  const plain = html.replace(/<style[^]*?<\/style>/gi, '').replace(/<[^>]+>/g, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='))
  const { body } = new DOMParser().parseFromString(plain, 'text/html')
  const rest = document.createTreeWalker(body, NodeFilter.SHOW_COMMENT), comments = []
  while (rest.nextNode()) comments.push(rest.currentNode)
  for (const one of [...comments, ...body.querySelectorAll('style, meta, link, script, title, br.Apple-interchange-newline')]) one.remove()
  lists(body)
  marks(body)
  boxes(body)
  for (const node of [...body.getElementsByTagName('*')]) if (node.localName.includes(':')) unwrap(node) // Word's own
  for (const p of body.querySelectorAll('li > p')) unwrap(p)
  for (const p of body.querySelectorAll('p')) if (!p.textContent.replace(/[\s\u00a0]/g, '') && !p.querySelector('img')) p.remove()
  for (const br of body.querySelectorAll('body > br')) br.remove() // between the paragraphs of Docs
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    walker.currentNode.data = walker.currentNode.data.replace(/[\u00a0\u2028\u2029]/g, ' ').replace(unkept, '') // which stand for any blank there
  }
  return body.innerHTML
}
