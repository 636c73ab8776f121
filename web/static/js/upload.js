// Files that people bring, and sending them.
import { make } from './ask.js'
import { signedIn } from './session.js'

function once(address, body, progress) {
  const request = new XMLHttpRequest()
  request.open('POST', address)
  request.setRequestHeader('Kalends-Part', '1')
  request.upload.addEventListener('progress', ({ loaded, total }) => progress(total ? loaded / total : 0))
  return new Promise((resolve) => {
    request.addEventListener('loadend', () => resolve(request))
    request.send(body)
  })
}

/** Sends a file under a name, for the form whose session it is; one that ended is renewed on the way. Returns the
 *  status and the part of a page that came, which is empty when the answer was none. */
export async function send(address, form, name, file, progress) {
  const csrf = () => form.querySelector('[name=csrf]').value
  const body = new FormData()
  body.append('csrf', csrf())
  body.append(name, file)
  const request = await once(address, body, progress)
  if ([401, 403].includes(request.status) && await signedIn() === true && csrf() !== body.get('csrf')) {
    return send(address, form, name, file, progress)
  }
  const template = make('template')
  template.innerHTML = [200, 422].includes(request.status) ? request.responseText : ''
  return { status: request.status, part: template.content }
}

/** Has the files taken that somebody drops on an area, or pastes where a paste is meant for it. */
export function takes(area, take, meant = () => true) {
  const bring = ({ dataTransfer }) => dataTransfer?.types.includes('Files')
  area.addEventListener('dragover', (event) => {
    if (!bring(event)) return
    event.preventDefault()
    area.classList.add('over')
  })
  area.addEventListener('dragleave', ({ relatedTarget }) => { if (!area.contains(relatedTarget)) area.classList.remove('over') })
  area.addEventListener('drop', (event) => {
    if (!bring(event)) return
    event.preventDefault()
    area.classList.remove('over')
    if (event.dataTransfer.files.length) take(event.dataTransfer.files)
  })
  document.addEventListener('paste', (event) => {
    const files = event.clipboardData?.files
    if (!files?.length || event.defaultPrevented || !meant(event)) return
    event.preventDefault()
    take(files)
  })
}
