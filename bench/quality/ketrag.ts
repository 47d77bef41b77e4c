/**
 * KET-RAG measured as its paper does: is the answer's text in the context, at four sizes of context, for θ from 0 to 1, β from 0 to 1, and the
 * choice of chunks. The skeleton's model is a script that replies what a real model once extracted from those chunks. Beside it Text-RAG
 * with the same embeddings, and the keyword and hybrid baselines.
 *   npx tsx bench/quality/ketrag.ts --data <folder> [--titles no] [--only theta,beta,...] [--rank cosine|fused]
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Settings } from '../../src/core/settings'
import { hybrid } from '../../src/core/strategies/baselines/hybrid'
import { keyword } from '../../src/core/strategies/baselines/keyword'
import { vector } from '../../src/core/strategies/baselines/vector'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { ketrag } from '../../src/core/strategies/ketrag/ketrag'
import type { Brief, Extraction, Reply, Strategy, Task } from '../../src/core/strategy'
import { nameKey } from '../../src/core/text/names'
import { type Corpus, corpus, dataFolder } from './corpora'
import { type Asked, type Asking, type Index, indexed } from './memory'
import { normalise } from './metrics/answers'

const SIZES = [512, 1024, 2048, 4096] // tokens of context
const { values: flags } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string', default: 'musique_train100' },
    titles: { type: 'string', default: 'yes' },
    only: { type: 'string', default: 'baselines,theta,units,rest,beta,select' },
    rank: { type: 'string' },
    json: { type: 'string' },
    embedding: { type: 'string', default: 'use-lite' },
  },
})

type Recorded = ReadonlyMap<string, Extraction>

/** What a model found in each passage, by its words. */
function recorded(folder: string, set: string): Recorded {
  const path = join(folder, 'multihop', `${set}.openie-gpt3.5.json`)
  if (!existsSync(path)) return new Map()
  const file = JSON.parse(readFileSync(path, 'utf8').replace(/: NaN/g, ': null')) as {
    docs: readonly { text: string; extracted_entities: string[]; extracted_triples: string[][] }[]
  }
  return new Map(file.docs.map((one) => [nameKey(one.text), extraction(one.extracted_entities, one.extracted_triples)]))
}

function extraction(entities: readonly string[], triples: readonly (readonly string[])[]): Extraction {
  const relations = triples.flatMap(([source, verb, target]) =>
    source && verb && target ? [{ source, target, description: `${source} ${verb} ${target}`, strength: 5 }] : [],
  )
  const names = [...new Set([...entities, ...relations.flatMap((one) => [one.source, one.target])])]
  return { units: [], entities: names.map((name) => ({ name, type: '', description: '' })), relations }
}

const NONE: Extraction = { units: [], entities: [], relations: [] }

function replyTo(task: Task, brief: Brief, said: Recorded): Reply {
  const text = brief.kind === 'extract' ? nameKey(brief.text) : ''
  return { node: task.node, input: task.input, kind: 'extract', extraction: said.get(text) ?? NONE }
}

/** The corpus with the skeleton of the chunks that were chosen. */
async function built(set: Corpus, settings: Settings, said: Recorded): Promise<Index & { readonly read: number }> {
  const index = await indexed(set, flags.embedding as 'use-lite', ketrag.builders, settings)
  let read = 0
  for (const builder of ketrag.builders) {
    const update = builder.consolidate?.(index.graph, settings)
    if (!update) continue
    index.graph.apply(update.patch)
    const replies = update.tasks.flatMap((task) => {
      const brief = builder.brief?.(index.graph, task, settings)
      return brief ? [replyTo(task, brief, said)] : []
    })
    read += replies.length
    const delta = { added: [], removed: [], documents: { added: [], removed: [] }, replies }
    index.graph.apply(builder.update(index.graph, delta, settings).patch)
  }
  return { ...index, read }
}

interface Row {
  readonly name: string
  readonly coverage: readonly number[]
  readonly recall5: number
  readonly tokens: readonly number[]
  readonly ms: number
}

async function measured(name: string, set: Corpus, index: Index, strategy: Strategy, own: Asking['own'] = {}): Promise<Row> {
  const spans = set.questions.filter((one) => one.answers.some((answer) => !/^(yes|no)$/i.test(answer)))
  const coverage: number[] = []
  const tokens: number[] = []
  const times: number[] = []
  for (const budget of SIZES) {
    let covered = 0
    let used = 0
    for (const question of spans) {
      const asked = await index.ask(strategy, question.text, { topK: 100, budget, own })
      covered += covers(asked, question.answers) ? 1 : 0
      used += asked.evidence.reduce((sum, one) => sum + one.tokens, 0)
      times.push(asked.ms)
    }
    coverage.push((100 * covered) / spans.length)
    tokens.push(used / spans.length)
  }
  let recall = 0
  for (const question of set.questions) {
    const asked = await index.ask(strategy, question.text, { topK: 20, budget: 4000, own })
    const first = asked.documents.slice(0, 5)
    recall += question.gold.filter((one) => first.includes(one)).length / question.gold.length
  }
  const row = { name, coverage, recall5: (100 * recall) / set.questions.length, tokens, ms: median(times) }
  print(row)
  return row
}

function covers(asked: Asked, answers: readonly string[]): boolean {
  const text = ` ${normalise(asked.evidence.map((one) => one.text).join(' \n '))} `
  return answers.some((answer) => text.includes(` ${normalise(answer)} `))
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
}

function print({ name, coverage, recall5, tokens, ms }: Row): void {
  const cells = coverage.map((one, i) => `${one.toFixed(1).padStart(5)} (${Math.round(tokens[i] ?? 0)})`)
  console.log(`| ${name.padEnd(34)} | ${cells.join(' | ')} | ${recall5.toFixed(1)} | ${ms.toFixed(1)} |`)
}

const folder = dataFolder(flags.data)
const set = corpus(folder, flags.set, flags.titles !== 'no')
const said = recorded(folder, flags.set)
const own: NonNullable<Asking['own']> = flags.rank ? { rank: flags.rank } : {}
const rows: Row[] = []

async function note(name: string, index: Index, strategy: Strategy = ketrag, more: Asking['own'] = {}): Promise<void> {
  rows.push(await measured(name, set, index, strategy, { ...own, ...more }))
}

/** The paper's: chunks the recorded model has not read give nothing. */
function variant(ket: Partial<Settings['ketrag']>, writer = true): Settings {
  return {
    ...defaultSettings,
    writer,
    models: writer ? 'recorded' : 'none',
    ketrag: { ...defaultSettings.ketrag, rest: 'nothing', ...ket },
  }
}

const parts: { readonly [name: string]: () => Promise<void> } = {
  async baselines() {
    const index = await built(set, variant({}), said)
    await note('Text-RAG (vector)', index, vector)
    await note('keyword (BM25)', index, keyword)
    await note('hybrid', index, hybrid)
  },
  async theta() {
    const index = await built(set, variant({}), said)
    for (const theta of [0, 0.2, 0.4, 0.6, 0.8, 1])
      await note(`theta ${theta}, beta ${defaultSettings.ketrag.share}`, index, ketrag, { theta })
  },
  async units() {
    const index = await built(set, variant({}, false), said)
    for (const theta of [0.4, 1]) await note(`no model, theta ${theta}`, index, ketrag, { theta })
  },
  async rest() {
    for (const rest of ['units', 'nothing'] as const) {
      const index = await built(set, variant({ rest }), said)
      for (const theta of [0.4, 1]) await note(`unread chunks give ${rest}, theta ${theta}`, index, ketrag, { theta })
    }
  },
  async beta() {
    for (const share of [0, 0.2, 0.4, 0.6, 0.8, 1]) {
      const index = await built(set, variant({ share }), said)
      for (const theta of [0.4, 1]) await note(`beta ${share} (${index.read} read), theta ${theta}`, index, ketrag, { theta })
    }
  },
  async select() {
    for (const share of [0.2, 0.5, 0.8]) {
      for (const select of ['pagerank', 'uniform'] as const) {
        const index = await built(set, variant({ share, select }), said)
        for (const theta of [0.4, 1]) await note(`${select}, beta ${share}, theta ${theta}`, index, ketrag, { theta })
      }
    }
  },
}

console.log(`${set.name}, ${set.passages.length} passages, ${set.questions.length} questions, titles: ${flags.titles}, ${flags.embedding}`)
console.log(`| coverage at (tokens used) | ${SIZES.join(' | ')} | R@5 | ms |\n|---|---|---|---|---|---|---|`)
for (const name of flags.only.split(',')) await parts[name]?.()
if (flags.json) writeFileSync(flags.json, JSON.stringify({ set: set.name, titles: flags.titles, sizes: SIZES, rows }, null, 2))
