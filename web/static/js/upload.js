// Files that people bring, and sending them.
import { make } from './ask.js'
import { inSession } from './session.js'

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

/** Sends a file under a name, for the form whose session it is. Returns the part of a page that came, which is empty when the answer was none. */
export async function send(address, form, name, file, progress) {
  const { status, responseText } = await inSession(() => {
    const body = new FormData()
    body.append('csrf', form.querySelector('[name=csrf]').value)
    body.append(name, file)
    return once(address, body, progress)
  })
  const template = make('template')
  template.innerHTML = [200, 422].includes(status) ? responseText : ''
  return template.content
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
