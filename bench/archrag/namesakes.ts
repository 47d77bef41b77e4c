/**
 * Can contexts alone tell namesakes apart? Cosines of documents that have one name under different titles, beside those of passages about one
 * thing that a question leads between, and of paragraphs of one article; then the names the rules divide (builders/namesakes.ts).
 * `--data <folder>`
 */
import { links } from '../../src/core/builders/links'
import { mentions } from '../../src/core/builders/mentions'
import { bearersOf, borneBy } from '../../src/core/builders/namesakes'
import { SENSES, sensesOf } from '../../src/core/builders/sense-list'
import type { GraphReader } from '../../src/core/graph/reader'
import { senses } from '../../src/core/strategies/shared-builders'
import { bareTitle, nameKey } from '../../src/core/text/names'
import { cosine } from '../../src/core/vectors'
import { option, type Row, report, round } from '../erarag/world'
import { type Corpus, corpus, dataFolder, MULTIHOP } from '../quality/corpora'
import { indexed } from '../quality/memory'

const folder = dataFolder(option('data'))
const rows: Row[] = []
for (const name of MULTIHOP) {
  for (const titles of [true, false]) {
    const set = corpus(folder, name, titles)
    const { graph } = await indexed({ ...set, questions: [] }, 'use-lite', [mentions, links, senses])
    const divided = graph.values(SENSES, '', 1_000_000).filter(({ key }) => sensesOf(graph, key).length > 1)
    const pairs = sharing(graph, set)
    const kinds = titles
      ? ([
          ['other titles', pairs.filter((one) => one.titles[0] !== one.titles[1])],
          ['one title', pairs.filter((one) => one.titles[0] === one.titles[1])],
          ['led between', ledBetween(graph, set)],
        ] as const)
      : []
    for (const [kind, list] of kinds) rows.push({ set: name, pairs: kind, ...spread(list.map((one) => one.cosine)) })
    rows.push({ set: name, pairs: `names divided, titles ${titles ? 'yes' : 'no'}`, n: divided.length })
    for (const { key } of divided) console.log(graph.node(key)?.text, named(graph, key))
  }
}
report('archrag-namesakes', 'Cosines of contexts', rows)

interface Pair {
  readonly cosine: number
  readonly titles: readonly [string, string]
}

/** Pairs of documents that have one name. */
function sharing(graph: GraphReader, set: Corpus): Pair[] {
  const keys = new Set(set.passages.flatMap(({ id }) => graph.document(id) ?? []).map(borneBy))
  return [...keys].flatMap((key) => {
    const bearers = key === '' ? [] : bearersOf(graph, key)
    return bearers.flatMap((a, i) =>
      bearers.slice(i + 1).map((b): Pair => ({ cosine: cosine(a.context, b.context), titles: [a.document.name, b.document.name] })),
    )
  })
}

/** Passages one question needs, of which one says the other's name, and the name is nobody else's. */
function ledBetween(graph: GraphReader, set: Corpus): Pair[] {
  const count = new Map<string, number>()
  const keyOf = (id: string): string => nameKey(bareTitle(graph.document(id)?.title ?? ''))
  for (const { id } of set.passages) count.set(keyOf(id), (count.get(keyOf(id)) ?? 0) + 1)
  const texts = new Map(set.passages.map(({ id, text }) => [id, ` ${nameKey(text)} `]))
  return set.questions.flatMap(({ gold }) =>
    gold.flatMap((a) =>
      gold.flatMap((b): Pair[] => {
        const key = keyOf(a)
        if (a === b || count.get(key) !== 1 || !texts.get(b)?.includes(` ${key} `)) return []
        const [one, other] = [vectorOf(graph, a), vectorOf(graph, b)]
        return one && other ? [{ cosine: cosine(one, other), titles: ['', ''] }] : []
      }),
    ),
  )
}

function named(graph: GraphReader, name: string): string {
  const titles = sensesOf(graph, name).map((one) => one.documents.map((id) => graph.document(id)?.name).join(', '))
  return titles.join(' | ')
}

function vectorOf(graph: GraphReader, document: string) {
  return graph.vector(graph.document(document)?.chunks[0]?.chunk ?? '')
}

function spread(cosines: readonly number[]): Row {
  const order = [...cosines].sort((a, b) => a - b)
  const at = (share: number): number | string => (order.length > 0 ? round(order[Math.floor(share * (order.length - 1))] ?? 0, 2) : '')
  return { n: order.length, min: at(0), 'a tenth': at(0.1), half: at(0.5), 'nine tenths': at(0.9) }
}
