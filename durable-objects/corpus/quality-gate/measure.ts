/**
 * How much of what a probe expects a strategy finds: recall at k and the first position, computed by the object itself (with its own
 * vectors, without a cross-encoder), so that two graphs can be compared without a model. The vector index is not used: it does not know a
 * graph that is not served.
 */
import type { Finding } from '../../../src/contract/probes'
import { findingAmong, present } from '../../../src/core/evidence'
import type { GraphReader } from '../../../src/core/graph/reader'
import type { Hit, NodeKind } from '../../../src/core/graph/types'
import { questionTerms } from '../../../src/core/language/question-terms'
import { isEnabled, strategies } from '../../../src/core/strategies/registry'
import type { Query, Strategy } from '../../../src/core/strategy'
import type { CorpusConfig } from '../../../src/ports/corpus'
import type { Probe, ProbeFindings } from './probes'

const ROOM = 100_000 // tokens: k bounds the results, not the budget

export type Nearest = (kind: NodeKind, k: number) => readonly Hit[]

export interface Subject {
  readonly graph: GraphReader
  readonly config: Pick<CorpusConfig, 'strategies' | 'settings'>
  /** Entry points for this probe. */
  readonly nearest: Nearest
}

/** Strategies whose walk depends on what builders derived; `builder` names one that must be among them. */
export function measurableStrategies(switchedOn: readonly string[], builder?: string): Strategy[] {
  const all = [...strategies.values()].filter((one) => one.builders.length > 0 && isEnabled(one.name, switchedOn))
  return all.filter((one) => builder === undefined || one.builders.some((own) => own.name === builder))
}

/** Undefined if none of the expected documents is in the corpus. */
export function finding({ graph, config, nearest }: Subject, probe: Probe, strategy: Strategy, k: number): Finding | undefined {
  const expected = probe.expect.filter((id) => graph.document(id) !== undefined)
  if (expected.length === 0) return undefined
  const { vector } = probe
  const near = vector ? Object.fromEntries(strategy.entries.map((entry) => [entry.kind, nearest(entry.kind, entry.k)])) : {}
  const query: Query = { text: probe.query, terms: questionTerms(graph, probe.query).terms, ...(vector ? { vector } : {}), near }
  const options = { topK: k, budget: ROOM, trace: false, own: { scorer: vector ? 'embedding' : 'lexical' } }
  const found = strategy.retrieve(graph, query, new Map(), options, config.settings)
  if (found.kind === 'wanted') throw new Error(`probes: ${strategy.name} wants scores though its scorer needs no model`)
  return findingAmong(present(graph, found.found, { topK: k, budget: ROOM }), expected, k)
}

export interface Verdict {
  readonly refused: boolean
  /** Mean recall by strategy. */
  readonly recall: { readonly [strategy: string]: { readonly before: number; readonly after: number } }
  /** As a sentence without any text from the corpus. */
  readonly says: string
  readonly asked: ProbeFindings
}

export function judge(asked: ProbeFindings, { k, tolerance }: { readonly k: number; readonly tolerance: number }): Verdict {
  const names = [...new Set(Object.values(asked).flatMap(Object.keys))]
  const means = names.map((name) => {
    const own = Object.values(asked).flatMap((one) => one[name] ?? [])
    return [name, { before: mean(own.map((one) => one.before.recall)), after: mean(own.map((one) => one.after.recall)) }] as const
  })
  const lost = means.filter(([, { before, after }]) => before - after > tolerance + 1e-9)
  const says = lost.map(([name, { before, after }]) => `recall@${k} of ${name} would fall from ${before.toFixed(3)} to ${after.toFixed(3)}`)
  return { refused: lost.length > 0, recall: Object.fromEntries(means), says: says.join(', '), asked }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length
}
