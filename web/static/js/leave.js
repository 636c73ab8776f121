// Asks before a page is left whose form was changed and not sent. The form of an event keeps a draft instead.
for (const form of document.querySelectorAll('form[data-leave]')) {
  const own = ([name]) => name !== 'csrf' && form.elements.namedItem(name)?.type !== 'password' // which browsers fill in
  const content = () => [...new FormData(form)].filter(own).map(([name, value]) => `${name}=${value.name ?? value}`).join('\n')
  const again = form.dataset.leave !== '' || form.querySelector('[aria-invalid="true"]') !== null // it was sent and isn't stored
  let stored = ''
  let touched = again
  let sent = false

  form.addEventListener('input', () => { [touched, sent] = [true, false] })
  form.addEventListener('submit', () => { sent = true })
  if (!again) (window.requestIdleCallback ?? setTimeout)(() => { if (!touched) stored = content() }) // reading a form makes the browser lay it out
  addEventListener('pageshow', () => { sent = false })
  addEventListener('beforeunload', (event) => {
    if (touched && !sent && content() !== stored) event.preventDefault()
  })
}
