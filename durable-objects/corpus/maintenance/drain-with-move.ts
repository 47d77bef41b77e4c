/**
 * What a move to another embedding model sends in addition to what every corpus sends: the index of that model is filled next to the served
 * one, an abandoned one is cleared, and the catalogue is told which model the corpus has, and which worked examples went with their documents.
 */
import type { EmbeddingSettings } from '../../../src/core/settings'
import type { Catalogue } from '../../../src/ports/catalogue'
import type { VectorIndex } from '../../../src/ports/vector-index'
import { openUnitOfWork, unfinishedJobs } from '../jobs/jobs'
import { drain, type Sinks } from '../outbox/drain'
import { clearFormerIndex, clearingState, removingFromBoth, shownInEither } from '../outbox/former-index'
import { isMigrating, requestedConfig } from '../pending-config'
import { abandonCandidate } from '../shadow-graph/promote'
import type { CorpusContext } from '../store'
import { deleteMeta, hasMeta, metaKeys, readMeta } from '../tables/meta'
import { fillIndex, fillState } from './fill-index'

const SLICE = 10_000 // ms for each index

type MoveSinks = Sinks & { readonly catalogue: Pick<Catalogue, 'recordEmbedding' | 'recordExamples'> }
type IndexOf = (settings: EmbeddingSettings) => VectorIndex

/** Can something of a move be sent now? */
export function hasUnsentMove(context: CorpusContext): boolean {
  const isUnrecorded = hasMeta(context.sql, metaKeys.isMoveUnrecorded) || hasMeta(context.sql, metaKeys.areExamplesUnrecorded)
  return clearingState(context)?.since === null || fillState(context)?.since === null || isUnrecorded
}

/** Since when an index has had vectors that it must show before a move continues; null: no move waits for that. */
export function moveInvisibleSince(context: CorpusContext): number | null {
  return clearingState(context)?.since ?? fillState(context)?.since ?? null
}

/** A move's sending fails like a sink: it keeps its place, and the others are served. */
export async function drainWithMove(context: CorpusContext, sinks: MoveSinks, indexOf: IndexOf): Promise<void> {
  const failures: unknown[] = []
  const turn = (work: Promise<void>): Promise<void> => work.catch((error: unknown) => void failures.push(error))
  const clearing = clearingState(context)
  const former = clearing && indexOf(clearing.of)
  const own = former ? { ...sinks, index: removingFromBoth(sinks.index, former), removals: shownInEither(sinks.index, former) } : sinks
  await turn(recordMove(context, sinks))
  await turn(recordExamples(context, sinks))
  await turn(drain(context, own))
  if (former) await turn(clearFormerIndex(context, former, context.now() + SLICE))
  else if (isMigrating(context)) await turn(fillIndex(context, indexOf(requestedConfig(context).settings), context.now() + SLICE))
  if (failures.length > 0) throw failures[0]
}

async function recordMove(context: CorpusContext, { catalogue }: MoveSinks): Promise<void> {
  if (!hasMeta(context.sql, metaKeys.isMoveUnrecorded)) return
  const { uid, settings } = context.config
  await catalogue.recordEmbedding(uid, settings)
  if (context.config.settings === settings) deleteMeta(context.sql, metaKeys.isMoveUnrecorded)
}

/** Repeated until none was removed or set meanwhile. */
async function recordExamples({ sql, config }: CorpusContext, { catalogue }: MoveSinks): Promise<void> {
  if (!hasMeta(sql, metaKeys.areExamplesUnrecorded)) return
  const left = () =>
    (readMeta(sql, metaKeys.pendingConfig) ?? readMeta(sql, metaKeys.config) ?? config).settings.extraction.examples ?? null
  const told = left()
  await catalogue.recordExamples(config.uid, told)
  if (JSON.stringify(left()) === JSON.stringify(told)) deleteMeta(sql, metaKeys.areExamplesUnrecorded)
}

/** A deleted corpus is not moved any further. False: the other index still has something of it. */
export async function endMove(context: CorpusContext, indexOf: IndexOf, until: number): Promise<boolean> {
  if (isMigrating(context)) {
    context.atomically(() => {
      const unitOfWork = openUnitOfWork(context.sql, context.now())
      for (const { n, kind } of unfinishedJobs(context.sql)) if (kind === 'migrate') unitOfWork.find(n)
      abandonCandidate(context, unitOfWork)
      unitOfWork.save()
    })
  }
  const clearing = clearingState(context)
  if (clearing) await clearFormerIndex(context, indexOf(clearing.of), until)
  return clearingState(context) === undefined
}
