/** A body as it comes in, while it has a turn (reading-room.ts). */
import { Problem } from './problem'
import type { Turn } from './turn'

const LOOK = 1000 // ms between two checks whether the turn has been given to another request, which cannot tell this one

/** It ends in a refusal, and its sender is stopped, when it has lost its turn. `look`: for tests. */
export function comingIn(body: ReadableStream<Uint8Array>, turn: Turn, look = LOOK): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await nextOf(reader, turn, look)
        if (value) controller.enqueue(value)
        if (!done) return
        turn.complete(Date.now())
        controller.close()
      },
      cancel: (why) => reader.cancel(why),
    },
    { highWaterMark: 0 },
  )
}

async function nextOf(reader: ReadableStreamDefaultReader<Uint8Array>, turn: Turn, look: number) {
  const reading = reader.read()
  while (turn.arrived(0, Date.now())) {
    const next = await within(reading, look)
    if (next && turn.arrived(next.value?.length ?? 0, Date.now())) return next
  }
  reading.catch(() => undefined)
  void reader.cancel().catch(() => undefined)
  throw new Problem('unavailable', 'This body arrived slowly while others were waiting. Try again in a moment.', { retryAfter: 5 })
}

/** Undefined: it takes longer. */
function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
