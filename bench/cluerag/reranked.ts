/**
 * Clue-RAG's own form (Algorithm 3: paths and passages by a reranker) beside ours. No package ships a cross-encoder's weights; in its place stands the late
 * interaction of all-MiniLM-L6-v2 (encoder/late.py), which reads question and text apart. Units are read once each: a path's score is that of its
 * units' pieces together. Recall@5.
 *   TEACHER_PYTHON=<python with encoder/README's packages> npm run bench cluerag/reranked -- --data <folder> [--titles yes|no] [--sets a,b] [--parts steps,depth,blended]
 */
import { hybrid } from '../../src/core/strategies/baselines/hybrid'
import { cluerag, clueragWith } from '../../src/core/strategies/cluerag/cluerag'
import { lateInteraction } from '../lib/encoders'
import { corpus } from '../quality/corpora'
import type { Rerank } from '../quality/reranker'
import { blended, rerankedHybrid } from '../variants/cluerag'
import { folder, measure, report, sets, table, titles, unitTexts, type Variant } from './world'

const HEAD = 12 // letters
const score = lateInteraction(process.env.TEACHER_PYTHON ?? 'python3')
const known = new Map<string, number>()
let pairs = 0

/** Units by their first letters: paths are units joined by spaces. */
const units = new Map<string, string[]>()
for (const set of sets) {
  for (const text of unitTexts(corpus(folder, set, titles))) {
    const head = text.slice(0, HEAD)
    units.set(head, [...(units.get(head) ?? []), text])
  }
}
for (const list of units.values()) list.sort((a, b) => b.length - a.length)

function partsOf(path: string): string[] {
  const parts: string[] = []
  for (let at = 0; at < path.length; ) {
    const unit = units
      .get(path.slice(at, at + HEAD))
      ?.find((one) => path.startsWith(one, at) && (at + one.length === path.length || path[at + one.length] === ' '))
    if (!unit) return [path]
    parts.push(unit)
    at += unit.length + 1
  }
  return parts
}

const rerank: Rerank = async (question, texts) => {
  const missing = [...new Set(texts)].filter((text) => !known.has(`${question}\n${text}`))
  pairs += missing.length
  const scores = missing.length > 0 ? await score(question, missing.map(partsOf)) : []
  for (const [i, text] of missing.entries()) known.set(`${question}\n${text}`, scores[i] ?? 0)
  return texts.map((text) => known.get(`${question}\n${text}`) ?? 0)
}

const late = { own: { scorer: 'reranker' }, rerank } as const
const OURS = 'names, terms'
const PAPER = 'vectors, late interaction: the paper’s form'
const paper = { strategy: cluerag, anchors: 'vectors', ...late } as const
const common: readonly Variant[] = [
  { name: 'hybrid', strategy: hybrid },
  { name: 'hybrid, its first 50 reranked', strategy: rerankedHybrid(50), rerank, against: 'hybrid' },
  { name: OURS, strategy: cluerag, anchors: 'names', against: 'hybrid' },
  { name: PAPER, ...paper, against: OURS },
  { name: `${PAPER}, against the reranker alone`, ...paper, against: 'hybrid, its first 50 reranked' },
]
const parts: Readonly<Record<string, readonly Variant[]>> = {
  steps: [
    { name: 'without K-A', ...paper, strategy: clueragWith({ anchoring: false }), against: PAPER, paper: '−2.3 F1, −2.2 Acc' },
    { name: 'without S-A', ...paper, strategy: clueragWith({ activation: false }), against: PAPER, paper: '−4.0 F1, −4.4 Acc' },
    { name: 'without Q-U', ...paper, strategy: clueragWith({ updating: false }), against: PAPER, paper: '−.7 F1, −.6 Acc' },
    { name: 'names, late interaction', strategy: cluerag, anchors: 'names', ...late, against: OURS },
  ],
  depth: [1, 2, 4].map((depth) => ({ name: `D ${depth}`, ...paper, own: { scorer: 'reranker', depth }, against: PAPER })),
  blended: [
    ...[0.25, 0.5, 0.75].map(
      (weight): Variant => ({ name: `names, blended ${weight}`, strategy: blended(weight), anchors: 'names', rerank, against: OURS }),
    ),
    { name: 'vectors, blended 0.5', strategy: blended(0.5), anchors: 'vectors', rerank, against: OURS },
  ],
}
const wanted = (process.argv[process.argv.indexOf('--parts') + 1] ?? '').split(',')
const variants = [
  ...common,
  ...Object.entries(parts).flatMap(([name, own]) => (process.argv.includes('--parts') && !wanted.includes(name) ? [] : own)),
]
report(
  `cluerag-reranked${titles ? '' : '-untitled'}`,
  table(`Reranked by late interaction, titles: ${titles ? 'yes' : 'no'}`, variants, await measure(variants, cluerag.builders)),
)
console.log(`${pairs} pairs of question and text read`)
process.exit() // the conversation would go on
