/** What a button does to its list: the list is read again, or the error is shown. */
import { useState } from 'preact/hooks'

export function useActing(again: () => unknown) {
  const [fault, fail] = useState<unknown>()
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    fail(undefined)
    await work().then(again, fail)
  }
  return { fault, act }
}
