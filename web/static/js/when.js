// Start and end: the end follows the start and keeps the length; an event of
// whole days is asked for days. The fields themselves stay what is sent.

const start = document.querySelector('#f-start_date')
const end = document.querySelector('#f-end_date')
const allDay = document.querySelector('#f-all_day')

const read = (field) => Date.parse(field.value + 'Z')
const write = (at) => new Date(at).toISOString().slice(0, 16)

/** Puts a field for days over one for times while all days are ticked. */
function dayOf(field) {
  const day = document.createElement('input')
  day.type = 'date'
  day.max = '9999-12-31'
  day.hidden = true
  field.after(day)
  day.addEventListener('change', () => {
    if (!day.value) return
    field.value = `${day.value}T${field.value.slice(11, 16) || '00:00'}`
    field.dispatchEvent(new Event('change', { bubbles: true }))
  })
  const show = () => { day.value = field.value.slice(0, 10) }
  return {
    show,
    only(on) {
      if (day.hidden === !on) return
      const [shown, other] = on ? [day, field] : [field, day]
      const id = other.id
      other.removeAttribute('id')
      shown.id = id
      for (const name of ['aria-describedby', 'aria-invalid']) {
        if (field.hasAttribute(name)) day.setAttribute(name, field.getAttribute(name))
      }
      shown.hidden = false
      other.hidden = true
      show()
    },
  }
}

if (start && end && allDay) {
  const days = [dayOf(start), dayOf(end)]
  let before = read(start)
  start.addEventListener('change', () => {
    const now = read(start)
    const length = read(end) - before
    if (now && length >= 0) {
      end.value = write(now + length)
      end.dispatchEvent(new Event('input', { bubbles: true }))
    }
    before = now || before
    for (const day of days) day.show()
  })
  const ticked = () => { for (const day of days) day.only(allDay.checked) }
  allDay.addEventListener('change', ticked)
  ticked()
}
