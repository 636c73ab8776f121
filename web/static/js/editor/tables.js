// What the buttons for tables do.
import * as pm from '../vendored/prosemirror.js'
import { schema } from './schema.js'

const { nodes } = schema
const head = { tag: 'thead', a: null, n: -1 }, body = { tag: 'tbody', a: null, n: 0 }

const row = (part, cell, columns) => nodes.row.create({ part }, Array.from({ length: columns }, () => cell.createAndFill()))

/** Puts a table of two columns behind the paragraph of the caret, or in its place if that is empty. */
function table(state, dispatch) {
  const { $from } = state.selection
  if (pm.isInTable(state) || !$from.depth) return false
  const fresh = nodes.table.create(null, [row(head, nodes.headcell, 2), row(body, nodes.cell, 2), row(body, nodes.cell, 2)])
  const empty = !$from.parent.content.size
  const [start, end] = [empty ? $from.before() : $from.after(), $from.after()]
  const depth = $from.depth - 1
  const index = $from.index(depth)
  if (!$from.node(depth).canReplaceWith(empty ? index : index + 1, index + 1, nodes.table)) return false
  if (dispatch) {
    const change = state.tr.replaceWith(start, end, fresh)
    dispatch(change.setSelection(pm.TextSelection.near(change.doc.resolve(start + 1))).scrollIntoView())
  }
  return true
}

/** Runs a command, and puts the row at an index into a part of the table. */
const parted = (command, at, part) => (state, dispatch) => command(state, dispatch && ((change) => {
  const rect = pm.selectedRect(state), index = at(rect), rows = change.doc.nodeAt(rect.tableStart - 1)
  let offset = rect.tableStart
  for (let n = 0; n < index; n++) offset += rows.child(n).nodeSize
  dispatch(change.setNodeMarkup(offset, null, { ...rows.child(index).attrs, part: part(rows, index) }))
}))

const partOf = (rows, index) => rows.maybeChild(index)?.attrs.part ?? null

/** The part of a row that is new below another: that one's, and after the head of a table the next one's. */
const below = (rows, index) => {
  const own = partOf(rows, index - 1)
  return own?.tag === 'thead' ? partOf(rows, index + 1) ?? body : own
}

const isHead = (rows) => rows.firstChild.attrs.part?.tag === 'thead' || [...Array(rows.firstChild.childCount).keys()].every((n) => rows.firstChild.child(n).type === nodes.headcell)

/** A row above the head of a table would be none of its body. */
const above = (state, dispatch) => {
  if (!pm.isInTable(state)) return false
  const { top, table: rows } = pm.selectedRect(state)
  return !(top === 0 && isHead(rows)) && parted(pm.addRowBefore, (rect) => rect.top, (all, index) => partOf(all, index + 1))(state, dispatch)
}

/** Removes a row or a column, with the caret left where it was; the last of them is the table. */
const less = (command) => (state, dispatch) => {
  if (!pm.isInTable(state)) return false
  const { top, left, tableStart } = pm.selectedRect(state)
  return command(state, dispatch && ((change) => {
    const map = pm.TableMap.get(change.doc.nodeAt(tableStart - 1))
    const cell = map.map[Math.min(top, map.height - 1) * map.width + Math.min(left, map.width - 1)]
    dispatch(change.setSelection(pm.TextSelection.near(change.doc.resolve(tableStart + cell + 1))))
  })) || pm.deleteTable(state, dispatch)
}

export const commands = {
  table,
  rowAbove: above,
  rowBelow: parted(pm.addRowAfter, (rect) => rect.bottom, below),
  columnBefore: pm.addColumnBefore,
  columnAfter: pm.addColumnAfter,
  rowRemove: less(pm.deleteRow),
  columnRemove: less(pm.deleteColumn),
  tableRemove: pm.deleteTable,
  headRow: parted(pm.toggleHeaderRow, () => 0, (rows) => (rows.firstChild.firstChild.type === nodes.headcell ? head : partOf(rows, 1))),
}

/** Whether the caret is in a table, and in one with a row of headings. */
export function pressed(state) {
  const inTable = pm.isInTable(state)
  return { inTable, headRow: inTable && isHead(pm.selectedRect(state).table) }
}

/** Goes to the next cell, with a new row after the last cell of a table, as tables do everywhere. */
export const onward = (state, dispatch, view) => pm.isInTable(state) && (pm.goToNextCell(1)(state, dispatch) ||
  commands.rowBelow(state, dispatch) && pm.goToNextCell(1)(view.state, dispatch))
