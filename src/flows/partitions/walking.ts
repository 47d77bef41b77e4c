/** Parts of a walk over partitions: the question as they receive it, waiting with a limit, and lists combined. */
import { reachedBy } from '../../core/channels/reached-by'
import type { Evidence } from '../../core/evidence'
import type { GraphReader, Omitted } from '../../core/graph/reader'
import type { Hit } from '../../core/graph/types'
import { kindOf } from '../../core/ids'
import type { JointGraph } from '../../core/joint/joint-graph'
import type { QuestionName, Strategy } from '../../core/strategy'
import { MOVED } from '../../partition-layout'
import type { PartitionQuestion } from '../../ports/partition'
import type { RetrieveRequest } from '../../ports/retrieval'

const PATIENCE = 10_000 // ms that a partition has for one round

/**
 * Rounds of reading, after that of counts. Texts that the vector index shows come with the counts, so that the first walk has texts whose names it can follow;
 * without it, the first round is spent on finding texts by their words. More rounds found no more of what questions needed (docs/partitions.md). Summaries
 * above what is found by words are read in a second round. `isClimbing`: the last walk asks what is above a text, and gets one round more for that.
 */
export const jointRounds = (hasEntries: boolean, { trees }: Pick<Strategy, 'trees'>, isClimbing = false): number =>
  trees ? 2 : (hasEntries ? 1 : 2) + (isClimbing ? 1 : 0)

const MORE = 2 // rounds, where what is to be shown is not read yet

/**
 * How many rounds more a walk has: some only if what it would show is not yet what one graph shows, since the best passages are in few partitions and
 * more must be read of these. Asked before what the walk lacks is taken. `shown`: how many may be shown.
 */
export function moreRounds(graph: JointGraph, found: readonly { readonly id: string }[], shown: number): number {
  const textless = found.slice(0, shown).filter(({ id }) => kindOf(id) === 'passage' && !graph.text(id)) // each is noted as lacking
  return textless.length > 0 || graph.isCutShort ? MORE : 0
}

/** What its walk never reads. `isPool`: a model chooses from the evidence, and is told by which names each piece was reached. */
export function omittedBy({ omits = [] }: Pick<Strategy, 'omits'>, hasVector: boolean, isPool = false): readonly Omitted[] {
  if (isPool) return []
  return hasVector || !omits.includes('names') ? omits : [...new Set<Omitted>([...omits, 'vectors'])]
}

export function questionOf(request: RetrieveRequest, asked: Strategy): PartitionQuestion {
  const { strategy, text, vector, embedded, filters, period, freshness, boosts, asker, pool } = request
  const omits = omittedBy(asked, vector !== undefined, pool !== undefined)
  return {
    strategy,
    text,
    ...(omits.length > 0 ? { omits } : {}),
    ...(vector ? { vector } : {}),
    ...(embedded === undefined ? {} : { embedded }),
    ...(filters ? { filters } : {}),
    ...(period ? { period } : {}),
    ...(freshness ? { freshness } : {}),
    ...(boosts ? { boosts } : {}),
    ...(asker ? { asker } : {}),
  }
}

export function best(hits: readonly Hit[], k: number): readonly Hit[] {
  const each = new Map(hits.map((hit) => [hit.id, hit]))
  return [...each.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, k)
}

/** Names that a question says, with what is nearest to each in all partitions. */
export function joinNames(all: readonly QuestionName[], k: number): readonly QuestionName[] {
  const said = Map.groupBy(all, ({ text }) => text)
  return [...said].map(([text, same]) => ({
    text,
    near: best(
      same.flatMap((one) => one.near),
      k,
    ),
  }))
}

export function pathsOf(graph: GraphReader, evidence: readonly Evidence[]): (string | null)[] {
  const passages = evidence.filter((one) => one.chunk !== null)
  const paths = reachedBy(
    graph,
    passages.map((one) => one.id),
  )
  const byId = new Map(passages.map((one, i) => [one.id, paths[i]]))
  return evidence.map((one) => byId.get(one.id) ?? null)
}

const RESTORING = 'corpus: being restored' // how a message begins where an object of the corpus answers nothing yet

/** Undefined: it took too long, or failed. Rejects where nothing of the corpus is answered, and where it is the corpus's no more. */
export async function inTime<T>(work: Promise<T> | undefined): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE)
  })
  try {
    const done = work?.catch((error: unknown) => {
      if (error instanceof Error && [RESTORING, MOVED].some((one) => error.message.startsWith(one))) throw error
      return undefined
    })
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}
