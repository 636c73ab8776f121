// A second click on a form that is being sent does not send it again. After a while it does, because the first try may
// have been stopped.
const pause = 30_000

for (const form of document.querySelectorAll('form.send')) {
  let sent = -pause
  form.addEventListener('submit', (event) => {
    if (event.timeStamp - sent < pause) event.preventDefault()
    else sent = event.timeStamp
  })
  addEventListener('pageshow', () => { sent = -pause })
}
