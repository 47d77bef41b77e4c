/** Places that are scrolled to, without moving what is not meant. */

const HELD_MS = 2_000 // after that, what is still being read appears below or beside the reader's place
const TOUCHES = ['wheel', 'touchmove', 'pointerdown', 'keydown', 'click', 'input'] as const

/**
 * Scrolls `element` to the middle of its view and keeps it there for two seconds, while what stands above it is still being read and drawn.
 * Any wheel, touch, press or key ends that at once: from then on the reader decides. Returns what ends it.
 */
export function holdInView(element: Element): () => void {
  const begun = performance.now()
  let top = 0
  let frame = 0
  const centre = () => {
    element.scrollIntoView({ block: 'center' })
    top = element.getBoundingClientRect().top
  }
  const look = () => {
    if (!element.isConnected || performance.now() - begun > HELD_MS) return release()
    if (Math.abs(element.getBoundingClientRect().top - top) > 1) centre()
    frame = requestAnimationFrame(look)
  }
  const release = () => {
    cancelAnimationFrame(frame)
    for (const touch of TOUCHES) removeEventListener(touch, release, true)
  }
  for (const touch of TOUCHES) addEventListener(touch, release, { capture: true, passive: true })
  centre()
  frame = requestAnimationFrame(look)
  return release
}

/** Scrolls a row of links sideways until the current one is in sight. `scrollIntoView` would move the page, too. */
export function showCurrent(row: Element | null): void {
  const current = row?.querySelector('[aria-current]')
  if (!row || !current) return
  const [outer, inner] = [row.getBoundingClientRect(), current.getBoundingClientRect()]
  const padding = Number.parseFloat(getComputedStyle(row).scrollPaddingInlineEnd) || 0
  if (inner.left < outer.left + padding) row.scrollLeft -= outer.left + padding - inner.left
  else if (inner.right > outer.right - padding) row.scrollLeft += inner.right - outer.right + padding
}
