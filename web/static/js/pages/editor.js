// The visual editor, which a form loads when it has time.
export * from '../editor/visual.js'
