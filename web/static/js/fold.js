/** A text as it is compared: without marks on letters and without capitals. */
export const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
