/** Answers from D1 are as recent as the corpus: they wait for its version, at most five seconds. */
import { type Ctx, objectOf } from './context'
import { notFound, Problem } from './problem'

const MAX_WAIT = 5000 // ms
const PAUSE = 100 // ms until the second check; the pauses double, because checks count among the calls that an invocation may make

/** The version D1 holds, which is the corpus's own, or a 503. */
export async function settledVersion(c: Ctx): Promise<number> {
  const { listings, now } = c.get('world')
  const corpus = c.get('corpus')
  const object = objectOf(c)
  const [state, here] = await Promise.all([object.view(), listings.version(corpus)])
  if (!state) throw notFound('corpus')
  if (here >= state.version) return here
  const until = now() + MAX_WAIT
  // The change may not concern D1; then an empty outbox shows that it has everything.
  const draining = object.drain().then(
    ({ left }) => left === 0,
    () => false,
  )
  if (await Promise.race([draining, pause(MAX_WAIT).then(() => false)])) return state.version
  for (let wait = PAUSE; now() < until; wait *= 2) {
    const version = await listings.version(corpus)
    if (version >= state.version) return version
    await pause(wait)
  }
  throw new Problem('behind', 'The read model is not up to date yet.', { retryAfter: 2 })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
