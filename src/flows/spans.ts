/** Parts of a question as spans of its trace, with a part's calls under it. If a request is not traced, this does nothing. */
import type { AskDeps } from './ask-types'

/** `deps` inside: their calls are under the span. */
export async function within<T>(deps: AskDeps, name: string, work: (deps: AskDeps) => Promise<T>): Promise<T> {
  const span = deps.inSpan?.(name)
  if (!span) return work(deps)
  try {
    const result = await work(span.deps)
    span.end()
    return result
  } catch (error) {
    span.end(error)
    throw error
  }
}

/** The same for a stream. If it is left early, it has ended. */
export async function* streamWithin<T>(
  deps: AskDeps,
  name: string,
  stream: (deps: AskDeps) => AsyncGenerator<T, void, void>,
): AsyncGenerator<T, void, void> {
  const span = deps.inSpan?.(name)
  if (!span) return yield* stream(deps)
  let fault: unknown
  try {
    yield* stream(span.deps)
  } catch (error) {
    fault = error
    throw error
  } finally {
    span.end(fault)
  }
}
