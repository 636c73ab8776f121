// The visual editor of a text: what its buttons and keys do.
import * as pm from '../vendored/prosemirror.js'
import { pasted } from '../editor/paste.js'
import { read, same, write } from '../editor/html.js'
import { schema } from '../editor/schema.js'
import { commands as ofTables, onward, pressed as inTables } from '../editor/tables.js'
import { past, redo, undo } from '../editor/undo.js'

export { read, same, write }

const { nodes, marks } = schema
const twins = { strong: ['strong', 'b'], em: ['em', 'i'], del: ['del', 's', 'strike'] }

/** How deep the innermost node around the caret is that passes a test, 0 for none. */
const within = ({ selection: { $from } }, test) => {
  let { depth } = $from
  while (depth > 0 && !test($from.node(depth))) depth--
  return depth
}

/** The name of a mark, or of its twin, that is in what is chosen. */
function marked(state, name) {
  const { from, to, empty, $from } = state.selection
  const has = (one) => (empty ? marks[one].isInSet(state.storedMarks ?? $from.marks()) : state.doc.rangeHasMark(from, to, marks[one]))
  return (twins[name] ?? [name]).findLast(has)
}

const toggle = (name) => (state, dispatch) => pm.toggleMark(marks[marked(state, name) ?? name])(state, dispatch)

const plain = (state) => (within(state, (node) => ['item', 'cell', 'headcell'].includes(node.type.name)) ? nodes.bare : nodes.paragraph)
const isHeading = (state, tag) => state.selection.$from.parent.type === nodes.heading && state.selection.$from.parent.attrs.tag === tag
const heading = (tag) => (state, dispatch) => (isHeading(state, tag) ? pm.setBlockType(plain(state)) : pm.setBlockType(nodes.heading, { tag }))(state, dispatch)

const listAt = (state) => within(state, (node) => node.type === nodes.list)
const listOf = (state) => listAt(state) && state.selection.$from.node(listAt(state)).attrs.tag

/** Makes a list of paragraphs, another of a list, and paragraphs of what is one already. */
const list = (tag) => (state, dispatch) => {
  const { $from } = state.selection, depth = listAt(state)
  if (listOf(state) === tag) return pm.liftListItem(nodes.item)(state, dispatch)
  if (!depth) {
    return pm.wrapInList(nodes.list, { tag })(state, dispatch && ((tr) => { // whose paragraphs become texts of their entries
      tr.doc.nodesBetween(tr.selection.from, tr.selection.to, (node, at, parent) => {
        if (node.type === nodes.paragraph && !node.attrs.a && parent.type === nodes.item) tr.setNodeMarkup(at, nodes.bare)
      })
      dispatch(tr)
    }))
  }
  dispatch?.(state.tr.setNodeMarkup($from.before(depth), null, { ...$from.node(depth).attrs, tag }))
  return true
}

const quote = (state, dispatch) => (within(state, (node) => node.type === nodes.blockquote) ? pm.lift : pm.wrapIn(nodes.blockquote))(state, dispatch)

/** Breaks the line within its block. */
function line(state, dispatch) {
  dispatch?.(state.tr.replaceSelectionWith(nodes.br.create()).scrollIntoView())
  return true
}

/** In which direction a text is read, by its first letter. */
function reads(text, otherwise) {
  const probe = document.createElement('p')
  probe.dir = 'auto'
  probe.textContent = text
  return !/\p{L}/u.test(text) ? otherwise : probe.matches(':dir(rtl)') ? 'rtl' : 'ltr'
}

/** The blocks that are chosen and may have a direction: paragraphs and headings, and the entries and cells of a text without either. */
function directed({ doc, selection: { from, to } }) {
  const found = new Map()
  doc.nodesBetween(from, to, (node, at, parent) => {
    if (!node.isTextblock) return
    if (node.type !== nodes.bare) found.set(at, node)
    else if ('a' in (parent.type.spec.attrs ?? {})) found.set(doc.resolve(at).before(), parent)
  })
  return found
}

const hasDirection = (state) => [...directed(state).values()].some((node) => node.attrs.a?.dir)

/** Turns the direction of the blocks that are chosen, or lets them go by their letters again. */
function direction(state, dispatch, view) {
  const found = directed(state), back = hasDirection(state)
  if (!found.size) return false
  if (dispatch) {
    const { tr } = state
    for (const [at, node] of found) {
      const { dir: _, ...rest } = node.attrs.a ?? {}
      const own = back ? rest : { ...rest, dir: reads(node.textContent, getComputedStyle(view.dom).direction) === 'rtl' ? 'ltr' : 'rtl' }
      tr.setNodeMarkup(at, null, { ...node.attrs, a: Object.keys(own).length ? own : null })
    }
    dispatch(tr)
  }
  return true
}

export const commands = {
  bold: toggle('strong'), italic: toggle('em'), strike: toggle('del'), heading2: heading('h2'), heading3: heading('h3'), quote, bullet: list('ul'), number: list('ol'),
  decreaseNestingLevel: pm.liftListItem(nodes.item), increaseNestingLevel: pm.sinkListItem(nodes.item), direction, undo, redo, ...ofTables,
}

/** Which buttons are pressed. */
export const pressed = (state) => ({
  bold: marked(state, 'strong'), italic: marked(state, 'em'), strike: marked(state, 'del'), href: marked(state, 'a'), heading2: isHeading(state, 'h2'),
  heading3: isHeading(state, 'h3'), quote: within(state, (node) => node.type === nodes.blockquote), bullet: listOf(state) === 'ul',
  number: listOf(state) === 'ol', direction: hasDirection(state), ...inTables(state),
})

/** The link in which the caret stands, and from where to where it goes. */
export function linkAt(state) {
  const { from, to, empty, $from } = state.selection
  const mark = marks.a.isInSet($from.marks()) ?? marks.a.isInSet($from.nodeAfter?.marks ?? [])
  if (!mark || !empty) return { mark, from, to }
  let [start, end] = [$from.start(), $from.start()]
  let found = { from, to }
  $from.parent.forEach((child, offset) => {
    const [left, right] = [$from.start() + offset, $from.start() + offset + child.nodeSize]
    if (!mark.isInSet(child.marks)) start = right
    else end = right
    if (mark.isInSet(child.marks) && start <= from && from <= end) found = { from: start, to: end }
  })
  return { mark, ...found }
}

/** Links what is chosen, or the address itself where nothing is. */
export function setLink(view, href) {
  const { state } = view, { mark, from, to } = linkAt(state)
  const { tr } = state
  if (from === to && href) tr.insertText(href, from).addMark(from, from + href.length, marks.a.create({ a: { href } }))
  else {
    tr.removeMark(from, to, marks.a)
    if (href) tr.addMark(from, to, marks.a.create({ a: { ...mark?.attrs.a, href } }))
  }
  view.dispatch(tr)
  view.focus()
}

const afterTable = (doc) => doc.lastChild.type === nodes.table && nodes.paragraph.create()

// A text that leaves a list or a cell becomes a paragraph, and behind a table there is one to go on in.
const fitting = new pm.Plugin({
  appendTransaction(changes, _, { doc, tr }) {
    if (!changes.some((one) => one.docChanged)) return null
    doc.descendants((node, at, parent) => {
      if (node.type === nodes.bare && [nodes.doc, nodes.blockquote].includes(parent.type)) tr.setNodeMarkup(at, nodes.paragraph)
    })
    const last = afterTable(tr.doc)
    if (last) tr.insert(tr.doc.content.size, last)
    return tr.docChanged ? tr : null
  },
})

/** Puts the editor into a box that shows the text already. */
export function mount(box, html, { changed, link, leave, refuse, fits }) {
  const keys = {
    'Mod-b': commands.bold, 'Mod-i': commands.italic, 'Mod-k': link, 'Mod-z': undo, 'Shift-Mod-z': redo, 'Mod-y': redo, 'Shift-Enter': line,
    Enter: pm.splitListItem(nodes.item), 'Mod-]': commands.increaseNestingLevel, 'Mod-[': commands.decreaseNestingLevel, Tab: onward, 'Shift-Tab': pm.goToNextCell(-1), Escape: leave,
  }
  const stored = read(html), last = afterTable(stored)
  const doc = last ? stored.copy(stored.content.addToEnd(last)) : stored
  const state = pm.EditorState.create({ doc, plugins: [past, pm.keymap(keys), pm.keymap(pm.baseKeymap), pm.tableEditing(), fitting] })
  const names = ['id', 'class', 'role', 'aria-label', 'aria-multiline', 'aria-describedby', 'aria-invalid', 'dir', 'lang']
  const own = Object.fromEntries(names.filter((name) => box.hasAttribute(name)).map((name) => [name, box.getAttribute(name)]))
  return new pm.EditorView({ mount: box }, {
    state,
    attributes: own,
    dispatchTransaction(change) {
      this.updateState(this.state.apply(change))
      changed(this, change.docChanged)
    },
    transformPastedHTML: pasted,
    handleDOMEvents: { // before it is read, which takes long when it is much
      paste: (view, event) => {
        const plainText = event.clipboardData.getData('text/plain'), rich = event.clipboardData.getData('text/html')
        const files = event.clipboardData.files.length && !rich
        if (!files && fits(plainText.length) && rich.length <= 100_000) return false
        event.preventDefault()
        if (files) return refuse('nofile')
        if (!fits(plainText.length)) return refuse('large')
        view.dispatch(view.state.tr.insertText(plainText))
        return true
      },
    },
    handleDrop: (view, event) => (event.dataTransfer?.files.length ? refuse('nofile') : false),
  })
}

export const setCaret = (view, at) => view.dispatch(view.state.tr.setSelection(pm.TextSelection.near(view.state.doc.resolve(Math.min(at, view.state.doc.content.size)))))
