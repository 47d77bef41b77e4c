/** Whether the server can be reached. When it cannot, it is looked for until it answers, and what failed is read again. */
import { signal } from '@preact/signals'

const PAUSE = 1500 // ms between two looks

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
