// Maps, where a page has one.
export { draw } from '../draw.js'
