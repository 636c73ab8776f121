// What the visual editor uses of ProseMirror. The last line of package.json makes one file of it.
export { DOMParser, DOMSerializer, Schema } from 'prosemirror-model'
export { EditorState, Plugin, TextSelection } from 'prosemirror-state'
export { EditorView } from 'prosemirror-view'
export { baseKeymap, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands'
export { keymap } from 'prosemirror-keymap'
export { history, redo, redoDepth, undo, undoDepth } from 'prosemirror-history'
export { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
export { addRowAfter, goToNextCell, isInTable, tableEditing } from 'prosemirror-tables'
