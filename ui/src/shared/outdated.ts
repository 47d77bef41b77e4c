/**
 * Has a new version of Loam been deployed since this page was opened? Then its parts have other names, and those that this page names are
 * gone.
 */

/** The script in the page names all parts: if its text differs, so do they. False if nobody answers. */
export async function isOutdated(): Promise<boolean> {
  const mine = document.querySelector('head script:not([src])')?.textContent
  const page = await fetch('/', { cache: 'no-store' }).then(
    (reply) => (reply.ok ? reply.text() : ''),
    () => '',
  )
  return Boolean(mine) && page !== '' && !page.includes(mine as string)
}
