// Says how long a text is where it comes near to what fits.
import { tell } from './ask.js'
import { number } from './say.js'

const form = document.querySelector('form[data-letters]')
const near = 0.8 // of what fits

form?.addEventListener('input', ({ target }) => {
  const most = Number(target.dataset?.most)
  if (!most) return
  const n = [...target.value].length, id = `n-${target.name}`
  let note = document.getElementById(id)
  if (!note) {
    if (n < most * near) return
    note = document.createElement('p')
    note.id = id
    note.setAttribute('role', 'status')
    target.after(note)
  }
  note.className = n > most ? 'wrong' : 'hint'
  tell(note, n < most * near ? '' : form.dataset.letters.replace('{n}', number(n)).replace('{most}', number(most)))
})
