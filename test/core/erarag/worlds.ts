/** Small corpora for EraRAG's tests: one-chunk documents with vectors around a few themes, and a scripted model. Seeded. */
import { stateHash } from '../../../src/core/graph/fingerprint'
import { integrate } from '../../../src/core/graph/integrate'
import { memberEdges, membersIn } from '../../../src/core/graph/members'
import { MemoryGraph } from '../../../src/core/graph/memory'
import type { Chunk, ChunkVectors, DocumentRecord, GraphNode, Vector } from '../../../src/core/graph/types'
import { fingerprint, nodeId, passageId, unitId } from '../../../src/core/ids'
import { type Random, random } from '../../../src/core/random'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { eraBuilder } from '../../../src/core/strategies/erarag/build'
import type { EraSettings } from '../../../src/core/strategies/erarag/settings'
import { sortedLayer } from '../../../src/core/strategies/erarag/tree'
import type { Brief, Reply, Task, Update } from '../../../src/core/strategy'
import { countTokens } from '../../../src/core/text/tokens'
import { quantize } from '../../../src/core/vectors'

export const D = 16
const THEMES = 5

export interface Doc {
  readonly record: DocumentRecord
  readonly chunk: Chunk
  readonly vectors: ChunkVectors
}

export function settingsWith(era: Partial<EraSettings>, writer = false): Settings {
  return { ...defaultSettings, dimensions: D, writer, models: writer ? 'scripted' : 'none', erarag: { ...defaultSettings.erarag, ...era } }
}

/** Vectors of one theme are alike; every fifth document has the vector of its theme itself, so that equal vectors occur. */
export function docs(seed: string, count: number): Doc[] {
  const numbers = random(seed)
  const themes = Array.from({ length: THEMES }, () => normals(numbers, 3))
  return Array.from({ length: count }, (_, i) => {
    const theme = themes[numbers.below(THEMES)] as number[]
    const noise = i % 5 === 0 ? theme.map(() => 0) : normals(numbers, 1)
    return doc(
      `${seed}-${i}`,
      `Fact ${seed} ${i} is about theme ${numbers.below(THEMES)}. It has a second sentence.`,
      quantize(theme.map((one, d) => one + (noise[d] as number))),
    )
  })
}

export function doc(id: string, text: string, vector: Vector | undefined): Doc {
  const cut = text.indexOf('. ') + 2
  const chunkId = nodeId('chunk', id, text)
  const chunk: Chunk = {
    id: chunkId,
    title: id,
    name: id,
    text,
    tokens: countTokens(text),
    own: 0,
    passages: [{ id: passageId(chunkId, 0), start: 0, end: text.length, tokens: countTokens(text) }],
    units: [
      { id: unitId(chunkId, 0), start: 0, end: cut, passage: 0 },
      { id: unitId(chunkId, 1), start: cut, end: text.length, passage: 0 },
    ],
  }
  const record: DocumentRecord = { id, title: id, name: id, url: null, metadata: {}, chunks: [{ chunk: chunkId, start: 0 }] }
  return { record, chunk, vectors: { passages: vector ? [vector] : [new Int8Array(D)], units: [] } }
}

export interface World {
  readonly graph: MemoryGraph
  readonly settings: Settings
  /** Open tasks by node. */
  readonly tasks: Map<string, Task>
  /** Inputs of summaries the model was asked for, in order, cached replies not counted again. */
  readonly asked: string[]
  change(arrivals: { readonly add?: readonly Doc[]; readonly remove?: readonly Doc[] }): Update
  /** Does open tasks, so many in a round, until none is left. */
  settle(batch?: number): void
  hash(): string
}

export function world(settings: Settings): World {
  const graph = new MemoryGraph(D)
  const tasks = new Map<string, Task>()
  const asked: string[] = []
  const known = new Set<string>()
  const take = (update: Update): Update => {
    graph.apply(update.patch)
    for (const id of update.cancelled ?? []) tasks.delete(id)
    for (const task of update.tasks) tasks.set(task.node, task)
    return update
  }
  return {
    graph,
    settings,
    tasks,
    asked,
    change({ add = [], remove = [] }) {
      const upserts = add.map((one) => ({ document: one.record, chunks: [{ chunk: one.chunk, vectors: one.vectors }] }))
      const { patch, delta } = integrate(graph, { upserts, deletes: remove.map((one) => one.record.id) })
      graph.apply(patch)
      return take(eraBuilder.update(graph, { ...delta, replies: [] }, settings))
    },
    settle(batch = 1000) {
      for (let round = 0; tasks.size > 0; round++) {
        if (round > 10_000) throw new Error('does not settle')
        const replies = [...tasks.values()].slice(0, batch).flatMap((task): Reply[] => {
          tasks.delete(task.node)
          const brief = eraBuilder.brief?.(graph, task, settings)
          if (!brief) return []
          if (brief.kind === 'summarize' && !known.has(task.input)) asked.push(task.input)
          known.add(task.input)
          return [replyTo(task, brief)]
        })
        take(eraBuilder.update(graph, { added: [], removed: [], documents: { added: [], removed: [] }, replies }, settings))
      }
    },
    hash: () => stateHash(graph.lines()),
  }
}

/** A model that says the same to the same: words of its material, shortened. */
function replyTo(task: Task, brief: Brief): Reply {
  const { node, input } = task
  if (brief.kind === 'embed') return { node, input, kind: 'embed', vectors: brief.texts.map(vectorFor) }
  if (brief.kind !== 'summarize') throw new Error(`unexpected brief ${brief.kind}`)
  const text = `About ${brief.texts.map((one) => one.match(/Fact \S+ \d+/)?.[0] ?? one.slice(0, 12)).join(', ')}`
  return { node, input, kind: 'summarize', text, vector: vectorFor(text), generator: 'model' }
}

function vectorFor(text: string): Vector {
  return quantize(normals(random(fingerprint(text)), 1))
}

function normals(numbers: Random, scale: number): number[] {
  return Array.from({ length: D }, () => numbers.normal() * scale)
}

export interface Layered {
  /** Node ids in key order, by layer. */
  readonly layers: readonly (readonly string[])[]
  readonly summaries: readonly GraphNode[]
}

export function treeIn(graph: MemoryGraph): Layered {
  const layers: string[][] = []
  for (let layer = 0; ; layer++) {
    const ids = sortedLayer(graph, layer)
      .up('', 1_000_000)
      .map((place) => place.id)
    if (ids.length === 0) break
    layers.push(ids)
  }
  const summaries = graph.page('summary', '', 1_000_000).flatMap((id) => graph.node(id) ?? [])
  return { layers, summaries }
}

/** Everything that must hold of a tree after any update, as complaints. */
export function faults(graph: MemoryGraph, settings: Settings): string[] {
  const { layers, summaries } = treeIn(graph)
  const chunks = graph.page('chunk', '', 1_000_000)
  const whole = [...(layers[0] ?? [])].sort().join() === [...chunks].sort().join()
  return [
    ...(whole ? [] : ['layer 0 does not hold every chunk once']),
    ...layers.flatMap((_, layer) => faultsOfLayer(graph, layers, layer, settings)),
    ...summaries.flatMap((node) => faultsOfSummary(graph, layers, node, settings)),
  ]
}

function faultsOfLayer(graph: MemoryGraph, layers: Layered['layers'], layer: number, { erarag }: Settings): string[] {
  const ids = layers[layer] ?? []
  const above = new Set(layers[layer + 1])
  const top = ids.length <= erarag.max || layer === erarag.layers
  const out = top === (layer === layers.length - 1) ? [] : [`layer ${layer} of ${ids.length} nodes ${top ? 'has' : 'lacks'} a layer above`]
  for (const id of ids) {
    const parents = graph.edges('member', id).map((edge) => edge.target)
    if (parents.length !== (top ? 0 : 1)) out.push(`${id} in layer ${layer} has ${parents.length} parents`)
    if (!parents.every((parent) => above.has(parent))) out.push(`${id} has a parent outside its tree`)
    if (!parents.every((parent) => membersIn(graph.node(parent) as GraphNode).includes(id))) out.push(`${id} is not listed by its parent`)
  }
  return out
}

function faultsOfSummary(graph: MemoryGraph, layers: Layered['layers'], node: GraphNode, { erarag }: Settings): string[] {
  const members = memberEdges(graph, node.id).length
  return [
    ...(layers[node.layer]?.includes(node.id) ? [] : [`${node.id} stands in no layer`]),
    ...(members === membersIn(node).length ? [] : [`${node.id} lists ${membersIn(node).length} members and has ${members}`]),
    ...(members >= erarag.min && members <= erarag.max ? [] : [`${node.id} has ${members} members`]),
  ]
}
