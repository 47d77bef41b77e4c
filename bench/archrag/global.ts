/**
 * Questions about everything: ArchRAG with its filter by a model and without, beside EraRAG's summarised search and a global search that reads every report
 * (GraphRAG's, without the prompt that joins what is drawn from them), over the same news. Which layers the evidence comes from, how many reports or summaries are shown and cited, and the tokens spent. There is no text model here: a reader that quotes the best sentences
 * stands in, so tokens read are those of the real prompts and tokens written those of a terse model. `--data <folder> [--passages 209]`
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { QueryResult } from '../../src/contract/questions'
import { links } from '../../src/core/builders/links'
import { mentions } from '../../src/core/builders/mentions'
import { present } from '../../src/core/evidence'
import type { Hit, Json, Vector } from '../../src/core/graph/types'
import { eraBuilder } from '../../src/core/strategies/erarag/erarag'
import { strategies } from '../../src/core/strategies/registry'
import { knowledge } from '../../src/core/strategies/shared-builders'
import { sentences } from '../../src/core/text/sentences'
import { distinct, terms } from '../../src/core/text/terms'
import { countTokens } from '../../src/core/text/tokens'
import { cosine } from '../../src/core/vectors'
import { query } from '../../src/flows/ask'
import type { AskDeps } from '../../src/flows/ask-types'
import { pointPrompt, pointSchema } from '../../src/flows/points'
import type { CorpusConfig } from '../../src/ports/corpus'
import type { Message, Models } from '../../src/ports/models'
import type { CorpusObject } from '../../src/ports/object'
import type { RetrieveRequest, RetrieveResult } from '../../src/ports/retrieval'
import { mean, option, type Row, report, round } from '../erarag/world'
import { DIMENSIONS, embedAll } from '../lib/embeddings'
import { dataFolder, type Passage } from '../quality/corpora'
import { indexed } from '../quality/memory'
import { archSettings, coarse } from './world'

const QUESTIONS = [
  'Which quarrels between technology companies and those who depend on their platforms keep coming back?',
  'How are governments trying to regulate artificial intelligence and online services, and what do critics fear?',
  'What do the reports say about the pressures on football managers and what follows from bad results?',
  'How do streaming and game platforms change what their creators earn and risk?',
  'Which themes run through the coverage of the war between Israel and Hamas besides the fighting itself?',
  'What moves share prices, interest rates and housing according to these reports?',
  'How do sports leagues and stars turn fame into money?',
  'What are the common worries about health risks that people meet in daily life?',
  'How do sellers steer shoppers during the big sale seasons?',
  'What hopes and fears do robots and automation raise about work?',
  'Which failures of leadership led to somebody being dismissed, and how did organisations explain it?',
  'How do faith and belief appear in public life in these texts?',
  'What do the texts say about the future of social networks after the large ones?',
  'How is music sold and performed differently from before?',
  'What separates teams that rise from teams that fall during the season?',
  'Which roles do courts and investigations play in the affairs of rich and famous people?',
  'What do the texts have in common about protecting children and teenagers online?',
  'How do small companies find money, and what do investors expect of them?',
  'What is said about climate, energy and the planet, and who is asked to act?',
  'How do fans and audiences influence what is made for them?',
] as const
const READ_AT_ONCE = 4000 // tokens of reports in a prompt of the global search: what the official code packs
const EVERY_REPORT = 'every report'
const ARCH = { strategy: 'archrag', options: {} as { [key: string]: Json } }
const WAYS = [
  ['archrag', ARCH],
  ['relevance only', { ...ARCH, options: { filter: 'relevance' } }],
  ['erarag summarised', { strategy: 'erarag', options: { mode: 'summarised' } }],
] as const

const folder = join(dataFolder(option('data')), 'insertion')
const passages = readdirSync(folder)
  .filter((name) => name.startsWith('news_'))
  .sort()
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  .map((line, i): Passage => {
    const { title, context } = JSON.parse(line) as { title: string; context: string }
    return { id: `news-${i}`, title, text: context }
  })
  .slice(0, Number(option('passages') ?? 1000))
const texts = new Map(passages.map((one) => [one.id, one.text]))
const start = performance.now()
const settings = archSettings({})
const builders = [mentions, links, knowledge, coarse, eraBuilder]
const index = await indexed({ name: 'news', passages, questions: [] }, 'use-lite', builders, settings)
const { graph } = index
const layersOf = (kind: 'community' | 'summary') => [1, 2, 3, 4, 5].map((layer) => graph.count(kind, layer)).filter((count) => count > 0)
console.log(`communities ${layersOf('community')}, summaries ${layersOf('summary')}, ${Math.round(performance.now() - start)} ms`)

const known = (ids: readonly string[]): { id: string; own: Vector }[] =>
  ids.flatMap((id) => {
    const own = graph.vector(id)
    return own ? [{ id, own }] : []
  })
const everything = {
  passage: known(graph.page('chunk', '', 1_000_000).flatMap((id) => graph.chunk(id)?.passages.map((one) => one.id) ?? [])),
  summary: known(graph.page('summary', '', 1_000_000)),
}
const nearest = (vector: Vector, kind: 'passage' | 'summary', k: number): Hit[] =>
  everything[kind]
    .map(({ id, own }) => ({ id, score: cosine(vector, own) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, k)

async function retrieve(request: RetrieveRequest): Promise<RetrieveResult> {
  const strategy = strategies.get(request.strategy)
  if (!strategy) return { kind: 'strategy_not_enabled' }
  const { vector, text, topK, budget, trace, options } = request
  const kinds = strategy.entries.flatMap(({ kind, k }) => (kind === 'passage' || kind === 'summary' ? [{ kind, k }] : []))
  const near = vector ? Object.fromEntries(kinds.map(({ kind, k }) => [kind, nearest(vector, kind, k)])) : {}
  const asked = { text, terms: distinct(terms(text)), near, ...(vector ? { vector } : {}) }
  const out = strategy.retrieve(graph, asked, new Map(), { topK, budget, trace, own: options }, settings)
  if (out.kind === 'wanted') throw new Error('no reranker here')
  return {
    kind: 'evidence',
    evidence: present(graph, out.found, { topK, budget }),
    version: 1,
    frequencies: [],
    passages: 0,
    ...(out.trace ? { trace: out.trace } : {}),
  }
}

/** As much of the object as a question needs. */
const corpus = {
  retrieve,
  verify: async (quotes: Parameters<CorpusObject['verify']>[0]) =>
    quotes.map(({ document, start: from, end, quote }) => texts.get(document)?.slice(from, end) === quote),
  charge: async () => true,
  affordable: async () => true,
  remainingBudget: async () => ({ tokens: null, usd: null }),
} as unknown as CorpusObject

/** Quotes the sentences that share most with the question. */
function quoted(messages: readonly Message[], schema: unknown): string {
  const content = messages.at(-1)?.content ?? ''
  const asked = new Set(terms(content.slice(0, content.indexOf('\n'))))
  const block = content.split(/<\/?data \S+>/)[1] ?? ''
  const said = block.split(/^(?=\[\d)/m).flatMap((entry) => {
    const marks = [...(/^(\[\d+\])+/.exec(entry)?.[0] ?? '').matchAll(/\d+/g)].map((one) => Number(one[0]))
    if (marks.length === 0) return []
    const text = entry.replace(/^(\[\d+\])+ (\(\d+\) )?/, '')
    const worth = (sentence: string): number => new Set(terms(sentence).filter((term) => asked.has(term))).size / Math.max(1, asked.size)
    const best = sentences(text)
      .map((span) => text.slice(span.start, span.end).trim())
      .map((sentence) => ({ sentence, score: worth(sentence) }))
      .sort((a, b) => b.score - a.score)[0]
    return best ? [{ marks, ...best }] : []
  })
  const order = said.sort((a, b) => b.score - a.score)
  if (!schema)
    return order
      .slice(0, 6)
      .map(({ sentence, marks }) => `${sentence.replace(/[.!?]*$/, '')} ${marks.map((one) => `[${one}]`).join('')}.`)
      .join(' ')
  const points = order.filter((one) => one.score > 0).slice(0, 8)
  return JSON.stringify({
    points: points.map(({ sentence, marks, score }) => ({ text: sentence, sources: marks, score: Math.ceil(100 * score) })),
  })
}

const models: Models = {
  embedding: { id: 'use-lite', dimensions: DIMENSIONS, window: 512 },
  text: { id: 'quoting', window: 8000 },
  reranker: null,
  embed: async (list) => ({ vectors: (await embedAll(list)).map((one) => Array.from(one)), spent: { in: 0, out: 0, embedded: 0 } }),
  rerank: () => Promise.reject(new Error('no reranker here')),
  write: async (messages, { schema }) => {
    const text = quoted(messages, schema)
    const read = messages.reduce((sum, one) => sum + countTokens(one.content), 0)
    return { text, spent: { in: read, out: countTokens(text), embedded: 0 } }
  },
  stream: () => Promise.reject(new Error('not streamed here')),
}
const config: CorpusConfig = { uid: 'news', name: 'news', strategies: ['archrag', 'erarag'], settings, budget: {} }
const deps: AskDeps = {
  corpus,
  models,
  config,
  index: { query: async () => [] } as unknown as AskDeps['index'],
  now: () => performance.now(),
  later: () => undefined,
}

function told(result: QueryResult): Row {
  const high = result.evidence.filter((one) => one.kind === 'community' || one.kind === 'summary')
  const cited = new Set(result.citations.flatMap(({ marker }) => result.evidence[marker - 1] ?? []).filter((one) => high.includes(one)))
  return {
    layers: [...new Set(result.evidence.map((one) => (one.document === null ? one.layer : 0)))].sort().join(' '),
    'reports shown': high.length,
    'reports cited': cited.size,
    documents: new Set(result.evidence.flatMap((one) => one.document ?? [])).size,
    'tokens in': result.usage.in,
    'tokens out': result.usage.out,
    calls: result.usage.calls - 1, // without the question's embedding
    grounded: result.grounded ? 1 : 0,
  }
}

/** Prompts of so many reports as fit, until all of every layer are read. */
function everyReport(question: string): Row {
  const packs: string[][] = [[]]
  let tokens = 0
  for (const id of graph.page('community', '', 1_000_000)) {
    const text = graph.node(id)?.text ?? ''
    const size = countTokens(text)
    if (tokens + size > READ_AT_ONCE) packs.push([])
    tokens = tokens + size > READ_AT_ONCE ? size : tokens + size
    packs.at(-1)?.push(`[${(packs.at(-1)?.length ?? 0) + 1}] ${text}`)
  }
  const prompts = packs.map((pack) => pointPrompt(question, 1, pack, READ_AT_ONCE, ''))
  const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0)
  return {
    'tokens in': sum(prompts.flatMap((messages) => messages.map((one) => countTokens(one.content)))),
    'tokens out': sum(prompts.map((messages) => countTokens(quoted(messages, pointSchema)))),
    calls: prompts.length,
  }
}

const rows: Row[] = []
for (const [i, question] of QUESTIONS.entries()) {
  for (const [way, { strategy, options }] of WAYS) {
    const outcome = await query(deps, { query: question, strategy, options, topK: 10, trace: true })
    if (outcome.kind !== 'answered') throw new Error(outcome.code)
    rows.push({ question: i + 1, way, ...told(outcome.result) })
    console.log(JSON.stringify(rows.at(-1)))
  }
  rows.push({ question: i + 1, way: EVERY_REPORT, ...everyReport(question) })
}
const summary = [...WAYS.map(([way]) => way), EVERY_REPORT].map((way): Row => {
  const own = rows.filter((row) => row.way === way)
  const average = (key: string): number => round(mean(own.map((row) => Number(row[key]))), 1)
  const layers = own.flatMap((row) => (row.layers === undefined ? [] : String(row.layers).split(' ')))
  const used = [...new Set(layers)].sort().map((layer) => `${layer}: ${layers.filter((one) => one === layer).length}`)
  const keys = ['reports shown', 'reports cited', 'documents', 'tokens in', 'tokens out', 'calls', 'grounded'].filter((key) =>
    own.some((row) => row[key] !== undefined),
  )
  return { way, 'questions that use a layer': used.join(', '), ...Object.fromEntries(keys.map((key) => [key, average(key)])) }
})
report('archrag-global', `${QUESTIONS.length} questions about ${passages.length} news articles`, [...summary, ...rows])
