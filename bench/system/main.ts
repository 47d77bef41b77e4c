/**
 * `npm run bench`: what Loam costs and finds, measured through real local workerd. Writes JSON, a Markdown table and an SVG plot under
 * bench/results/. `--data <folder>` (or LOAM_DATA) names the shared evaluation sets; without it recall is left out.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { MULTIHOP } from '../quality/corpora'
import { growth, type Step } from './growth'
import { plot } from './plot'
import { type Recall, recall } from './recall'

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: process.env.LOAM_DATA ?? '' },
    sizes: { type: 'string', default: '125,1095' },
    strategies: { type: 'string', default: '' },
    asked: { type: 'string', default: 'keyword,vector,hybrid,auto' },
    sets: { type: 'string', default: MULTIHOP.join(',') },
    embeddings: { type: 'string', default: 'real' },
    only: { type: 'string', default: 'growth,recall' },
    texts: { type: 'string', default: 'speeches' }, // or 'sets': the evaluation sets, merged
    beside: { type: 'boolean', default: false },
  },
})
const list = (text: string): string[] => text.split(',').filter(Boolean)
const folder = 'bench/results'
mkdirSync(folder, { recursive: true })
const lines: string[] = []

if (values.only.includes('growth')) {
  const steps = await growth({
    sizes: list(values.sizes).map(Number),
    strategies: list(values.strategies),
    asked: list(values.asked),
    ...(values.texts === 'sets' ? { data: values.data } : {}),
    beside: values.beside,
  })
  writeFileSync(`${folder}/growth.json`, JSON.stringify(steps, null, 2))
  writeFileSync(`${folder}/growth.svg`, plot(steps))
  lines.push(...growthTable(steps))
}
if (values.only.includes('recall') && values.data) {
  const rows = await recall(values.data, list(values.sets), list(values.asked), [true], values.embeddings === 'hash' ? 'hash' : 'real')
  writeFileSync(`${folder}/recall.json`, JSON.stringify(rows, null, 2))
  lines.push('', ...recallTable(rows))
}
writeFileSync(`${folder}/system.md`, `${lines.join('\n')}\n`)
console.log(lines.join('\n'))

function growthTable(steps: readonly Step[]): string[] {
  const asked = Object.keys(steps[0]?.latency ?? {})
  return [
    `| passages | chunks | chunks/s | times without strategies | embedding apart | rows per chunk: object, D1 | single insert: rows, ms | ${asked.map((name) => `${name} p50/p95 ms`).join(' | ')} |`,
    `|---|---|---|---|---|---|---|${asked.map(() => '---').join('|')}|`,
    ...steps.map((step) => {
      const times = asked.map((name) => `${step.latency[name]?.p50.toFixed(1)} / ${step.latency[name]?.p95.toFixed(1)}`)
      const single = `${step.single.rows.toFixed(0)}, ${step.single.ms.toFixed(0)}`
      return `| ${step.passages} | ${step.chunks} | ${step.chunksPerSecond.toFixed(0)} | ${step.times?.toFixed(1) ?? '–'} | ${step.embeddingApart.toFixed(0)} | ${step.rowsPerChunk.toFixed(0)}, ${step.publishedPerChunk.toFixed(0)} | ${single} | ${times.join(' | ')} |`
    }),
  ]
}

function recallTable(rows: readonly Recall[]): string[] {
  return [
    '| set | strategy | recall@2 | recall@5 | recall@10 |',
    '|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.set} | ${row.strategy} | ${[2, 5, 10].map((k) => row.at[k]?.toFixed(1)).join(' | ')} |`),
  ]
}
