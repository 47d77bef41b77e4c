/**
 * Where a walk may begin: the question's vector, and the nodes nearest to it in the vector index for the kinds that a strategy names.
 * Anything missing is flagged, and the walk does without it.
 */
import type { Spent } from '../contract/usage'
import type { Vector } from '../core/graph/types'
import type { Strategy } from '../core/strategy'
import { mean } from '../core/vectors'
import type { RetrieveRequest } from '../ports/retrieval'
import type { Call } from './allowance'
import type { AskDeps } from './ask-types'
import { embedTexts } from './embed'
import type { Meter } from './meter'

/** A question that was embedded, or that the model could not embed. */
export interface EmbeddedQuestion {
  readonly vector?: Vector
  readonly spent: Spent
  readonly calls: number
}

/**
 * `call`: covers it, and is ended. `like`: a passage that might answer it (expand/ask-model.ts); the vector is then the mean of both, each of
 * unit length.
 */
export async function embedQuestion(
  { models }: Pick<AskDeps, 'models'>,
  question: string,
  call: Call,
  like?: string,
): Promise<EmbeddedQuestion> {
  try {
    const { vectors, spent, calls } = await embedTexts(models, [question, ...(like === undefined ? [] : [like])], {
      mayRepeat: call.mayRepeat,
    })
    call.paid(spent, calls)
    const said = vectors.filter((one) => one.some((component) => component !== 0))
    const vector = said.length > 1 ? mean(said, models.embedding.dimensions) : said[0]
    return vector ? { vector, spent, calls } : { spent, calls }
  } catch (error) {
    call.failed(error)
    return { spent: { in: 0, out: 0, embedded: 0 }, calls: 0 }
  }
}

/** The kinds for which this corpus has vectors. */
export function entriesFor(strategy: Strategy, { config }: { readonly config: Pick<AskDeps['config'], 'settings'> }): Strategy['entries'] {
  return strategy.entries.filter(({ where }) => where?.(config.settings) ?? true)
}

/** A kind for which the index could not be queried is left out: the object then searches its own vectors. */
export async function entryPoints(
  deps: AskDeps,
  strategy: Strategy,
  vector: Vector | undefined,
  meter: Meter,
): Promise<RetrieveRequest['near']> {
  if (!vector) return {}
  const found = await Promise.all(
    entriesFor(strategy, deps)
      .filter((one) => one.of !== 'names')
      .map(async ({ kind, k }) => {
        try {
          return [[kind, await deps.index.query(deps.config.uid, vector, { kind, k })] as const]
        } catch {
          meter.degraded.add('index')
          return []
        }
      }),
  )
  return Object.fromEntries(found.flat())
}
