// Enter in a field of the editor leads nowhere, so that nobody publishes by accident; Ctrl+S and Ctrl+Enter save (on a
// Mac with Command).
const form = document.querySelector('form.editor')
const lines = 'input:not([type=submit], [type=button], [type=checkbox], [type=radio], [type=color], [type=file])'

form?.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey) return
  if (event.target.matches(lines)) event.preventDefault()
})

document.addEventListener('keydown', (event) => {
  if (!form || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || document.querySelector('dialog[open]')) return
  if (event.key !== 's' && event.key !== 'Enter') return
  event.preventDefault()
  form.requestSubmit(form.querySelector('button[name=do][value=save]'))
})
