// Passkeys: one is added in the profile, and signs in. Texts come from the page.
// Without this, or in a browser that knows none, the password does.
const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
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
    if (response[name]) said[name] = text(response[name])
  }
  if (response.getTransports) said.transports = response.getTransports()
  return JSON.stringify({ id, rawId: text(rawId), type, authenticatorAttachment, clientExtensionResults: {}, response: said })
}

/** Asks the page what to sign, lets the device sign it, and fills it into the form; false when that came to nothing. */
async function sign(form, place, work) {
  const told = form.querySelector('[data-told]')
  told.textContent = ''
  try {
    const body = new URLSearchParams(work === 'create' ? new FormData(form) : { csrf: form.elements.csrf?.value ?? '' })
    const answer = await fetch(place.dataset.options, { method: 'POST', body, headers: { 'Kalends-Part': '1' } })
    const said = await answer.text()
    if (!answer.ok) {
      told.textContent = [422, 429].includes(answer.status) ? said : place.dataset.failed
      return false
    }
    const credential = await navigator.credentials[work](read(JSON.parse(said)))
    form.querySelector('[name=credential]').value = write(credential)
    return true
  } catch (error) {
    told.textContent = error.name === 'NotAllowedError' ? place.dataset.stopped : place.dataset.failed
    return false
  }
}

/** Shows the ways to sign in by a device, where the browser may know one. */
export function offerPasskey(part) {
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
