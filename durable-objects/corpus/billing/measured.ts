/** What chunks have cost since the strategies or settings were last changed: the basis on which further documents are estimated. One row. */
import { LEAST_MEASURED, type Measured } from '../../../src/core/estimate/measured'
import { fingerprint } from '../../../src/core/ids'
import type { StageSpent, StagesSpent } from '../../../src/ports/spending'
import { type CorpusContext, readMeta, writeMeta } from '../store'
import { listTotals } from '../tables/spending'

const KEY = 'measured'
const STAGES: ReadonlySet<string> = new Set(['embed', 'extract', 'summarize', 'report']) // of indexing

/** What had been read and paid for at a moment. */
interface Mark {
  readonly chunks: number
  readonly base: number
  readonly stages: StagesSpent
}

/**
 * A mark is set whenever half as much has been read again. Measured is what came after the last but one, a third of all and more: a
 * corpus's beginnings, when there was little to summarise or to group anew, are forgotten.
 */
interface Basis {
  /** Names strategies and settings: what was measured with others says nothing. */
  readonly of: string
  readonly chunks: number
  readonly base: number
  readonly from: Mark
  readonly last: Mark
}

/** Chunks whose vectors have come, before what they cost is entered. */
export function noteRead(context: CorpusContext, chunks: number, tokens: number): void {
  const of = nameOf(context)
  const known = basisOf(context)
  const begun = known?.of === of ? known : begin(context, of)
  const basis = begun.chunks >= Math.max(1.5 * begun.last.chunks, LEAST_MEASURED) ? marked(context, begun) : begun
  writeMeta(context.sql, KEY, JSON.stringify({ ...basis, chunks: basis.chunks + chunks, base: basis.base + tokens } satisfies Basis))
}

function begin(context: CorpusContext, of: string): Basis {
  const mark = { chunks: 0, base: 0, stages: stagesOf(context) }
  return { of, chunks: 0, base: 0, from: mark, last: mark }
}

function marked(context: CorpusContext, basis: Basis): Basis {
  return { ...basis, from: basis.last, last: { chunks: basis.chunks, base: basis.base, stages: stagesOf(context) } }
}

/** Null while too little has been read to say anything. */
export function measuredOf(context: CorpusContext): Measured | null {
  const basis = basisOf(context)
  if (!basis || basis.of !== nameOf(context)) return null
  const { from } = basis
  const [chunks, base] = [basis.chunks - from.chunks, basis.base - from.base]
  if (basis.chunks < LEAST_MEASURED || chunks === 0 || base === 0) return null
  const stages = Object.entries(stagesOf(context)).map(([stage, now]) => [stage, less(now, from.stages[stage])] as const)
  return { chunks, base, sentences: wantsSentences(context), stages: Object.fromEntries(stages) }
}

export function wantsSentences({ builders }: Pick<CorpusContext, 'builders'>): boolean {
  return builders.some((builder) => builder.unitVectors)
}

function basisOf({ sql }: Pick<CorpusContext, 'sql'>): Basis | undefined {
  const text = readMeta(sql, KEY)
  return text ? (JSON.parse(text) as Basis) : undefined
}

function nameOf({ config: { strategies, settings } }: Pick<CorpusContext, 'config'>): string {
  return fingerprint(JSON.stringify([[...strategies].sort(), settings]))
}

function stagesOf({ sql }: Pick<CorpusContext, 'sql'>): StagesSpent {
  const rows = listTotals(sql).filter((row) => STAGES.has(row.stage))
  return Object.fromEntries(rows.map(({ stage, calls, read, written, embedded }) => [stage, { calls, in: read, out: written, embedded }]))
}

function less(now: StageSpent, before: StageSpent | undefined): StageSpent {
  if (!before) return now
  return { calls: now.calls - before.calls, in: now.in - before.in, out: now.out - before.out, embedded: now.embedded - before.embedded }
}
