/** Reads again while something is under way. */
import { useEffect, useRef } from 'preact/hooks'

const PAUSE = 1500 // ms between two looks
const MOST = 40 // looks: about a minute, after which one asks by hand

/** `value` is what the last look brought; a look that failed brings nothing new, and ends it. */
export function useUntil(under_way: boolean, value: unknown, again: () => void): void {
  const looks = useRef(0)
  useEffect(() => {
    if (!under_way) looks.current = 0
    if (!under_way || looks.current >= MOST) return
    const timer = setTimeout(() => {
      looks.current += 1
      again()
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [under_way, value])
}
