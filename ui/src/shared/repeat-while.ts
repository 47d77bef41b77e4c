/** Reads again while something is under way. */
import { useEffect, useRef } from 'preact/hooks'

const PAUSE = 1500 // ms between two looks
const MAX_LOOKS = 40 // looks: about a minute, after which one asks by hand

/** `value` is what the last look brought; a look that failed brings nothing new, and ends it. */
export function useRepeatWhile(isUnderWay: boolean, value: unknown, again: () => void): void {
  const looks = useRef(0)
  useEffect(() => {
    if (!isUnderWay) looks.current = 0
    if (!isUnderWay || looks.current >= MAX_LOOKS) return
    const timer = setTimeout(() => {
      looks.current += 1
      again()
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [isUnderWay, value])
}
