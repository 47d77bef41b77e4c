/** Where a walk may begin by names: the names in a question, embedded, and the entities whose names are nearest in the vector index. */
import { namesSaid } from '../core/channels/names'
import type { Vector } from '../core/graph/types'
import type { Strategy } from '../core/strategy'
import { nameKey } from '../core/text/names'
import type { QuestionedName, RetrieveRequest } from '../ports/retrieval'
import type { Call } from './allowance'
import type { AskDeps } from './ask-types'
import { embeddingBound } from './call-bounds'
import { type Embedded, embedTexts } from './embed'
import { entriesFor } from './entry-points'
import type { Meter } from './meter'

/**
 * The names in a question, if the strategy begins by names: embedded together, and each looked up in the index. None if the strategy does
 * not, or if they cannot be embedded: then only names that the question contains word for word are used.
 */
export async function namedEntryPoints(
  deps: AskDeps,
  strategy: Strategy,
  { text, vector }: { readonly text: string; readonly vector: Vector | undefined },
  meter: Meter,
): Promise<Pick<RetrieveRequest, 'names'>> {
  const entry = vector && entriesFor(strategy, deps).find((one) => one.of === 'names')
  const said = entry ? namesSaid(text) : []
  if (!entry || said.length === 0) return {}
  const embedded = await embedNames(deps, said.map(nameKey), meter)
  if (!embedded) return {}
  const ask = async (name: string, own: Vector): Promise<QuestionedName> => {
    try {
      return { text: name, vector: own, near: await deps.index.query(deps.config.uid, own, { kind: 'name', k: entry.k }) }
    } catch {
      meter.degraded.add('index')
      return { text: name, vector: own }
    }
  }
  return { names: await Promise.all(said.map((name, i) => ask(name, embedded.vectors[i] ?? new Int8Array()))) }
}

async function embedNames({ models }: Pick<AskDeps, 'models'>, keys: readonly string[], meter: Meter): Promise<Embedded | undefined> {
  try {
    const make = ({ mayRepeat }: Call) => embedTexts(models, keys, { mayRepeat })
    return await meter.call('question', embeddingBound(...keys), make, { step: 'embed' })
  } catch {
    meter.degraded.add('embedding')
    return undefined
  }
}
