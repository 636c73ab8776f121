// A form whose session has ended asks to sign in where it stands, and is sent
// then, files and all. Without a connection it stays, because the browser would
// put a page of its own in its place. Whatever else fails is left to the form itself.
import { ask, fresh, tell } from './ask.js'
import { offerPasskey } from './passkeys.js'

const renew = (part) => {
  const { value } = part.querySelector('[name=csrf]')
  for (const field of document.querySelectorAll('input[name=csrf]')) field.value = value
}

/** Asks to sign in; true when it was done, false when not wanted, null when the page has to. */
function signIn(part) {
  const dialog = document.createElement('dialog')
  dialog.className = 'dialog'
  dialog.setAttribute('aria-labelledby', 'sign-in')
  dialog.append(part)
  document.body.append(dialog)
  offerPasskey(dialog)
  return new Promise((resolve) => {
    const end = (result) => {
      dialog.close()
      dialog.remove()
      resolve(result)
    }
    dialog.addEventListener('cancel', () => end(false))
    dialog.addEventListener('click', (event) => { if (event.target.closest('[data-close]')) end(false) })
    dialog.addEventListener('submit', async (event) => {
      event.preventDefault()
      const { target: form, submitter } = event
      const address = submitter?.getAttribute('formaction') ?? form.action
      const answer = await ask(address, { method: 'POST', body: new URLSearchParams(new FormData(form)) }).catch(() => null)
      if (answer?.ok) {
        renew(answer.part)
        end(true)
      } else if (answer?.part.querySelector('form')) {
        dialog.replaceChildren(answer.part)
        offerPasskey(dialog)
        dialog.querySelector('[type=password]').focus()
      } else end(null)
    })
    dialog.showModal()
  })
}

/** Makes sure of a session; false when people want to stay without, null when the page has to, undefined without a connection. */
export async function signedIn() {
  const answer = await ask('/admin/session').catch(() => null)
  if (!answer) return undefined
  if (answer.ok) renew(answer.part)
  return answer.status === 401 ? await signIn(answer.part) : true
}

for (const form of document.querySelectorAll('form.editor')) {
  const told = form.querySelector('[data-unreached]')
  let sure = false
  form.addEventListener('submit', async (event) => {
    if (sure || event.defaultPrevented || fresh() && navigator.onLine) return
    event.preventDefault()
    const { submitter } = event
    const there = await signedIn()
    tell(told, there === undefined ? told.dataset.unreached : '')
    if (there === false || there === undefined) {
      submitter?.focus()
      return
    }
    sure = true
    form.requestSubmit(submitter)
    sure = false
  })
}
