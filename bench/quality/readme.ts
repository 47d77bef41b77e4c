/** Writes the quality table of README and docs/measured.md, between their markers, from the last kept run (record.ts). `npm run bench quality/readme` */
import { readFileSync, writeFileSync } from 'node:fs'
import { type Interval, interval } from './metrics/ranking'
import { RECORD, type Record, type RecordRow } from './record'

const PAGES = ['README.md', 'docs/measured.md']
const BEGIN = '<!-- quality: rows made by `npm run bench quality/readme` -->'
const END = '<!-- quality ends -->'
const STAND_INS: { readonly [name: string]: string } = {
  minilm: 'the vectors of all-MiniLM-L6-v2 stand in for those of `bge-m3`',
  static: 'the encoder that comes with Loam stands in for `bge-m3`',
  late: 'the late interaction of all-MiniLM-L6-v2 stands in for the cross-encoder `bge-reranker-base`',
  server: 'a cross-encoder of a server',
  none: 'no re-ranker',
}

/** The sentence above the table, and the table. */
function qualityTable(record: Record): string {
  const { date, load, sets, embedding, reranker, rows, weights } = record
  const questions = sets.reduce((sum, one) => sum + one.questions, 0)
  const models = [embedding, reranker].map((name) => STAND_INS[name] ?? name).join('; ')
  const used = weights.map(({ set, titles, weight }) => `${set}${titles ? '' : ' without titles'} ${weight}`).join(', ')
  const said = `Run of ${date} (load ${load} on two cores), ${questions} questions on ${sets.map((one) => one.name).join(', ')}. **Stand-ins**: ${models}.${used ? ` The re-ranker's weight, as each corpus's own probes have it: ${used}.` : ''}`
  const names = [...new Set(rows.map((one) => one.contender))]
  const lines = names.map((name) => {
    const cells = [true, false].flatMap((titles) => cellsOf(rows.find((one) => one.contender === name && one.titles === titles)))
    return `| ${name === 'auto' ? '**`auto`**' : `\`${name}\``} | ${cells.join(' | ')} |`
  })
  const head = '| recall @2 / @5 | titles indexed | against `hybrid` at 5 | text alone | against `hybrid` at 5 |\n|---|---|---|---|---|'
  return `${said}\n\n${head}\n${lines.join('\n')}`
}

function cellsOf(row: RecordRow | undefined): readonly string[] {
  if (!row) return ['', '']
  return [`${row.recall2.toFixed(1)} / ${row.recall5.toFixed(1)}`, row.against ? `${interval(row.against)}${sure(row.against)}` : '']
}

function sure({ low, high }: Interval): string {
  return low > 0 || high < 0 ? '' : ', not shown'
}

const table = qualityTable(JSON.parse(readFileSync(RECORD, 'utf8')) as Record)
for (const path of PAGES) {
  const page = readFileSync(path, 'utf8')
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${path} lacks the markers ${BEGIN} and ${END}`)
  writeFileSync(path, `${page.slice(0, begin + BEGIN.length)}\n${table}\n${page.slice(end)}`)
}
console.log(table)
