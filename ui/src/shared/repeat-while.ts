/** Reads again while something is in progress. */
import { useEffect, useRef } from 'preact/hooks'

const PAUSE = 1500 // ms between two readings
const MAX_LOOKS = 40 // readings: about a minute, after which the visitor reloads by hand

/** `value` is the last reading's result; a failed reading brings nothing new, and ends it. */
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
