/**
 * The knowledge graph over the entities: relations between them, and what a model says about each. With a text model it is KET-RAG's skeleton: only a share
 * β of the chunks is read. Half of it on arrival, by a random number of each chunk's own, so that a new document is not without knowledge until the next
 * consolidation and order does not matter; the rest by centrality when `consolidate` sees the whole graph. What has been read is never read again, nor more
 * than ⌈β·n⌉ chosen there. A chunk that no model has read contributes through its units, which costs nothing (`rest: "nothing"` is the paper's form).
 * Shared by every strategy that walks relations.
 */
import type { GraphReader } from '../graph/reader'
import type { Change, Chunk } from '../graph/types'
import { given, guidanceVersion } from '../guidance'
import { fingerprint } from '../ids'
import { ontologyVersion } from '../ontology'
import type { Settings } from '../settings'
import type { Builder, Reply, Task } from '../strategy'
import { fromBrought } from './brought-knowledge'
import { combineMentions } from './combined-mentions'
import { type ExtractedKnowledge, fromExtraction } from './extracted-knowledge'
import { entitiesOf, fromUnits, KNOWLEDGE, type Knowledge, knowledgeOf, packedKnowledge } from './knowledge-row'
import { findMentions, MENTIONS, type Mentioned, mentionsOf } from './mention-list'
import { type Remention, remention } from './mentions'
import { type Rewritten, updateRelations } from './relations'
import { saidMentions } from './said'
import { asSaid, nameId } from './sense-list'
import { allChunks, byCentrality, randomRank, shuffled } from './skeleton'
import { WRITTEN, writtenUnits } from './units'

const AT_ONCE = 0.5 // of the share, chosen on arrival where the rest is chosen by centrality

export interface KnowledgeSettings {
  /** Share of the chunks a model reads, where there is a model. */
  readonly share: number
  /** What a chunk no model has read gives: the relations of its units, or nothing. */
  readonly rest: 'units' | 'nothing'
  /** Neighbours of a chunk in the graph whose centre is read. */
  readonly knn: number
  /** By centrality, or by chance. */
  readonly select: 'pagerank' | 'uniform'
}

/** `own`: its part of a corpus's settings. */
export const knowledgeBuilder = (own: (settings: Settings) => KnowledgeSettings): Builder => ({
  name: 'knowledge',
  builds: [],
  edges: ['relates'],
  follows: ['mentions'], // its entities are theirs: derived again together
  update(graph, delta, settings) {
    const moved = [...delta.added, ...delta.removed.map((one) => one.chunk)].map((one) => one.id)
    graph.preload?.({ values: [KNOWLEDGE, MENTIONS, WRITTEN].map((space) => ({ space, keys: moved })) })
    const changes: Rewritten[] = delta.removed.map(({ chunk }) => ({
      chunk: chunk.id,
      before: knowledgeOf(graph, chunk.id),
      after: undefined,
    }))
    const wider: Remention[] = []
    const tasks: Task[] = []
    for (const chunk of delta.added) {
      const { id, brought } = chunk
      if (brought) {
        // Another program's model has read it, or a person has: it is not read again.
        const drawn = fromBrought(chunk, bySentences(graph, chunk), brought, own(settings).rest === 'units')
        changes.push(rewritten(graph, id, drawn.knowledge))
        wider.push(...widened(graph, chunk, drawn))
        continue
      }
      const spoken = !settings.writer || own(settings).rest === 'units'
      const known = knowledgeOf(graph, id)?.by
      if (spoken && (known ?? 'units') === 'units') changes.push(rewritten(graph, id, fromUnits(bySentences(graph, chunk), 'units')))
      if (settings.writer && randomRank(id) < arrivalShare(own(settings))) tasks.push(reading(id, settings))
    }
    for (const reply of delta.replies) {
      const chunk = graph.chunk(reply.node)
      const drawn = chunk && readReply(graph, chunk, reply, settings)
      if (!drawn) continue
      changes.push(rewritten(graph, reply.node, drawn.knowledge))
      wider.push(...widened(graph, chunk, drawn))
    }
    const cancelled = delta.removed.map(({ chunk }) => chunk.id)
    return { patch: [...remention(graph, wider), ...changes.flatMap(storeChanges), ...updateRelations(graph, changes)], tasks, cancelled }
  },
  prompted({ extraction }) {
    const { ontology } = extraction
    return [ontology ? ontologyVersion(ontology) : '', guidanceVersion(extraction)].filter(Boolean).join('+')
  },
  brief(graph, task, settings) {
    const chunk = graph.chunk(task.node)
    if (!chunk || task.input !== reading(task.node, settings).input) return undefined
    const { gleanings, types = [], ontology } = settings.extraction
    const want = { units: false, graph: true }
    const kinds = { ...(types.length > 0 ? { types } : {}), ...(ontology ? { ontology } : {}) }
    const more = { ...(gleanings > 0 ? { gleanings } : {}), ...kinds, ...given(settings.extraction) }
    return { kind: 'extract', name: chunk.name, text: chunk.text, want, ...more }
  },
  consolidate(graph, settings) {
    return { patch: [], tasks: settings.writer ? unread(graph, own(settings)).map((id) => reading(id, settings)) : [] }
  },
})

function arrivalShare({ share, select }: KnowledgeSettings): number {
  return share >= 1 || select === 'uniform' ? share : share * AT_ONCE
}

function reading(chunk: string, settings: Settings): Task {
  const { gleanings, types = [] } = settings.extraction
  const wanted = [...(gleanings > 0 ? [gleanings] : []), ...(types.length > 0 ? ['types', ...types] : [])]
  const input = fingerprint('extract', 'graph', chunk, settings.models, ...wanted)
  return { builder: 'knowledge', kind: 'extract', node: chunk, input, urgent: true }
}

/** Chunks to be read so that ⌈β·n⌉ have been: the most central, or those of the lowest lot, that were not read yet. */
function unread(graph: GraphReader, { share, select, knn }: KnowledgeSettings): readonly string[] {
  const ids = allChunks(graph)
  const known = new Set(ids.filter((id) => (knowledgeOf(graph, id)?.by ?? 'units') !== 'units'))
  const left = Math.ceil(share * ids.length) - known.size
  if (left <= 0) return []
  const order = select === 'uniform' ? shuffled(ids) : byCentrality(graph, ids, knn)
  return order.filter((id) => !known.has(id)).slice(0, left)
}

function readReply(graph: GraphReader, chunk: Chunk, reply: Reply, settings: Settings): ExtractedKnowledge | undefined {
  if (reply.input !== reading(reply.node, settings).input) return undefined
  const said = bySentences(graph, chunk)
  if (reply.kind === 'extract') return fromExtraction(chunk, said, reply.extraction)
  return reply.kind === 'unusable' ? { knowledge: fromUnits(said, 'unusable'), strangers: [] } : undefined
}

function rewritten(graph: GraphReader, chunk: string, after: Knowledge): Rewritten {
  return { chunk, before: knowledgeOf(graph, chunk), after }
}

/** What the sentences of a chunk say, also where a model's units stand for them, or it has found more. */
function bySentences(graph: GraphReader, chunk: Chunk): readonly Mentioned[] {
  return writtenUnits(graph, chunk.id).length > 0 || isRead(graph, chunk) ? findMentions(chunk) : asSaid(graph, chunk.id)
}

/** What is described is mentioned, and what only the model found. Nothing where that is so already. */
function widened(graph: GraphReader, chunk: Chunk, { knowledge, strangers }: ExtractedKnowledge): readonly Remention[] {
  const before = mentionsOf(graph, chunk.id)
  const said = saidMentions(graph, chunk.id)
  const kept = withoutFormer(graph, chunk, said, strangers)
  const written = writtenUnits(graph, chunk.id).map((unit) => unit.text)
  const there = new Set(kept.map((one) => nameId(one.key)))
  const added = strangers.filter(({ entity }) => !there.has(entity))
  if (written.length === 0 && added.length === 0 && kept.length === said.length) return []
  const after =
    written.length > 0 ? combineMentions(chunk, { written, told: entitiesOf(knowledge), strangers }) : [...kept, ...added].sort(byEntity)
  return [{ chunk: chunk.id, before, after }]
}

/** What it mentions, without what only an earlier reading of a model has found. */
function withoutFormer(graph: GraphReader, chunk: Chunk, all: readonly Mentioned[], strangers: readonly Mentioned[]): readonly Mentioned[] {
  if (!isRead(graph, chunk)) return all
  const said = new Set([...findMentions(chunk), ...strangers].map(({ key }) => key))
  return all.filter(({ key }) => said.has(key))
}

function isRead(graph: GraphReader, { id }: Chunk): boolean {
  const by = knowledgeOf(graph, id)?.by
  return by === 'model' || by === 'brought'
}

function byEntity(a: Mentioned, b: Mentioned): number {
  return a.entity < b.entity ? -1 : 1
}

function storeChanges({ chunk, before, after }: Rewritten): Change[] {
  if (after) return [{ op: 'put-value', space: KNOWLEDGE, key: chunk, value: packedKnowledge(after) }]
  return before ? [{ op: 'drop-value', space: KNOWLEDGE, key: chunk }] : []
}
