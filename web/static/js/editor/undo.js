// What was typed, to take back and to do again. A document is never changed but replaced, so each of them is kept as it was.
import { Plugin } from '../vendored/prosemirror.js'

const pause = 500 // milliseconds after which what is typed is another step
const most = 200 // steps

const kept = (state) => ({ doc: state.doc, chosen: state.selection.getBookmark() })

export const past = new Plugin({
  state: {
    init: () => ({ undo: [], redo: [], typing: false, at: 0 }),
    apply(change, now, before) {
      const moved = change.getMeta(past)
      if (moved) return moved
      if (!change.docChanged) return change.selectionSet ? { ...now, typing: false } : now
      if (change.getMeta('appendedTransaction')) return now // belongs to the step before
      const same = now.typing && change.time - now.at < pause
      return { undo: same ? now.undo : [...now.undo.slice(1 - most), kept(before)], redo: [], typing: true, at: change.time }
    },
  },
  props: {
    handleDOMEvents: { // from menus of browsers
      beforeinput(view, event) {
        const command = { historyUndo: undo, historyRedo: redo }[event.inputType]
        if (!command) return false
        event.preventDefault()
        return command(view.state, view.dispatch.bind(view))
      },
    },
  },
})

const step = (from, to) => (state, dispatch) => {
  const now = past.getState(state), there = now[from].at(-1)
  if (!there) return false
  if (dispatch) {
    const change = state.tr.replaceWith(0, state.doc.content.size, there.doc.content)
    change.setSelection(there.chosen.resolve(change.doc))
    dispatch(change.setMeta(past, { ...now, typing: false, [from]: now[from].slice(0, -1), [to]: [...now[to], kept(state)] }).scrollIntoView())
  }
  return true
}

export const undo = step('undo', 'redo')
export const redo = step('redo', 'undo')
