// Several lines that are pasted into the field for one event go to the field for a list of events.
const key = 'kalends-lines'

document.addEventListener('paste', (event) => {
  const { lines: to } = event.target.dataset ?? {}, text = event.clipboardData.getData('text/plain')
  if (!to || text.split('\n').filter((line) => line.trim()).length < 2) return
  event.preventDefault()
  sessionStorage.setItem(key, text)
  location.assign(to)
})

const list = document.querySelector('textarea[name=lines]'), text = list && sessionStorage.getItem(key)
if (text) {
  sessionStorage.removeItem(key)
  list.value = text
  list.focus()
}
