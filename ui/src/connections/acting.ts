/** What a button does to the list it stands in: the list is read again, or the fault is shown. */
import { useState } from 'preact/hooks'

export function useActing(again: () => unknown) {
  const [fault, fail] = useState<unknown>()
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    fail(undefined)
    await work().then(again, fail)
  }
  return { fault, act }
}
