/** Has Loam been published anew since this page was opened? Its parts then have other names, and those that this page names are gone. */

/** The script in the page names all parts: another text of it, other parts. False where nobody answers. */
export async function isOutdated(): Promise<boolean> {
  const mine = document.querySelector('head script:not([src])')?.textContent
  const page = await fetch('/', { cache: 'no-store' }).then(
    (reply) => (reply.ok ? reply.text() : ''),
    () => '',
  )
  return Boolean(mine) && page !== '' && !page.includes(mine as string)
}
