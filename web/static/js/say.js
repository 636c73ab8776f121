// What scripts say. Texts come from the page, and numbers are written as the page writes them.
const { digits } = document.documentElement.dataset

/** A number as the page writes it. */
export function number(n) {
  const text = new Intl.NumberFormat(document.documentElement.lang, { numberingSystem: 'latn' }).format(n)
  return digits ? text.replace(/\d/g, (digit) => [...digits][digit]) : text
}

/** A text of the page in the plural form for a number, as its data-forms have it for some numbers. */
export function counted(forms, n) {
  const rules = new Intl.PluralRules(document.documentElement.lang), form = rules.select(n)
  return JSON.parse(forms).find((one) => rules.select(one.for) === form).text.replace('#', number(n))
}

/** A text of the page with what its names in braces stand for. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)

/** A text as it is compared: without marks on letters and without capitals. */
export const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Says something to people who listen. */
export function tell(place, text) {
  place.textContent = ''
  requestAnimationFrame(() => { place.textContent = text })
}
