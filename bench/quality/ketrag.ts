/**
 * KET-RAG measured as its paper does: is the answer's text in the context, at four sizes of context, beside what its skeleton would have cost. Built as
 * production builds it (arrivals read by each chunk's own lot, the rest by centrality). The text model is a script that replies what GPT-3.5
 * once extracted from the chunks chosen. Parts: the paper's baselines, θ, β, KET-RAG-P and -U, K, ℓ and τ, seeds and ranking, no model.
 *   npx tsx bench/quality/ketrag.ts --data <folder> [--titles no] [--only theta,beta,...] [--sizes 1024,4096] [--embedding static]
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { knowledgeOf } from '../../src/core/builders/knowledge-row'
import type { Settings } from '../../src/core/settings'
import { hybrid } from '../../src/core/strategies/baselines/hybrid'
import { keyword } from '../../src/core/strategies/baselines/keyword'
import { vector } from '../../src/core/strategies/baselines/vector'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { ketrag } from '../../src/core/strategies/ketrag/ketrag'
import type { Strategy } from '../../src/core/strategy'
import { sentences } from '../../src/core/text/sentences'
import { knngRag } from '../variants/ketrag'
import { type Corpus, corpus, dataFolder, type Passage } from './corpora'
import { type Asked, type Asking, type Embedding, type Index, indexed } from './memory'
import { normalise } from './metrics/answers'
import { Recorded, type RecordedModel } from './recorded-extraction'

const JOINED = 12 // passages of a document for ℓ and τ: some 1,300 tokens
const { values: flags } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string', default: 'musique_train100' },
    titles: { type: 'string', default: 'yes' },
    only: { type: 'string', default: 'baselines,undescribed,full,theta,seeds,beta,select,knn,none,cut,dropped' },
    sizes: { type: 'string', default: '512,1024,2048,4096' },
    json: { type: 'string' },
    embedding: { type: 'string', default: 'static' },
  },
})

const SIZES = flags.sizes.split(',').map(Number) // tokens of context

interface Built extends Index {
  readonly paid: RecordedModel['paid']
}

const folder = dataFolder(flags.data)
const set = corpus(folder, flags.set, flags.titles !== 'no')
const recorded = new Recorded(folder, flags.set)
const known = new Map<string, Promise<Built>>()

/** The paper's defaults: chunks the model has not read give nothing. Each index is built once. */
function index(ket: Partial<Settings['ketrag']> = {}, writer = true): Promise<Built> {
  const key = JSON.stringify([ket, writer])
  const made = known.get(key) ?? built(set, settingsFor(ket, writer), recorded.model())
  known.set(key, made)
  return made
}

function settingsFor(ket: Partial<Settings['ketrag']>, writer: boolean): Settings {
  const models = writer ? 'recorded' : 'none'
  return { ...defaultSettings, writer, models, ketrag: { ...defaultSettings.ketrag, rest: 'nothing', ...ket } }
}

async function built(of: Corpus, settings: Settings, { script, paid }: RecordedModel): Promise<Built> {
  return { ...(await indexed(of, flags.embedding as Embedding, ketrag.builders, settings, script)), paid }
}

interface Row {
  readonly name: string
  readonly coverage: readonly number[]
  readonly recall5: number
  readonly ms: number
  readonly paid: RecordedModel['paid']
}

const rows: Row[] = []

async function note(name: string, at: Built, strategy: Strategy = ketrag, own: Asking['own'] = {}): Promise<void> {
  const spans = set.questions.filter((one) => one.answers.some((answer) => !/^(yes|no)$/i.test(answer)))
  const coverage: number[] = []
  const times: number[] = []
  for (const budget of SIZES) {
    let covered = 0
    for (const question of spans) {
      const asked = await at.ask(strategy, question.text, { topK: 100, budget, own })
      covered += covers(asked, question.answers) ? 1 : 0
      times.push(asked.ms)
    }
    coverage.push((100 * covered) / spans.length)
  }
  let recall = 0
  for (const question of set.questions) {
    const asked = await at.ask(strategy, question.text, { topK: 20, budget: 4000, own })
    const first = asked.documents.slice(0, 5)
    recall += question.gold.filter((one) => first.includes(one)).length / question.gold.length
  }
  const row = { name, coverage, recall5: (100 * recall) / set.questions.length, ms: median(times), paid: at.paid }
  rows.push(row)
  print(row)
}

function covers(asked: Asked, answers: readonly string[]): boolean {
  const text = ` ${normalise(asked.evidence.map((one) => one.text).join(' \n '))} `
  return answers.some((answer) => text.includes(` ${normalise(answer)} `))
}

function median(list: readonly number[]): number {
  return [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0
}

function print({ name, coverage, recall5, ms, paid }: Row): void {
  const cells = coverage.map((one) => one.toFixed(0).padStart(3))
  const cost = `${paid.chunks} | ${(paid.in / 1000).toFixed(0)} / ${(paid.out / 1000).toFixed(0)} | ${paid.usd.toFixed(2)}`
  console.log(`| ${name.padEnd(34)} | ${cells.join(' | ')} | ${recall5.toFixed(1)} | ${cost} | ${ms.toFixed(1)} |`)
}

const FREE = { chunks: 0, in: 0, out: 0, usd: 0 }

/** Passages one after the other, as the paper cuts its corpus: documents long enough that ℓ and τ matter. */
function joined(): Corpus {
  const passages = Array.from({ length: Math.ceil(set.passages.length / JOINED) }, (_, i): Passage => {
    const own = set.passages.slice(i * JOINED, (i + 1) * JOINED)
    return { id: `joined${i}`, title: '', text: own.map((one) => `${one.title ? `${one.title}. ` : ''}${one.text}`).join('\n\n') }
  })
  return { ...set, passages }
}

/** Which records a chunk of joined passages has part in: those of its sentences. */
function recordsOf(): (chunk: string) => readonly string[] {
  const slices = (text: string): string[] => sentences(text).map((span) => text.slice(span.start, span.end).trim())
  const owners = new Map(set.passages.flatMap(({ text }) => slices(text).map((sentence) => [sentence, text] as const)))
  return (chunk) => [...new Set(slices(chunk).flatMap((sentence) => owners.get(sentence) ?? []))]
}

const parts: { readonly [name: string]: () => Promise<void> } = {
  async baselines() {
    const at = await index()
    const free = { ...at, paid: FREE }
    await note('Text-RAG (vector)', free, vector)
    await note('KNNG-RAG', free, knngRag())
    await note('keyword (BM25)', free, keyword)
    await note('hybrid', free, hybrid)
    await note('Keyword-RAG (theta 0)', free, ketrag, { theta: 0 })
    await note('Skeleton-RAG (theta 1)', at, ketrag, { theta: 1 })
    await note('KET-RAG-P', at)
    await note('default: unread chunks speak', await index({ rest: 'units' }))
  },
  async undescribed() {
    const at = await built(set, settingsFor({}, true), recorded.model(undefined, 'none'))
    for (const theta of [0.4, 1]) await note(`names and relations alone, theta ${theta}`, at, ketrag, { theta })
  },
  async full() {
    const at = await built(set, settingsFor({}, true), recorded.model(undefined, 'full'))
    for (const theta of [0.4, 1]) await note(`full descriptions and types, theta ${theta}`, at, ketrag, { theta })
  },
  async theta() {
    for (const theta of [0.2, 0.6, 0.8]) await note(`theta ${theta}`, await index(), ketrag, { theta })
  },
  async seeds() {
    const at = await index()
    for (const theta of [0.4, 1]) await note(`seeds nearest, theta ${theta}`, at, ketrag, { seeds: 'nearest', theta })
    await note('seeds nearest, rank cosine', at, ketrag, { seeds: 'nearest', rank: 'cosine' })
    await note('seeds nearest, rank cosine, theta 0', at, ketrag, { rank: 'cosine', theta: 0 })
  },
  async beta() {
    for (const share of [0.2, 0.4, 0.6, 1]) {
      for (const theta of [0.4, 1]) await note(`beta ${share}, theta ${theta}`, await index({ share }), ketrag, { theta })
    }
  },
  async select() {
    await note('KET-RAG-P, beta 0.5', await index({ share: 0.5 }))
    for (const share of [0.2, 0.5, 0.8]) await note(`KET-RAG-U, beta ${share}`, await index({ share, select: 'uniform' }))
  },
  async knn() {
    for (const knn of [4, 10]) await note(`K ${knn}, beta 0.5`, await index({ share: 0.5, knn }))
  },
  async none() {
    const at = await index({ rest: 'units' }, false)
    for (const theta of [0.4, 1]) await note(`no model, theta ${theta}`, at, ketrag, { theta })
  },
  async cut() {
    const of = joined()
    const model = (): RecordedModel => recorded.model(recordsOf())
    const forms = [
      ...[150, 300, 600, 1200].map((chunk) => ({ name: `l ${chunk}, parts of 150`, chunk, passage: 150 })),
      ...[300, 600, 1200].map((passage) => ({ name: `l 1200, tau ${Math.round(Math.log2(1200 / passage))}`, chunk: 1200, passage })),
    ]
    for (const { name, chunk, passage } of forms) {
      const chunking = { chunk, passage, overlap: Math.min(100, Math.floor(chunk / 12)) }
      await note(name, await built(of, { ...settingsFor({}, true), chunking }, model()))
    }
  },
  async dropped() {
    const { graph, paid } = await index({ share: 1 })
    const all = graph.page('chunk', '', 1e6).flatMap((id) => knowledgeOf(graph, id) ?? [])
    const sum = (of: (one: (typeof all)[number]) => number): number => all.reduce((total, one) => total + of(one), 0)
    const [relations, absent, room] = [
      sum((one) => one.relations.length),
      sum((one) => one.dropped?.absent ?? 0),
      sum((one) => one.dropped?.room ?? 0),
    ]
    const { triples, incomplete } = recorded
    const stated = triples - incomplete - relations - absent - room
    console.log(
      `${paid.chunks} chunks, ${triples} triples: ${relations} relations, ${stated} in descriptions; ${incomplete} incomplete, ${absent} absent, ${room} without room`,
    )
  },
}

console.log(`${set.name}, ${set.passages.length} passages, ${set.questions.length} questions, titles: ${flags.titles}, ${flags.embedding}`)
console.log(
  `| coverage at | ${SIZES.join(' | ')} | R@5 | chunks read | thousand tokens in / out | $ | ms |\n|---|---|---|---|---|---|---|---|---|---|`,
)
for (const name of flags.only.split(',')) await parts[name]?.()
if (flags.json) writeFileSync(flags.json, JSON.stringify({ set: set.name, titles: flags.titles, sizes: SIZES, rows }, null, 2))
