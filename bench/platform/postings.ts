/**
 * What the budget of the keyword index costs in answers and saves in reading, on real questions in the object's own SQLite (Node). The same corpus is asked with
 * ever smaller budgets: a small one on a small corpus binds as the usual one does on a large one. Prints; asserts nothing.
 *   npm run bench postings -- --data <folder> [--budgets 20000,4000,2000,1000,500,250]
 */
import { parseArgs } from 'node:util'
import { SqliteGraph } from '../../durable-objects/graph/sqlite-graph'
import { discriminativeTerms, lexical } from '../../src/core/channels/lexical'
import { integrate } from '../../src/core/graph/integrate'
import type { DocumentRecord } from '../../src/core/graph/types'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import { divide } from '../../src/core/text/divide'
import { distinct, terms } from '../../src/core/text/terms'
import { openSql } from '../lib/object'
import { dataFolder, merged } from '../quality/corpora'
import { recall } from '../quality/metrics/ranking'

const { values: flags } = parseArgs({
  options: { data: { type: 'string' }, budgets: { type: 'string', default: '20000,4000,2000,1000,500,250' } },
})
const UNBOUNDED = Number.MAX_SAFE_INTEGER
const TOP = 100 // passages a strategy asks the keyword channel for
const NO_VECTOR = new Int8Array(8)
const COMMIT = 50 // documents

const sql = openSql()
const whole = new SqliteGraph({ sql, dimensions: 8, postings: UNBOUNDED })
whole.migrate()
const { documents, questions } = merged(dataFolder(flags.data))
for (let at = 0; at < documents.length; at += COMMIT) {
  const upserts = documents.slice(at, at + COMMIT).map((doc) => {
    const { name, chunks, placed } = divide(doc, defaultSettings.chunking)
    const document: DocumentRecord = { id: doc.id, title: doc.title, name, url: null, metadata: {}, chunks: placed }
    return { document, chunks: chunks.map((chunk) => ({ chunk, vectors: { passages: chunk.passages.map(() => NO_VECTOR), units: [] } })) }
  })
  whole.apply(integrate(whole, { upserts, deletes: [] }).patch, whole.version + 1)
}
console.log(`${whole.count('passage')} passages, ${questions.length} questions, ${TOP} passages asked for`)

/** Documents in the order of their best passages. */
function ranking(graph: SqliteGraph, text: string): { readonly passages: readonly string[]; readonly documents: readonly string[] } {
  const query = { text, terms: distinct(terms(text)), near: {} }
  const passages = lexical(graph, query, TOP).map((hit) => hit.id)
  const named = (id: string): string => id.slice(id.indexOf(' ') + 1) // without the set it comes from
  const all = passages.flatMap((id) => graph.placements(graph.text(id)?.chunk ?? '').map((one) => named(one.document)))
  return { passages, documents: [...new Set(all)] }
}

const mean = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)
const expected = questions.map(({ text }) => ranking(whole, text))
const postings = questions.map(({ text }) => discriminativeTerms(whole, distinct(terms(text))).reduce((sum, one) => sum + one.frequency, 0))
const at = (share: number): number => [...postings].sort((a, b) => a - b)[Math.floor(share * (postings.length - 1))] ?? 0
console.log(`postings of a question: p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}`)
console.log('budget    questions it binds   recall@5   recall@10   first 10 kept   ms p50 / p95')
for (const budget of [UNBOUNDED, ...flags.budgets.split(',').map(Number)]) {
  const graph = new SqliteGraph({ sql, dimensions: 8, postings: budget })
  graph.migrate()
  const times: number[] = []
  const kept: number[] = []
  const [five, ten]: [number[], number[]] = [[], []]
  questions.forEach(({ text, gold }, i) => {
    const began = performance.now()
    const found = ranking(graph, text)
    times.push(performance.now() - began)
    const first = new Set(expected[i]?.passages.slice(0, 10))
    kept.push(found.passages.slice(0, 10).filter((id) => first.has(id)).length / Math.max(1, first.size))
    five.push(recall(found.documents, gold, 5))
    ten.push(recall(found.documents, gold, 10))
  })
  times.sort((a, b) => a - b)
  const ms = [0.5, 0.95].map((share) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1)).join(' / ')
  const binds = mean(postings.map((one) => Number(one > budget)))
  const cells = [binds, mean(five), mean(ten), mean(kept)].map((one) => `${(100 * one).toFixed(1)} %`)
  console.log(`${budget === UNBOUNDED ? 'none' : String(budget)}`.padEnd(10), cells.map((one) => one.padEnd(14)).join(' '), ms)
}
