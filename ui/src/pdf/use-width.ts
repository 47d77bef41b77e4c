/** How wide an element is, in whole pixels; 0 until that is known. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, set] = useState(0)
  useLayoutEffect(() => {
    const measured = element.current
    if (!measured) return
    const measure = () => set(Math.floor(measured.clientWidth))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
  return width
}
