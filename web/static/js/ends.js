// The end of an event.

/** Has the end follow the start and keep the length. Call what it returns after the start was set in another way. */
export function follow(start, end) {
  let before = start.valueAsNumber
  start.addEventListener('change', () => {
    const now = start.valueAsNumber, length = end.valueAsNumber - before
    if (now && length >= 0) {
      end.valueAsNumber = now + length
      end.dispatchEvent(new Event('input', { bubbles: true }))
    }
    before = now || before
  })
  return () => { before = start.valueAsNumber }
}
