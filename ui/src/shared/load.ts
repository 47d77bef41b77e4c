/** What a page reads, while it is reading, and why it failed; a failed reading is repeated when the server is back. A newer reading replaces an older one. */
import { signal } from '@preact/signals'
import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { returns } from './reach'

export interface Loaded<T> {
  readonly value: T | undefined
  readonly fault: unknown
  readonly loading: boolean
  readonly again: () => void
}

const rereads = signal(0)

/** Everything shown is read again. */
export function readAgain(): void {
  rereads.value += 1
}

export function useLoad<T>(read: (signal: AbortSignal) => Promise<T>, key: readonly unknown[]): Loaded<T> {
  const [state, settle] = useState<{ value?: T; fault?: unknown; loading: boolean }>({ loading: true })
  const [round, next] = useState(0)
  // Before painting: data that is already here costs no extra frame.
  useLayoutEffect(() => {
    const aborted = new AbortController()
    settle((before) => ({ ...before, loading: true }))
    read(aborted.signal).then(
      (value) => aborted.signal.aborted || settle({ value, loading: false }),
      (fault) => aborted.signal.aborted || settle((before) => ({ ...before, fault, loading: false })),
    )
    return () => aborted.abort()
  }, [...key, round, rereads.value])
  const back = returns.value
  useEffect(() => {
    if (state.fault !== undefined) next((n) => n + 1)
  }, [back])
  const again = useCallback(() => next((n) => n + 1), [])
  return { value: state.value, fault: state.fault, loading: state.loading, again }
}
