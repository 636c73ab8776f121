// Asks in a dialog what a change to one date of a series applies to, with the
// form of the page that the server sent. Without it that page is shown.

/** The answered form as it is to be sent, null when nothing shall change, undefined when the page asks nothing. */
export function askWhich(page) {
  const form = page.querySelector('form.which')
  if (!form) return Promise.resolve()
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog'
  const title = page.querySelector('#which-title')
  title.id = 'which-dialog'
  dialog.setAttribute('aria-labelledby', title.id)
  dialog.append(document.adoptNode(title), document.adoptNode(form))
  document.body.append(dialog)
  const before = document.activeElement
  return new Promise((resolve) => {
    const end = (answer) => {
      dialog.close()
      dialog.remove()
      before?.focus({ preventScroll: true })
      resolve(answer)
    }
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault()
      end(null)
    })
    dialog.addEventListener('click', (event) => {
      if (!event.target.closest('[data-close]')) return
      event.preventDefault()
      end(null)
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      end(new FormData(form, event.submitter))
    })
    dialog.showModal()
    form.querySelector('[type=radio]:checked')?.focus()
  })
}
