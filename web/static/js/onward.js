// The way into a site is chosen: on to it.
document.querySelector('form[data-onward]')?.requestSubmit()
