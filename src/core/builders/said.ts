/**
 * What a chunk's texts say, where people have decided differently: the lists as their writers wrote them, and an index of the names that were set aside.
 * Undoing a decision starts from these, and so does every other builder that reads what was said.
 */
import type { GraphReader } from '../graph/reader'
import type { Change, Json } from '../graph/types'
import { fingerprint } from '../ids'
import { type Knowledge, knowledgeOf, packedKnowledge, unpackedKnowledge } from './knowledge-row'
import { type Mentioned, mentionsOf, packed, unpackedMentions } from './mention-list'

export const SAID = 'decisions/said' // space; key = chunk; its list, and what of it was set aside
export const SAID_KNOWLEDGE = 'decisions/known' // space; key = chunk
const ASIDE = 'decisions/aside' // ordered; an entity or a pair, then a chunk
const AFTER = '~' // above every character of a fingerprint

/** As the texts say them, whatever was decided. */
export function saidMentions(graph: GraphReader, chunk: string): readonly Mentioned[] {
  const row = rowOf(graph, chunk)
  return row ? unpackedMentions(row[0]) : mentionsOf(graph, chunk)
}

export function saidKnowledge(graph: GraphReader, chunk: string): Knowledge | undefined {
  return unpackedKnowledge(graph.value(SAID_KNOWLEDGE, chunk)) ?? knowledgeOf(graph, chunk)
}

/** Chunks of which this entity, or this pair, was set aside, in order of key, from behind `after`. */
export function chunksAside(graph: GraphReader, what: string, after: string | null, limit: number) {
  const from = `${what}!`
  return graph.order(ASIDE, { from: after === null ? from : `${after}${AFTER}`, to: from + AFTER, limit })
}

export const pairKey = (a: string, b: string): string => (a < b ? `${a}+${b}` : `${b}+${a}`)

export interface Kept {
  readonly said: readonly Mentioned[]
  /** Absent: the chunk has none, or it stands as it was said. */
  readonly known?: Knowledge
  /** Names and pairs set aside; empty: the texts stand as they are. */
  readonly aside: ReadonlySet<string>
}

export const NOTHING_KEPT: Kept = { said: [], aside: new Set() }

/** The changes by which a chunk's rows become these. */
export function keepSaid(graph: GraphReader, chunk: string, { said, known, aside }: Kept): Change[] {
  const rows: Change[] = []
  const row = rowOf(graph, chunk)
  const before = new Set(row?.[1])
  if (aside.size > 0) rows.push({ op: 'put-value', space: SAID, key: chunk, value: [packed(said), [...aside].sort()] })
  else if (row) rows.push({ op: 'drop-value', space: SAID, key: chunk })
  if (known) rows.push({ op: 'put-value', space: SAID_KNOWLEDGE, key: chunk, value: packedKnowledge(known) })
  else if (graph.value(SAID_KNOWLEDGE, chunk) !== undefined) rows.push({ op: 'drop-value', space: SAID_KNOWLEDGE, key: chunk })
  const place = (what: string): string => `${what}!${fingerprint(chunk)}`
  for (const what of before) if (!aside.has(what)) rows.push({ op: 'drop-place', space: ASIDE, key: place(what) })
  for (const what of aside) if (!before.has(what)) rows.push({ op: 'put-place', space: ASIDE, key: place(what), id: chunk })
  return rows
}

/** Believed to be what `keepSaid` wrote. */
function rowOf(graph: GraphReader, chunk: string): readonly [Json, readonly string[]] | undefined {
  return graph.value(SAID, chunk) as readonly [Json, readonly string[]] | undefined
}
