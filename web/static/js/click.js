// Says once that somebody follows a link that is counted, in browsers that don't send pings of links by themselves, too.
for (const kind of ['click', 'auxclick']) {
  addEventListener(kind, ({ target, button }) => {
    const link = button < 2 && target.closest?.('a[ping]')
    if (!link) return
    navigator.sendBeacon?.(link.ping, new URLSearchParams())
    link.removeAttribute('ping')
  })
}
