// Going back to a form that has made something leads to what was made. The form
// would be empty of that, and sent again it would make another.
const key = 'kalends-made' // of this tab: the page a form made, by the form's token
const form = document.querySelector('form.editor')
const made = () => JSON.parse(sessionStorage.getItem(key) ?? '{}')
const once = form?.elements.namedItem('once')?.value

addEventListener('submit', (event) => {
  if (event.target !== form || event.defaultPrevented || !once || event.submitter?.formTarget) return
  history.replaceState({ ...history.state, sent: once }, '')
  sessionStorage.setItem(key, JSON.stringify({ ...made(), last: { once, from: location.pathname } }))
})

const { last, ...others } = made()
if (last) {
  const came = !once && new URL(document.referrer || location).pathname === last.from
  sessionStorage.setItem(key, JSON.stringify(came ? { ...others, [last.once]: location.pathname } : others))
}

addEventListener('pageshow', () => {
  const address = made()[history.state?.sent]
  if (address) location.replace(address)
})
