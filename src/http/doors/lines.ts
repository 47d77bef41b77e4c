/** Lines of an event stream in another protocol's form, made from an answer; what our own API refuses is refused there. */
import type { ProblemCode } from '../../contract/problem'
import type { Ctx } from '../context'
import { Problem } from '../problem'
import { isLoamError } from './inside'

/**
 * The first event is awaited: as long as nothing is sent, a status can still report an error. `brokenOff`: the last lines if the
 * answer ends prematurely.
 */
export async function streamLines<T>(
  c: Ctx,
  events: AsyncGenerator<T, void, void>,
  toLines: (events: AsyncGenerator<T, void, void>) => AsyncGenerator<string, void, void>,
  brokenOff: (failure: { readonly code: string; readonly message: string }) => string,
): Promise<Response> {
  const first = await events.next().catch(throwAsProblem)
  const lines = toLines(resume(first, events))
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await lines.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (error) {
        const failure = isLoamError(error) ? error : { code: 'internal', message: 'Something went wrong on the server.' }
        controller.enqueue(encoder.encode(brokenOff(failure)))
        controller.close()
      }
    },
    async cancel() {
      await lines.return()
    },
  })
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-request-id': c.get('requestId') },
  })
}

export function throwAsProblem(error: unknown): never {
  if (!isLoamError(error)) throw error
  const { errors, retryAfter } = error.more
  throw new Problem(error.code as ProblemCode, error.message, {
    ...(errors ? { errors } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}

/** What was read already, and the rest. */
export async function* resume<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void, void>): AsyncGenerator<T, void, void> {
  try {
    if (first.done) return
    yield first.value
    yield* rest
  } finally {
    await rest.return()
  }
}
