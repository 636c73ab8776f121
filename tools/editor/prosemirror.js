// What the visual editor uses of ProseMirror. The last line of package.json makes one file of it.
export { DOMParser, DOMSerializer, Schema } from 'prosemirror-model'
export { EditorState, Plugin, TextSelection } from 'prosemirror-state'
export { EditorView } from 'prosemirror-view'
export { baseKeymap, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
export { keymap } from 'prosemirror-keymap'
export { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
export {
  addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, deleteTable, goToNextCell, isInTable, selectedRect, tableEditing, TableMap,
  toggleHeaderRow,
} from 'prosemirror-tables'
