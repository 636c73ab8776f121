// Signing in: a session that has ended begins anew within the page, and passkeys are added in the profile and sign in. Texts come from the
// page. Without this, or in a browser that knows no passkeys, the password does.
import { ask } from './ask.js'
import { dialogOf, modal } from './dialog.js'

const renew = (part) => {
  const { value } = part.querySelector('[name=csrf]')
  for (const field of document.querySelectorAll('input[name=csrf]')) field.value = value
}

/** Asks to sign in; true when it was done, false when not wanted, null when the page has to. */
async function signIn(part) {
  const dialog = dialogOf('sign-in', part)
  const done = await modal(dialog, (end) => {
    offerPasskey(dialog)
    dialog.addEventListener('submit', async (event) => {
      event.preventDefault()
      const { target: form, submitter } = event
      const answer = await ask(submitter?.getAttribute('formaction') ?? form.action, { body: new URLSearchParams(new FormData(form)) })
      if (answer.ok) {
        renew(answer.part)
        end(true)
      } else if (answer.part.querySelector('form')) {
        dialog.replaceChildren(answer.part)
        offerPasskey(dialog)
        dialog.querySelector('[type=password]').focus()
      } else end(null)
    })
  })
  return done === undefined ? false : done
}

/** Takes the token of a session that began after this page was loaded; whether there is one, and the form for signing in if not. */
export async function renewed() {
  const answer = await ask('/admin/session')
  if (answer.ok) renew(answer.part)
  return answer
}

/** Makes sure of a session; false when people want to stay without, null when the page has to, undefined without a connection. */
export async function signedIn() {
  const { status, part } = await renewed()
  if (!status) return undefined
  return status === 401 ? await signIn(part) : true
}

/** Does something that needs a session, and does it again when one that had ended has begun anew. */
export async function inSession(run) {
  const answer = await run()
  return [401, 403].includes(answer.status) && await signedIn() === true ? run() : answer
}

const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
const coded = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
const named = (list) => list?.map((one) => ({ ...one, id: bytes(one.id) }))

/** What the browser is to do, made of what the page was told. */
function read(options) {
  options.challenge = bytes(options.challenge)
  if (options.user) options.user.id = bytes(options.user.id)
  options.excludeCredentials = named(options.excludeCredentials)
  options.allowCredentials = named(options.allowCredentials)
  return { publicKey: options }
}

/** What the device said, as a form can hold it. */
function write({ id, rawId, type, authenticatorAttachment, response }) {
  const said = {}
  for (const name of ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']) {
    if (response[name]) said[name] = coded(response[name])
  }
  if (response.getTransports) said.transports = response.getTransports()
  return JSON.stringify({ id, rawId: coded(rawId), type, authenticatorAttachment, clientExtensionResults: {}, response: said })
}

/** Asks the page what to sign, lets the device sign it, and fills it into the form; false when that came to nothing. */
async function sign(form, place, work) {
  const told = form.querySelector('[data-told]')
  told.textContent = ''
  try {
    const body = new URLSearchParams(work === 'create' ? new FormData(form) : { csrf: form.elements.csrf?.value ?? '' })
    const { ok, status, text } = await ask(place.dataset.options, { body })
    if (!ok) {
      told.textContent = [422, 429].includes(status) ? text : place.dataset.failed
      return false
    }
    const credential = await navigator.credentials[work](read(JSON.parse(text)))
    form.querySelector('[name=credential]').value = write(credential)
    return true
  } catch (error) {
    told.textContent = error.name === 'NotAllowedError' ? place.dataset.stopped : place.dataset.failed
    return false
  }
}

/** Shows the ways to sign in by a device, where the browser may know one. */
function offerPasskey(part) {
  if (!window.PublicKeyCredential) return
  for (const button of part.querySelectorAll('button[data-options]')) {
    const hidden = button.closest('[hidden]')
    if (!hidden) continue // offered before
    hidden.hidden = false
    button.addEventListener('click', async (event) => {
      event.preventDefault()
      if (!button.formNoValidate && !button.form.reportValidity()) return
      if (await sign(button.form, button, 'get')) button.form.requestSubmit(button)
    })
  }
}

if (window.PublicKeyCredential) {
  for (const section of document.querySelectorAll('[data-passkeys]')) {
    const form = section.querySelector('form[data-options]')
    section.querySelector('[data-without]').hidden = true
    form.hidden = false
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      if (await sign(form, form, 'create')) {
        const shown = form.querySelector('[name=confirm]')
        if (shown) shown.value = ''
        form.submit()
      }
    })
  }
  offerPasskey(document)
}
