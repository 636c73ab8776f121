const { digits } = document.documentElement.dataset

/** A number as the page writes it. */
export function number(n) {
  const text = new Intl.NumberFormat(document.documentElement.lang, { numberingSystem: 'latn' }).format(n)
  return digits ? text.replace(/\d/g, (digit) => [...digits][digit]) : text
}
