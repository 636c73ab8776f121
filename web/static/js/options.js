// What a field offers to choose from comes when somebody goes there, and again for what is typed where there is too much to have it all.
import { ask, later } from './ask.js'

for (const field of document.querySelectorAll('input[data-options]')) {
  let running
  const fetchList = async () => {
    running?.abort()
    const { signal } = running = new AbortController()
    const query = 'typed' in field.dataset ? `?${new URLSearchParams({ [field.name]: field.value })}` : ''
    const answer = await ask(field.dataset.options + query, { signal }).catch(() => null)
    if (answer?.ok) field.list.replaceChildren(answer.part)
  }
  field.addEventListener('focus', fetchList, { once: true })
  if ('typed' in field.dataset) field.addEventListener('input', later(300, fetchList))
}
