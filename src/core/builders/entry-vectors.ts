/**
 * Entry points besides passages: the vectors of units and of names, for corpora whose strategies begin at them. One row per chunk says whether its units
 * are in the index; a name's vector is one row per entity, under the entity's key, which never changes, so that it is made once and does not depend on
 * which chunk requested it. A chunk whose names lack vectors is one task. Exact: what no chunk mentions any more has no vector.
 */
import type { GraphReader } from '../graph/reader'
import type { Change, Chunk, Patch, Vector } from '../graph/types'
import { fingerprint, kindOf } from '../ids'
import type { Settings } from '../settings'
import type { Builder, Delta, Reply, Task } from '../strategy'
import { mentionsOf } from './mention-list'
import { keyOf } from './mentions'

const NAME = 'entry-vectors'
/** Space of chunks whose units are in the index; key = chunk id, value = how many it has. */
export const INDEXED_UNITS = `${NAME}/units`
/** Space of names' vectors; key = entity id. */
export const NAME_VECTORS = `${NAME}/names`
const PAGE = 1000 // entities read at a time where all are looked at

/** Under what id the index holds an entity's name: the entity's own may stand for other vectors of it. */
export const nameIdOf = (entity: string): string => `n_${entity.slice(2)}`
export const isNameId = (id: string): boolean => id.startsWith('n_')
export const entityOfName = (id: string): string => `e_${id.slice(2)}`

export function nameVector(graph: GraphReader, entity: string): Vector | undefined {
  const bytes = graph.value(NAME_VECTORS, entity)
  return bytes instanceof Uint8Array ? new Int8Array(bytes.slice().buffer) : undefined
}

/** `writers`: builders that write entities. */
export const entryVectorsBuilder = (writers: readonly string[], wants: (settings: Settings) => boolean): Builder => ({
  name: NAME,
  builds: [],
  follows: writers,
  unitVectors: true,
  update(graph, delta, settings) {
    if (!wants(settings)) return { patch: [], tasks: [] }
    const replies = delta.replies.map((reply) => taken(graph, reply, settings))
    const names = namesTouched(graph, delta)
    const lacking = new Set(names.filter((id) => graph.node(id) && graph.value(NAME_VECTORS, id) === undefined))
    const gone = names.filter((id) => !graph.node(id) && graph.value(NAME_VECTORS, id) !== undefined)
    return {
      patch: [
        ...unitChanges(graph, delta),
        ...gone.map((key): Change => ({ op: 'drop-value', space: NAME_VECTORS, key })),
        ...replies.flatMap((one) => one.patch),
      ],
      tasks: [...replies.flatMap((one) => one.tasks), ...tasksFor(graph, lacking, delta.added, settings)],
      cancelled: delta.removed.map((one) => one.chunk.id),
    }
  },
  brief: (graph, { node }) => (graph.chunk(node) ? { kind: 'embed', texts: keysOf(graph, node) } : undefined),
})

function unitChanges(graph: GraphReader, { added, removed }: Delta): Patch {
  const dropped = removed.flatMap(({ chunk: { id } }): Change[] =>
    graph.value(INDEXED_UNITS, id) === undefined ? [] : [{ op: 'drop-value', space: INDEXED_UNITS, key: id }],
  )
  const put = added.flatMap(({ id, units }): Change[] =>
    units[0] && graph.vector(units[0].id) ? [{ op: 'put-value', space: INDEXED_UNITS, key: id, value: units.length }] : [],
  )
  return [...dropped, ...put]
}

/** Entities that were written or dropped, each once. */
function namesTouched(graph: GraphReader, { changes }: Delta): readonly string[] {
  if (!changes) return everyEntity(graph)
  const ids = changes.flatMap((one) => (one.op === 'put-node' ? [one.node.id] : one.op === 'drop-node' ? [one.id] : []))
  return [...new Set(ids.filter((id) => kindOf(id) === 'entity'))]
}

function everyEntity(graph: GraphReader): readonly string[] {
  const ids: string[] = []
  for (let page = graph.page('entity', '', PAGE); page.length > 0; page = graph.page('entity', page[page.length - 1] ?? '', PAGE))
    ids.push(...page)
  return ids
}

/** A task for each chunk whose names are asked for: the chunks that have come, then any that mentions what is left. */
function tasksFor(graph: GraphReader, lacking: Set<string>, added: readonly Chunk[], settings: Settings): readonly Task[] {
  const chunks = new Set<string>()
  const ask = (chunk: string): void => {
    const own = mentionsOf(graph, chunk).filter((one) => lacking.delete(one.entity))
    if (own.length > 0) chunks.add(chunk)
  }
  for (const { id } of added) ask(id)
  for (const entity of [...lacking]) {
    const chunk = lacking.has(entity) ? graph.edgesTo('mentions', entity, 1)[0]?.source : undefined
    if (chunk !== undefined) ask(chunk)
  }
  return [...chunks].map((chunk) => taskFor(graph, chunk, settings))
}

function taskFor(graph: GraphReader, chunk: string, settings: Settings): Task {
  return { builder: NAME, kind: 'embed', node: chunk, input: inputOf(graph, chunk, settings), urgent: true }
}

const inputOf = (graph: GraphReader, chunk: string, settings: Settings): string =>
  fingerprint('names', settings.models, ...mentionsOf(graph, chunk).map((one) => one.entity))

const keysOf = (graph: GraphReader, chunk: string): readonly string[] => mentionsOf(graph, chunk).map((one) => keyOf(graph, one))

/** The vectors are of the names in the order they were asked in; where the chunk names others by now, they are asked for again. */
function taken(graph: GraphReader, reply: Reply, settings: Settings): { readonly patch: Patch; readonly tasks: readonly Task[] } {
  const mentioned = graph.chunk(reply.node) && reply.kind === 'embed' ? mentionsOf(graph, reply.node) : []
  if (reply.kind !== 'embed' || mentioned.length === 0) return { patch: [], tasks: [] }
  if (reply.input !== inputOf(graph, reply.node, settings)) return { patch: [], tasks: [taskFor(graph, reply.node, settings)] }
  const patch = mentioned.flatMap(({ entity }, i): Change[] => {
    const vector = reply.vectors[i]
    if (!vector || graph.value(NAME_VECTORS, entity) !== undefined) return []
    const value = new Uint8Array(vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.length))
    return [{ op: 'put-value', space: NAME_VECTORS, key: entity, value }]
  })
  return { patch, tasks: [] }
}
