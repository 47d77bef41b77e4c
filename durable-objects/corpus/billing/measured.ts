/** What chunks have cost since the strategies or settings were last changed: the basis on which further documents are estimated. One row. */
import { type Measured, MIN_MEASURED } from '../../../src/core/estimate/measured'
import { countNames } from '../../../src/core/estimate/names'
import { fingerprint } from '../../../src/core/ids'
import type { StageSpent, StagesSpent } from '../../../src/ports/spending'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { CostBasis } from '../tables/meta-values'
import { listTotals } from '../tables/spending'

const SAMPLE = 24 // chunks whose names are counted: some 10 ms
const STAGES: ReadonlySet<string> = new Set(['embed', 'extract', 'summarize', 'report']) // of indexing

interface Read {
  readonly chunks: number
  /** Of these, with entities that came with their documents. */
  readonly brought: number
  /** Embedded. */
  readonly tokens: number
}

/** Chunks whose vectors have arrived, before their cost is recorded. */
export function noteRead(context: CorpusContext, { chunks, brought, tokens }: Read): void {
  const of = nameOf(context)
  const known = basisOf(context)
  const begun = known?.of === of ? known : newBasis(context, of)
  const basis = begun.chunks >= Math.max(1.5 * begun.last.chunks, MIN_MEASURED) ? withMark(context, begun) : begun
  const sum = { chunks: basis.chunks + chunks, brought: (basis.brought ?? 0) + brought, base: basis.base + tokens }
  writeMeta(context.sql, metaKeys.costBasis, { ...basis, ...sum })
}

function newBasis(context: CorpusContext, of: string): CostBasis {
  const mark = { chunks: 0, base: 0, stages: stagesOf(context) }
  return { of, chunks: 0, base: 0, from: mark, last: mark }
}

function withMark(context: CorpusContext, basis: CostBasis): CostBasis {
  return {
    ...basis,
    from: basis.last,
    last: { chunks: basis.chunks, brought: basis.brought ?? 0, base: basis.base, stages: stagesOf(context) },
  }
}

/** Null while too little has been read to say anything. */
export function measuredOf(context: CorpusContext): Measured | null {
  const basis = basisOf(context)
  if (!basis || basis.of !== nameOf(context)) return null
  const { from } = basis
  const [chunks, base] = [basis.chunks - from.chunks, basis.base - from.base]
  if (basis.chunks < MIN_MEASURED || chunks === 0 || base === 0) return null
  const sentences = wantsSentences(context)
  const brought = (basis.brought ?? 0) - (from.brought ?? 0)
  if (!sentences && brought > 0 && chunks - brought < MIN_MEASURED) return null // what a model would look for in the others is not known
  const stages = Object.entries(stagesOf(context)).map(([stage, now]) => [stage, subtract(now, from.stages[stage])] as const)
  const paid = Object.fromEntries(stages)
  const names = (paid.report?.calls ?? 0) > 0 ? namesOf(context) : 0
  return { chunks, brought, base, sentences, stages: paid, ...(names > 0 ? { names } : {}) }
}

/** Per chunk, averaged over some: ids are hashes, so the first ones are a random sample. */
function namesOf({ graph }: Pick<CorpusContext, 'graph'>): number {
  const counts = graph.page('chunk', '', SAMPLE).flatMap((id) => {
    const chunk = graph.chunk(id)
    return chunk ? [countNames(chunk)] : []
  })
  return counts.reduce((sum, one) => sum + one, 0) / Math.max(1, counts.length)
}

export function wantsSentences({ builders }: Pick<CorpusContext, 'builders'>): boolean {
  return builders.some((builder) => builder.unitVectors)
}

function basisOf({ sql }: Pick<CorpusContext, 'sql'>): CostBasis | undefined {
  return readMeta(sql, metaKeys.costBasis)
}

function nameOf({ config: { strategies, settings } }: Pick<CorpusContext, 'config'>): string {
  return fingerprint(JSON.stringify([[...strategies].sort(), settings]))
}

function stagesOf({ sql }: Pick<CorpusContext, 'sql'>): StagesSpent {
  const rows = listTotals(sql).filter((row) => STAGES.has(row.stage))
  return Object.fromEntries(rows.map(({ stage, calls, read, written, embedded }) => [stage, { calls, in: read, out: written, embedded }]))
}

function subtract(now: StageSpent, before: StageSpent | undefined): StageSpent {
  if (!before) return now
  return { calls: now.calls - before.calls, in: now.in - before.in, out: now.out - before.out, embedded: now.embedded - before.embedded }
}
