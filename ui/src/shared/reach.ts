/** Whether the server can be reached. If it cannot, it is asked until it answers, and failed readings are repeated. */
import { signal } from '@preact/signals'

const PAUSE = 1500 // ms between two checks

export const isAway = signal(false)
/** How often it has come back. */
export const returns = signal(0)

export function noteAway(): void {
  if (isAway.value) return
  isAway.value = true
  void lookForIt()
}

async function lookForIt(): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
    const answered = await fetch('/healthz', { cache: 'no-store' }).then(
      () => true,
      () => false,
    )
    if (!answered) continue
    isAway.value = false
    returns.value += 1
    return
  }
}
