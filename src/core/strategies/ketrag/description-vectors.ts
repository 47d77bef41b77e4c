/**
 * Vectors of entities, by which descriptions are found: each description that a model has given is embedded (paper §2.3: every entity has the
 * embedding of its description), and an entity has the mean over its chunks, kept on its node as an exact integer sum. So a chunk takes away
 * exactly what it brought, in whatever order, and a change costs only what it touches. Each chunk that a model has read has one row, which says
 * what it counts for.
 */

import { KNOWLEDGE, knowledgeOf, unpackedKnowledge } from '../../builders/knowledge-row'
import { mentionsOf } from '../../builders/mention-list'
import { keyOf } from '../../builders/mentions'
import type { GraphReader } from '../../graph/reader'
import type { Change, Patch, Vector } from '../../graph/types'
import { fingerprint } from '../../ids'
import type { Settings } from '../../settings'
import type { Builder, Delta, Reply, Task } from '../../strategy'
import { accumulate, quantize } from '../../vectors'
import { nameWriters } from '../shared-builders'

const SPACE = 'descriptions' // key = chunk
const LINE = 10 // the code of a line feed
const PAGE = 500 // rows read at a time when all are read

/** A description and what it counts for. */
interface Counted {
  readonly entity: string
  /** Fingerprint of the text that is embedded. */
  readonly input: string
  readonly vector: Vector
}

interface Told {
  readonly entity: string
  readonly text: string
  readonly input: string
}

export const descriptions: Builder = {
  name: 'descriptions',
  builds: [],
  follows: [...nameWriters, 'senses', 'decisions'],
  update(graph, delta, settings) {
    const replies = new Map(delta.replies.map((reply) => [reply.node, reply]))
    const tasks: Task[] = []
    const now = new Map<string, readonly Counted[]>()
    const sums = new Sums(graph)
    for (const chunk of concerned(graph, delta)) {
      const told = toldIn(graph, chunk)
      const before = countedFor(graph, chunk)
      const reply = replies.get(chunk)
      const after = counted(told, before, vectorsIn(reply, told, settings))
      const input = inputOf(told, settings)
      const lacks = after.length < told.length && reply?.input !== input
      if (lacks && settings.writer) tasks.push({ builder: 'descriptions', kind: 'embed', node: chunk, input, urgent: true })
      if (isSame(before, after)) continue
      sums.count(before, -1)
      sums.count(after, 1)
      now.set(chunk, after)
    }
    const rows = [...now].map(([key, all]): Change => {
      if (all.length === 0) return { op: 'drop-value', space: SPACE, key }
      return { op: 'put-value', space: SPACE, key, value: packed(all, graph.dimensions) }
    })
    const cancelled = delta.removed.map(({ chunk }) => chunk.id)
    return { patch: [...rows, ...sums.nodes(dropped(delta.changes ?? []), now)], tasks, cancelled }
  },
  brief(graph, task, settings) {
    const told = toldIn(graph, task.node)
    return task.input === inputOf(told, settings) ? { kind: 'embed', texts: told.map((one) => one.text) } : undefined
  },
}

/** Chunks whose knowledge has changed, in order. */
function concerned(graph: GraphReader, { changes, replies }: Delta): readonly string[] {
  const chunks = new Set(replies.map((one) => one.node))
  if (!changes) for (const space of [KNOWLEDGE, SPACE]) for (const key of keysOf(graph, space)) chunks.add(key)
  const others: string[] = [] // a chunk that no model has read describes nothing now, but may have before
  for (const change of changes ?? []) {
    if ((change.op !== 'put-value' && change.op !== 'drop-value') || change.space !== KNOWLEDGE) continue
    const by = change.op === 'put-value' ? unpackedKnowledge(change.value)?.by : undefined
    if (by === 'model' || by === 'brought') chunks.add(change.key)
    else others.push(change.key)
  }
  if (others.length > 0 && graph.values(SPACE, '', 1).length > 0) {
    graph.valuesOf(SPACE, others).forEach((row, i) => {
      if (row !== undefined) chunks.add(others[i] ?? '')
    })
  }
  return [...chunks].sort()
}

function* keysOf(graph: GraphReader, space: string): Generator<string> {
  for (let from = ''; ; ) {
    const page = graph.values(space, from, PAGE)
    for (const { key } of page) yield key
    const last = page[page.length - 1]?.key
    if (page.length < PAGE || last === undefined) return
    from = `${last}\u0000`
  }
}

/** What a chunk describes, "name: description" as in GraphRAG, ordered by text: the same whatever ids the entities have by now. */
function toldIn(graph: GraphReader, chunk: string): readonly Told[] {
  const described = (knowledgeOf(graph, chunk)?.entities ?? []).filter(({ description }) => description !== '')
  if (described.length === 0) return []
  const keys = new Map(mentionsOf(graph, chunk).map((one) => [one.entity, keyOf(graph, one)]))
  return described
    .map(({ entity, description }): Told => {
      const text = `${keys.get(entity) ?? ''}: ${description}`
      return { entity, text, input: fingerprint(text) }
    })
    .sort((a, b) => (a.input < b.input ? -1 : 1))
}

/** Descriptions that have a vector: from the reply, or from before, whatever the entity's id was then. One that was refused is asked for when the chunk is read again. */
function counted(told: readonly Told[], before: readonly Counted[], vectors: readonly Vector[]): readonly Counted[] {
  const known = new Map(before.map((one) => [one.input, one.vector]))
  return told.flatMap(({ entity, input }, i) => {
    const vector = vectors[i] ?? known.get(input)
    return vector?.some((component) => component !== 0) ? [{ entity, input, vector }] : []
  })
}

function vectorsIn(reply: Reply | undefined, told: readonly Told[], settings: Settings): readonly Vector[] {
  return reply?.kind === 'embed' && reply.input === inputOf(told, settings) ? reply.vectors : []
}

function inputOf(told: readonly Told[], settings: Settings): string {
  return fingerprint('descriptions', settings.models, ...told.map((one) => one.input))
}

function isSame(a: readonly Counted[], b: readonly Counted[]): boolean {
  return a.length === b.length && a.every(({ entity, input }, i) => entity === b[i]?.entity && input === b[i]?.input)
}

/** How a change moves the entities' sums. */
class Sums {
  readonly #graph: GraphReader
  readonly #moved = new Map<string, Int32Array>()

  constructor(graph: GraphReader) {
    this.#graph = graph
  }

  count(all: readonly Counted[], sign: 1 | -1): void {
    for (const { entity, vector } of all) {
      const sum = this.#moved.get(entity) ?? new Int32Array(this.#graph.dimensions)
      accumulate(sum, vector, sign)
      this.#moved.set(entity, sum)
    }
  }

  /**
   * The nodes with their new sums. `anew`: those that were dropped and made again, without their sums; these are summed from the chunks that
   * mention them now.
   */
  nodes(anew: ReadonlySet<string>, after: ReadonlyMap<string, readonly Counted[]>): Change[] {
    return [...new Set([...this.#moved.keys(), ...anew])].sort().flatMap((id): Change[] => {
      const node = this.#graph.node(id)
      if (node?.kind !== 'entity') return []
      const sum = anew.has(id) ? this.#summed(id, after) : plus(node.sum, this.#moved.get(id))
      const { sum: _sum, vector: _vector, ...rest } = node
      const isEmpty = sum.every((component) => component === 0)
      if (isEmpty && !node.sum) return []
      return [{ op: 'put-node', node: isEmpty ? rest : { ...rest, sum, vector: quantize(sum) } }]
    })
  }

  #summed(id: string, after: ReadonlyMap<string, readonly Counted[]>): Int32Array {
    const sum = new Int32Array(this.#graph.dimensions)
    for (const { source } of this.#graph.edgesTo('mentions', id)) {
      for (const one of after.get(source) ?? countedFor(this.#graph, source)) if (one.entity === id) accumulate(sum, one.vector)
    }
    return sum
  }
}

function plus(known: Int32Array | undefined, moved: Int32Array | undefined): Int32Array {
  const sum = Int32Array.from(moved ?? [])
  if (known) accumulate(sum, known)
  return sum
}

/** Nodes that these changes drop, and may make again. */
function dropped(changes: Patch): ReadonlySet<string> {
  return new Set(changes.flatMap((one) => (one.op === 'drop-node' ? [one.id] : [])))
}

/** A line of ids and hashes, followed by the vectors, one after the other. */
function packed(all: readonly Counted[], dimensions: number): Uint8Array {
  const head = `${all.map(({ entity, input }) => `${entity} ${input}`).join(' ')}\n`
  const bytes = new Uint8Array(head.length + all.length * dimensions)
  for (let i = 0; i < head.length; i++) bytes[i] = head.charCodeAt(i) // ids are ASCII
  all.forEach(({ vector }, i) => {
    bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.length), head.length + i * dimensions)
  })
  return bytes
}

function countedFor(graph: GraphReader, chunk: string): readonly Counted[] {
  const bytes = graph.value(SPACE, chunk)
  if (!(bytes instanceof Uint8Array)) return []
  const end = bytes.indexOf(LINE)
  const words = String.fromCharCode(...bytes.subarray(0, end)).split(' ')
  return Array.from({ length: words.length / 2 }, (_, i) => {
    const from = end + 1 + i * graph.dimensions
    const vector = new Int8Array(bytes.slice(from, from + graph.dimensions).buffer)
    return { entity: words[2 * i] ?? '', input: words[2 * i + 1] ?? '', vector }
  })
}
