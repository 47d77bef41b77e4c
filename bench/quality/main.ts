/**
 * Retrieval quality of the strategies against the baselines, in memory, as production is configured: with the vectors of a model and a re-ranker, which
 * the corpus's probes trust or not. Where TEACHER_PYTHON (encoder/README.md) is there, MiniLM's vectors and its late interaction in place of a cross-encoder;
 * LOCAL_MODEL_URL and LOCAL_RERANKER_MODEL name a server with a cross-encoder. Without either, what comes with Loam: static vectors, no re-ranker.
 *   npm run bench quality -- --data <folder> [--sets a,b] [--titles yes,no] [--embedding static|use-lite|minilm|hash|noise|none|strong] [--reranker server|late|none] [--of systems | keyword,auto] [--out <folder>] [--keep]
 * Prints what it measured and writes JSON, a Markdown report and a plot; with --keep what the table of docs/measured.md is made from (record.ts, readme.ts).
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { rerankCalibrationOf } from '../../src/core/strategies/auto/rerank-weight'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { Builder } from '../../src/core/strategy'
import { contenders } from './contenders'
import { corpus, dataFolder, MULTIHOP } from './corpora'
import { measured as measure, summary } from './measure'
import { type Embedding, indexed } from './memory'
import { keepRecord, record } from './record'
import { markdown, type Result, svg } from './report'
import { rerankerNamed, usualReranker } from './reranker'
import { titleGraph } from './title-graph'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    sets: { type: 'string', default: MULTIHOP.join(',') },
    titles: { type: 'string', default: 'yes,no' },
    embedding: { type: 'string', default: process.env.TEACHER_PYTHON ? 'minilm' : 'static' },
    reranker: { type: 'string', default: usualReranker(process.env) },
    of: { type: 'string' },
    out: { type: 'string', default: join('bench', 'results') },
    keep: { type: 'boolean', default: false },
  },
})
const folder = dataFolder(values.data)
const asked = contenders(values.of)
const embedding = embeddingOf(values.embedding)
const reranker = rerankerNamed(values.reranker, process.env)
const settings = reranker ? { ...defaultSettings, reranker: values.reranker } : defaultSettings
const sentences = asked.some((one) => one.name.startsWith('cluerag embedding') || one.strategy.name === 'ketrag')
const builders = [...new Map(asked.flatMap((one) => one.strategy.builders).map((one) => [one.name, lean(one)])).values()]
const results: Result[] = []
mkdirSync(values.out, { recursive: true })
const name = `quality-${embedding}${reranker ? `-${values.reranker}` : ''}`
const weights: { set: string; titles: boolean; weight: number }[] = []
for (const titles of values.titles.split(',').map((one) => one === 'yes')) {
  for (const set of values.sets.split(',')) {
    const data = corpus(folder, set, titles)
    const index = await indexed(data, embedding, builders, settings, undefined, reranker)
    const measured = rerankCalibrationOf(index.graph)
    if (measured) {
      weights.push({ set, titles, weight: measured.weight })
      console.log(
        `${set}: the re-ranker's weight ${measured.weight}, worth ${measured.without.toFixed(3)} without, ${measured.with.toFixed(3)} with`,
      )
    }
    const graph = titleGraph(data.passages)
    for (const contender of asked) {
      const rows = await measure(data, index, contender, graph)
      results.push({ set, titles, contender: contender.name, rows })
      const { recall2, recall5, recall10, p50 } = summary(rows)
      const shown = [recall2, recall5, recall10].map((one) => one.toFixed(1)).join(' / ')
      writeResults()
      console.log(`${set.padEnd(20)} ${titles ? 'titles   ' : 'no titles'} ${contender.name.padEnd(24)} ${shown}  ${p50.toFixed(1)} ms`)
    }
  }
}
writeFileSync(join(values.out, `${name}.md`), markdown(results, asked, embedding))
writeFileSync(join(values.out, `${name}.svg`), svg(results, asked))
if (values.keep) keepRecord(record({ results, weights, embedding, reranker: values.reranker }))
console.log(`\n${markdown(results, asked, embedding)}`)
process.exit() // a conversation with Python would go on

/** After each, since a run takes long and may be ended. */
function writeResults(): void {
  const data = results.map(({ rows, ...one }) => ({ ...one, summary: summary(rows), rows }))
  writeFileSync(join(values.out, `${name}.json`), `${JSON.stringify({ weights, results: data }, null, 1)}\n`)
}

/** Sentences are embedded only where a contender walks by them or by keywords' means: it is most of the time a run takes. */
function lean(builder: Builder): Builder {
  return sentences || !builder.unitVectors ? builder : { ...builder, unitVectors: false }
}

function embeddingOf(name: string): Embedding {
  const known: readonly Embedding[] = ['static', 'use-lite', 'minilm', 'hash', 'noise', 'none', 'strong']
  const embedding = known.find((one) => one === name)
  if (!embedding) throw new Error(`no such embedding: ${name}`)
  return embedding
}
