/** Small corpora for ArchRAG's tests: one-chunk documents whose sentences name two or three entities of a theme, and a scripted model. Seeded. */

import { mentions } from '../../../src/core/builders/mentions'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { integrate } from '../../../src/core/graph/integrate'
import { memberEdges } from '../../../src/core/graph/members'
import { MemoryGraph } from '../../../src/core/graph/memory'
import type { Chunk, ChunkVectors, DocumentRecord, GraphNode, Patch, Vector } from '../../../src/core/graph/types'
import { fingerprint, nodeId, passageId, unitId } from '../../../src/core/ids'
import { type Random, random } from '../../../src/core/random'
import type { Settings } from '../../../src/core/settings'
import { archBuilder, archBuilderOf } from '../../../src/core/strategies/archrag/build'
import { parentOf } from '../../../src/core/strategies/archrag/clustering-state'
import { type ClusteringSteps, paperSteps } from '../../../src/core/strategies/archrag/clustering-steps'
import { communityOf } from '../../../src/core/strategies/archrag/community'
import { rowsIn } from '../../../src/core/strategies/archrag/rows'
import type { ArchSettings } from '../../../src/core/strategies/archrag/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import { knowledge } from '../../../src/core/strategies/shared-builders'
import type { Brief, Builder, Delta, Reply, Task, Update } from '../../../src/core/strategy'
import { countTokens } from '../../../src/core/text/tokens'
import { quantize } from '../../../src/core/vectors'

export const D = 24
const THEMES = 6
const NAMES = 30 // entities of a theme
const SPARSE_THEMES = 12

export interface Doc {
  readonly record: DocumentRecord
  readonly chunk: Chunk
  readonly vectors: ChunkVectors
}

export function settingsWith(arch: Partial<ArchSettings>, writer = false): Settings {
  return {
    ...defaultSettings,
    dimensions: D,
    writer,
    models: writer ? 'scripted' : 'none',
    archrag: { ...defaultSettings.archrag, ...arch },
  }
}

const FIRST = ['Bel', 'Cor', 'Dan', 'Fel', 'Gor', 'Hal', 'Jor', 'Kel', 'Lom', 'Mar']
const LAST = ['avon', 'brook', 'crest']

function nameOf(theme: number, at: number): string {
  return `${FIRST[at % 10]}${'abcdef'[theme]}${LAST[Math.floor(at / 10) % 3]}`
}

/** Three sentences each, of one theme, seldom with a name of another. */
export function docs(seed: string, count: number): Doc[] {
  const numbers = random(seed)
  const themes = Array.from({ length: THEMES }, (_, i) => normals(random(`theme ${i}`), 3))
  return Array.from({ length: count }, (_, i) => {
    const theme = numbers.below(THEMES)
    const centre = themes[theme] as number[]
    const sentences = [0, 1, 2].map((n) => {
      const other = numbers.next() < 0.05 ? numbers.below(THEMES) : theme
      return `In matter ${seed} ${i} ${n} there stood ${nameOf(theme, numbers.below(NAMES))} beside ${nameOf(other, numbers.below(NAMES))}.`
    })
    const vectors = sentences.map(() => quantize(normals(numbers, 1).map((x, d) => x + (centre[d] as number))))
    return doc(`${seed}-${i}`, sentences, vectors)
  })
}

/** Each brings four names of its own, and one that its theme shares, as documents do. */
export function sparse(count: number): Doc[] {
  const numbers = random('sparse')
  const themes = Array.from({ length: SPARSE_THEMES }, () => Array.from({ length: D }, () => 3 * numbers.normal()))
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ha', 'je', 'ki', 'lo', 'mu', 'na', 'pe']
  const word = (n: number): string =>
    `${(n < 1728 ? [1, 12, 144] : [1, 12, 144, 1728]).map((unit) => syllables[Math.floor(n / unit) % 12]).join('')}x`.replace(
      /^./,
      (letter) => letter.toUpperCase(),
    )
  return Array.from({ length: count }, (_, i) => {
    const theme = numbers.below(SPARSE_THEMES)
    const [a, b, c, d] = [0, 1, 2, 3].map((own) => word(4 * (SPARSE_THEMES + i) + own))
    const sentences = [
      `In matter ${i} there stood ${a} beside ${b}.`,
      `Then came ${b} and ${c}.`,
      `But ${d} met ${word(4 * theme + numbers.below(4))}.`,
    ]
    const middle = (themes[theme] ?? []).map((x) => x + 1.5 * numbers.normal())
    const near = (): Vector => quantize(middle.map((x) => x + 0.7 * numbers.normal()))
    return doc(`sparse-${i}`, sentences, sentences.map(near))
  })
}

export function doc(id: string, sentences: readonly string[], vectors: readonly Vector[]): Doc {
  const text = sentences.join(' ')
  const chunkId = nodeId('chunk', id, text)
  let at = 0
  const units = sentences.map((sentence, i) => {
    const start = at
    at += sentence.length + 1
    return { id: unitId(chunkId, i), start, end: start + sentence.length, passage: 0 }
  })
  const passages = [{ id: passageId(chunkId, 0), start: 0, end: text.length, tokens: countTokens(text) }]
  const chunk: Chunk = { id: chunkId, title: '', name: '', text, tokens: countTokens(text), own: 0, passages, units }
  const record: DocumentRecord = { id, title: '', name: '', url: null, metadata: {}, chunks: [{ chunk: chunkId, start: 0 }] }
  return { record, chunk, vectors: { passages: vectors.slice(0, 1), units: vectors } }
}

export interface World {
  readonly graph: MemoryGraph
  readonly settings: Settings
  readonly steps: ClusteringSteps
  readonly tasks: Map<string, Task>
  /** Nodes whose reports the model was asked for, in order; equal questions once. */
  readonly asked: string[]
  /** Folds in all that came, a piece at a time where the builder leaves something; `pieces: false` stops after the change itself. */
  change(arrivals: { readonly add?: readonly Doc[]; readonly remove?: readonly Doc[]; readonly pieces?: boolean }): Update
  /** Pieces until nothing is left, and how many; then what the builder does when no job is open. */
  catchUp(): number
  take(update: Update): Update
  settle(batch?: number): void
  hash(): string
}

const NOTHING = { added: [], removed: [], documents: { added: [], removed: [] } } as const
export const BUILDERS: readonly Builder[] = [mentions, knowledge, archBuilder]

export function world(settings: Settings, steps: ClusteringSteps = paperSteps): World {
  const builder = archBuilderOf(steps)
  const graph = new MemoryGraph(D)
  const tasks = new Map<string, Task>()
  const asked: string[] = []
  const known = new Map<string, Reply>()
  const take = (update: Update): Update => {
    graph.apply(update.patch)
    for (const id of update.cancelled ?? []) tasks.delete(id)
    for (const task of update.tasks) if (task.builder === 'archrag') tasks.set(task.node, task)
    return update
  }
  const run = (delta: Omit<Delta, 'replies'>): Update => {
    const changes: Patch[number][] = []
    let last: Update = { patch: [], tasks: [] }
    for (const one of [mentions, knowledge, builder]) {
      // Relations come from the sentences, also where a model writes the reports.
      const own = one === builder ? settings : { ...settings, writer: false }
      last = take(one.update(graph, { ...delta, replies: [], ...(one.follows ? { changes } : {}) }, own))
      changes.push(...last.patch)
    }
    return last
  }
  const catchUp = (): number => {
    for (let pieces = 0; ; pieces++) {
      if (!builder.hasBacklog?.(graph)) {
        for (let parts = 0; builder.isDue?.(graph, settings, false); parts++) {
          if (parts > 1000) throw new Error('does not follow')
          take(builder.consolidate?.(graph, settings) ?? { patch: [], tasks: [] })
        }
        return pieces
      }
      if (pieces > 10_000) throw new Error('does not catch up')
      const update = builder.processBacklog?.(graph, settings)
      if (update) take(update)
    }
  }
  return {
    graph,
    settings,
    steps,
    tasks,
    asked,
    take,
    catchUp,
    change({ add = [], remove = [], pieces = true }) {
      const upserts = add.map((one) => ({ document: one.record, chunks: [{ chunk: one.chunk, vectors: one.vectors }] }))
      const { patch, delta } = integrate(graph, { upserts, deletes: remove.map((one) => one.record.id) })
      graph.apply(patch)
      const update = run(delta)
      if (pieces) catchUp()
      return update
    },
    settle(batch = 1000) {
      for (let round = 0; tasks.size > 0; round++) {
        if (round > 10_000) throw new Error('does not settle')
        const replies = [...tasks.values()].slice(0, batch).flatMap((task): Reply[] => {
          tasks.delete(task.node)
          const brief = builder.brief?.(graph, task, settings)
          if (!brief) return []
          if (!known.has(task.input)) asked.push(task.node)
          const reply = replyTo(task, brief)
          known.set(task.input, reply)
          return [reply]
        })
        take(builder.update(graph, { ...NOTHING, replies, changes: [] }, settings))
      }
    },
    hash: () => stateHash(graph.lines()),
  }
}

/** A model that repeats its prompt, so that nothing it read can hide. */
function replyTo(task: Task, brief: Brief): Reply {
  if (brief.kind === 'summarize') {
    const text = `Merged: ${brief.texts.join(' ')}`
    return { node: task.node, input: task.input, kind: 'summarize', text, vector: vectorFor(text), generator: 'model' }
  }
  if (brief.kind !== 'report') throw new Error(`unexpected brief ${brief.kind}`)
  const summary = [...new Set(brief.texts.join(' ').match(/matter \S+ \d+/g) ?? [])].join(', ')
  const report = { title: 'Told', summary, rating: 5, findings: [] }
  return { node: task.node, input: task.input, kind: 'report', report, vector: vectorFor(summary), generator: 'model' }
}

export function vectorFor(text: string): Vector {
  return quantize(normals(random(fingerprint(text)), 1))
}

function normals(numbers: Random, scale: number): number[] {
  return Array.from({ length: D }, () => numbers.normal() * scale)
}

export function communitiesIn(graph: MemoryGraph): readonly GraphNode[] {
  return graph.page('community', '', 1_000_000).flatMap((id) => graph.node(id) ?? [])
}

/** Everything that must hold of communities and index after any update, as complaints. */
export function faults({ graph, settings }: World): string[] {
  const rows = rowsIn(graph)
  const communities = communitiesIn(graph)
  const top = Math.max(0, ...communities.map((one) => one.layer))
  const entities = graph.page('entity', '', 1_000_000)
  const out: string[] = []
  if (rows.ids(0).join() !== entities.join()) out.push('the lowest layer is not the entities')
  for (let layer = 1; layer <= top + 1; layer++) {
    const ids = communities.filter((one) => one.layer === layer).map((one) => one.id)
    if (rows.ids(layer).join() !== ids.join()) out.push(`the index of layer ${layer} is not its communities`)
  }
  for (const id of [...entities, ...communities.filter((one) => one.layer < top).map((one) => one.id)]) {
    const home = parentOf(graph, id)
    if (graph.edges('member', id).length !== 1 || home === undefined) out.push(`${id} has not one home`)
    else if (!communityOf(graph.node(home) as GraphNode).members.includes(id)) out.push(`${home} does not list ${id}`)
  }
  return [...out, ...communities.flatMap((node) => faultsOf(graph, node, settings))]
}

function faultsOf(graph: MemoryGraph, node: GraphNode, { archrag, writer }: Settings): string[] {
  const { members, leaves, from } = communityOf(node)
  const edges = memberEdges(graph, node.id).map((edge) => edge.source)
  const below = members.reduce((sum, id) => sum + (node.layer === 1 ? 1 : communityOf(graph.node(id) as GraphNode).leaves), 0)
  return [
    ...([...members].sort().join() === [...edges].sort().join() ? [] : [`${node.id} and its edges disagree`]),
    ...(members.length <= archrag.max ? [] : [`${node.id} has ${members.length} members`]),
    ...(leaves === below ? [] : [`${node.id} counts ${leaves} of ${below}`]),
    ...(from.every((chunk) => graph.chunk(chunk)) ? [] : [`${node.id} repeats a deleted text`]),
    ...(writer || archrag.writing === 'lazy' || (!node.stale && node.text !== '') ? [] : [`${node.id} is unwritten`]),
  ]
}
