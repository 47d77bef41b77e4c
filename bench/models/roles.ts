/** The roles of a model, each with its sample and its share of the time. */
import { answers, type Posed, questions } from './answers'
import { classifying } from './classifying'
import { extraction } from './extraction'
import { attackedRoles, attempts, injections } from './injections'
import { claims, judging } from './judging'
import type { Read } from './passages'
import type { RoleResult } from './report'
import type { Writer } from './sampling'
import { briefs, summaries } from './summaries'

export interface Materials {
  readonly read: readonly Read[]
  readonly posed: readonly Posed[]
}

interface Role {
  readonly name: string
  /** Of the time. */
  readonly weight: number
  /** Passages, questions or claims. */
  readonly sample: number
  measure(materials: Materials, writer: Writer, sample: number): Promise<RoleResult>
}

const MAX_QUESTIONS = 100
const BOTH = { units: true, graph: true } as const
const GRAPH = { units: false, graph: true } as const

export const roles: readonly Role[] = [
  { name: 'extract', weight: 30, sample: 60, measure: ({ read }, writer, n) => extraction(read.slice(0, n), writer, GRAPH) },
  { name: 'extract-units', weight: 8, sample: 20, measure: ({ read }, writer, n) => extraction(read.slice(0, n), writer, BOTH) },
  { name: 'extract-words', weight: 8, sample: 20, measure: ({ read }, writer, n) => extraction(read.slice(0, n), writer, GRAPH, false) },
  { name: 'summarise', weight: 8, sample: 80, measure: ({ read }, writer, n) => summaries(briefs('summarise', read.slice(0, n)), writer) },
  { name: 'report', weight: 8, sample: 30, measure: ({ read }, writer, n) => summaries(briefs('report', read.slice(0, n)), writer) },
  { name: 'describe', weight: 3, sample: 20, measure: ({ read }, writer, n) => summaries(briefs('describe', read.slice(0, n)), writer) },
  { name: 'answer', weight: 20, sample: 100, measure: ({ posed }, writer, n) => answers(posed.slice(0, n), writer) },
  { name: 'judge', weight: 3, sample: 24, measure: (_, writer, n) => judging(claims(n), writer) },
  { name: 'classify', weight: 2, sample: 24, measure: (_, writer, n) => classifying(writer, n) },
  ...attackedRoles.map((role) => ({
    name: `injected-${role}`,
    weight: 5,
    sample: attempts.length,
    measure: (_: Materials, writer: Writer, n: number) => injections(role, writer, n),
  })),
]

export async function materials(read: readonly Read[]): Promise<Materials> {
  return { read, posed: await questions(MAX_QUESTIONS) }
}
