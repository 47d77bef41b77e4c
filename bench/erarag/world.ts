/** EraRAG's builder in memory, with real or made-up chunks, a scripted model and counters: what its benches share. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { integrate } from '../../src/core/graph/integrate'
import { MemoryGraph } from '../../src/core/graph/memory'
import type { Chunk, ChunkVectors, DocumentRecord, Vector } from '../../src/core/graph/types'
import { nodeId, passageId } from '../../src/core/ids'
import type { Random } from '../../src/core/random'
import type { Settings } from '../../src/core/settings'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { eraBuilder } from '../../src/core/strategies/erarag/erarag'
import type { EraSettings } from '../../src/core/strategies/erarag/settings'
import type { Reply, Task, Update } from '../../src/core/strategy'
import { divide } from '../../src/core/text/divide'
import { countTokens } from '../../src/core/text/tokens'
import { quantize } from '../../src/core/vectors'
import { STATIC_DIMENSIONS as DIMENSIONS, embedStatic as embedAll } from '../lib/encoders'
import type { Passage } from '../quality/corpora'

export interface Item {
  readonly document: DocumentRecord
  readonly chunks: readonly { readonly chunk: Chunk; readonly vectors: ChunkVectors }[]
}

export function settingsWith(era: Partial<EraSettings>, writer = false): Settings {
  return {
    ...defaultSettings,
    dimensions: DIMENSIONS,
    writer,
    models: writer ? 'scripted' : 'none',
    erarag: { ...defaultSettings.erarag, ...era },
  }
}

/** The official code's number of planes, and the paper's rules; its bounds, 8 to 12, have no partition of 13 to 15 nodes, so `max` is 15. */
export const PAPER: Partial<EraSettings> = {
  segmentation: 'split-merge',
  merge: 'hamming',
  regroup: 'summary',
  planes: 20,
  min: 8,
  max: 15,
}

/** Documents divided as the product does, and embedded. */
export async function itemsOf(
  passages: readonly Passage[],
  chunking = defaultSettings.chunking,
  embed: (texts: readonly string[]) => Promise<Vector[]> = embedAll,
): Promise<Item[]> {
  const divided = passages.map((one) => ({ one, ...divide({ title: one.title, text: one.text }, chunking) }))
  const texts = divided.flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.passages.map((span) => textOf(chunk, span))))
  const vectors = await embed(texts)
  let at = 0
  return divided.map(({ one, name, chunks, placed }) => ({
    document: { id: one.id, title: one.title, name, url: null, metadata: {}, chunks: placed },
    chunks: chunks.map((chunk) => {
      const own = vectors.slice(at, at + chunk.passages.length)
      at += own.length
      return { chunk, vectors: { passages: own, units: [] } }
    }),
  }))
}

function textOf(chunk: Chunk, span: { readonly start: number; readonly end: number }): string {
  return `${chunk.title ? `${chunk.title}\n` : ''}${chunk.text.slice(span.start, span.end)}`
}

/** A document of one chunk with this vector and a text that is its own. */
export function itemWith(id: string, vector: Vector): Item {
  const text = `Document ${id} says one thing. It does not say another.`
  const chunkId = nodeId('chunk', id, text)
  const passage = { id: passageId(chunkId, 0), start: 0, end: text.length, tokens: 14 }
  const chunk: Chunk = { id: chunkId, title: id, name: id, text, tokens: 14, own: 0, passages: [passage], units: [] }
  return {
    document: { id, title: id, name: id, url: null, metadata: {}, chunks: [{ chunk: chunkId, start: 0 }] },
    chunks: [{ chunk, vectors: { passages: [vector], units: [] } }],
  }
}

/** A vector at about `distance` times its length from a given one: what another document on the same matter would have. */
export function near(vector: Vector, distance: number, random: Random): Vector {
  const spread = (distance * Math.sqrt(vector.reduce((sum, one) => sum + one * one, 0))) / Math.sqrt(vector.length)
  return quantize(Array.from(vector, (one) => one + spread * random.normal()))
}

export interface Touched {
  /** Summaries written by layer, from layer 1. */
  readonly made: readonly number[]
  readonly changes: number
  readonly ms: number
  readonly update: Update
}

export interface World {
  readonly graph: MemoryGraph
  readonly settings: Settings
  readonly tasks: Map<string, Task>
  /** Summaries the model was asked for, equal questions once. */
  asked(): number
  /** Tokens of what it was asked, and of what it wrote. */
  tokens(): number
  add(items: readonly Item[]): Touched
  remove(items: readonly Item[]): Touched
  settle(embed?: (texts: readonly string[]) => Promise<Vector[]>): Promise<void>
  summaries(): number
}

export function world(settings: Settings): World {
  const graph = new MemoryGraph(DIMENSIONS)
  const tasks = new Map<string, Task>()
  const known = new Set<string>()
  let tokens = 0
  const take = (update: Update): void => {
    graph.apply(update.patch)
    for (const id of update.cancelled ?? []) tasks.delete(id)
    for (const task of update.tasks) tasks.set(task.node, task)
  }
  const change = (upserts: readonly Item[], deletes: readonly Item[]): Touched => {
    const { patch, delta } = integrate(graph, { upserts, deletes: deletes.map((one) => one.document.id) })
    graph.apply(patch)
    const start = performance.now()
    const update = eraBuilder.update(graph, { ...delta, replies: [] }, settings)
    const ms = performance.now() - start
    const made: number[] = []
    for (const one of update.patch) if (one.op === 'put-node') made[one.node.layer - 1] = (made[one.node.layer - 1] ?? 0) + 1
    take(update)
    return { made: Array.from(made, (one) => one ?? 0), changes: update.patch.length, ms, update }
  }
  const blank = async (texts: readonly string[]): Promise<Vector[]> => texts.map(() => new Int8Array(DIMENSIONS))
  return {
    graph,
    settings,
    tasks,
    asked: () => known.size,
    tokens: () => tokens,
    add: (items) => change(items, []),
    remove: (items) => change([], items),
    summaries: () => graph.count('summary'),
    async settle(embed = blank) {
      while (tasks.size > 0) {
        const open = [...tasks.values()]
        tasks.clear()
        const asked = open.flatMap((task) => {
          const brief = eraBuilder.brief?.(graph, task, settings)
          return brief?.kind === 'summarize' || brief?.kind === 'embed' ? [{ task, brief }] : []
        })
        const texts = asked.map(({ brief }) => (brief.kind === 'embed' ? (brief.texts[0] ?? '') : brief.fallback))
        const vectors = await embed(texts)
        const replies = asked.map(({ task: { node, input }, brief }, i): Reply => {
          const vector = vectors[i] ?? new Int8Array(DIMENSIONS)
          if (brief.kind === 'embed') return { node, input, kind: 'embed', vectors: [vector] }
          if (!known.has(input)) tokens += [...brief.texts, texts[i] ?? ''].reduce((sum, text) => sum + countTokens(text), 0)
          known.add(input)
          return { node, input, kind: 'summarize', text: texts[i] ?? '', vector, generator: 'extractive' }
        })
        take(eraBuilder.update(graph, { added: [], removed: [], documents: { added: [], removed: [] }, replies }, settings))
      }
    },
  }
}

export function mean(values: readonly number[]): number {
  return values.length > 0 ? values.reduce((sum, one) => sum + one, 0) / values.length : 0
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0
}

export type Row = { readonly [column: string]: string | number }

/** Prints a table and keeps it, as JSON and Markdown. */
export function report(name: string, title: string, rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const table = [line(columns), line(columns.map(() => '---')), ...rows.map((row) => line(columns.map((column) => row[column] ?? '')))]
  const text = `## ${title}\n\n${table.join('\n')}\n`
  const folder = join(process.cwd(), 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify({ title, rows }, null, 1)}\n`)
  writeFileSync(join(folder, `${name}.md`), text)
  process.stdout.write(`${text}\n`)
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits))
}

/** `--name value` of the command line. */
export function option(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}
