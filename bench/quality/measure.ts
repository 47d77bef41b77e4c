/** One corpus, one contender, every question: what was found, what it cost in tokens and milliseconds, and what an answer could be made of it. */
import type { Evidence } from '../../src/core/evidence'
import { sentences } from '../../src/core/text/sentences'
import { terms } from '../../src/core/text/terms'
import { type Contender, TITLE_GRAPH } from './contenders'
import type { Corpus, Question } from './corpora'
import type { Index } from './memory'
import { accuracy, exactMatch, f1, tokenRecall } from './metrics/answers'
import { mean, ndcg, recall } from './metrics/ranking'
import type { TitleGraph } from './title-graph'

export const BUDGETS = [512, 1024, 2048, 4096] as const
const TOP = 20 // documents ranked for a question

export interface Row {
  readonly question: string
  readonly recall2: number
  readonly recall5: number
  readonly recall10: number
  /** Recall at 5 where a summary or report takes a rank, too. */
  readonly ranked5: number
  readonly ndcg10: number
  /** Share of the gold per 1,000 tokens of the evidence up to the fifth document. */
  readonly density: number
  /** Per budget: is an answer, a span, in the text that fits? Undefined for yes/no questions and those without answer. */
  readonly covered: readonly (boolean | undefined)[]
  readonly em: number
  readonly f1: number
  readonly tokenRecall: number
  readonly accuracy: number
  readonly tokens: number
  readonly ms: number
}

export async function measured(corpus: Corpus, index: Index, contender: Contender, titles: TitleGraph): Promise<Row[]> {
  const rows: Row[] = []
  for (const question of corpus.questions) {
    const asked = await index.ask(contender.strategy, question.text, { topK: TOP * 5, own: contender.own })
    const evidence = contender.name === TITLE_GRAPH ? byTitles(asked.evidence, titles, question.text, index) : asked.evidence
    rows.push(rowOf(question, evidence, asked.ms))
  }
  return rows
}

export function rowOf(question: Question, evidence: readonly Evidence[], ms: number): Row {
  const documents = [...new Set(evidence.flatMap((one) => one.document ?? []))]
  const fifth = new Set(documents.slice(0, 5))
  const shown = evidence.filter((one) => one.document === null || fifth.has(one.document))
  const tokens = shown.reduce((sum, one) => sum + one.tokens, 0)
  const said = bestSentence(question.text, shown)
  const spans = question.answers.filter((answer) => !/^(yes|no)$/i.test(answer))
  return {
    question: question.id,
    recall2: recall(documents, question.gold, 2),
    recall5: recall(documents, question.gold, 5),
    recall10: recall(documents, question.gold, 10),
    ranked5: recall(
      evidence.map((one) => one.document ?? one.id),
      question.gold,
      5,
    ),
    ndcg10: ndcg(documents, question.gold, 10),
    density: tokens > 0 ? recall(documents, question.gold, 5) / (tokens / 1000) : 0,
    covered: BUDGETS.map((budget) => (spans.length > 0 ? accuracy(packed(evidence, budget), spans) === 1 : undefined)),
    em: exactMatch(said, question.answers),
    f1: f1(said, question.answers),
    tokenRecall: tokenRecall(said, question.answers),
    accuracy: accuracy(said, question.answers),
    tokens,
    ms,
  }
}

/** Texts in order, those that do not fit passed over. */
function packed(evidence: readonly Evidence[], budget: number): string {
  let left = budget
  const texts: string[] = []
  for (const one of evidence) {
    if (one.tokens > left) continue
    left -= one.tokens
    texts.push(one.text)
  }
  return texts.join('\n')
}

/** The answer without a model: the sentence with most of the question's terms, earlier evidence first. */
function bestSentence(question: string, evidence: readonly Evidence[]): string {
  const asked = new Set(terms(question))
  let best = { said: '', score: -1 }
  for (const one of evidence) {
    for (const span of sentences(one.text)) {
      const said = one.text.slice(span.start, span.end)
      const own = new Set(terms(said))
      const score = [...asked].filter((term) => own.has(term)).length
      if (score > best.score) best = { said, score }
    }
  }
  return best.said
}

/** The title graph ranks documents; each is shown by its keyword passages, or else its first. */
function byTitles(evidence: readonly Evidence[], titles: TitleGraph, question: string, { graph }: Index): Evidence[] {
  const best = new Map<string, number>()
  for (const one of evidence) if (one.document !== null) best.set(one.document, Math.max(one.score, best.get(one.document) ?? 0))
  const ranking = titles.rank(
    question,
    [...best].sort((a, b) => b[1] - a[1]),
  )
  return ranking.slice(0, TOP).flatMap((id): Evidence[] => {
    const own = evidence.find((one) => one.document === id)
    const chunk = graph.chunk(graph.document(id)?.chunks[0]?.chunk ?? '')
    const first = chunk?.passages[0]
    if (own) return [own]
    if (!chunk || !first) return []
    const text = chunk.text.slice(first.start, first.end)
    return [
      {
        id: first.id,
        kind: 'passage',
        layer: 0,
        score: 0,
        text,
        tokens: first.tokens,
        document: id,
        chunk: chunk.id,
        start: 0,
        end: text.length,
        via: 'title graph',
      },
    ]
  })
}

/** The headline of many rows, in per cent where a share. */
export function summary(rows: readonly Row[]) {
  const of = (name: 'recall2' | 'recall5' | 'recall10' | 'ranked5' | 'ndcg10' | 'em' | 'f1' | 'tokenRecall' | 'accuracy'): number =>
    100 * mean(rows.map((row) => row[name]))
  const times = rows.map((row) => row.ms).sort((a, b) => a - b)
  return {
    recall2: of('recall2'),
    recall5: of('recall5'),
    recall10: of('recall10'),
    ranked5: of('ranked5'),
    ndcg10: of('ndcg10'),
    density: 100 * mean(rows.map((row) => row.density)),
    covered: BUDGETS.map((_, i) => 100 * mean(rows.flatMap((row) => (row.covered[i] === undefined ? [] : [row.covered[i] ? 1 : 0])))),
    em: of('em'),
    f1: of('f1'),
    tokenRecall: of('tokenRecall'),
    accuracy: of('accuracy'),
    tokens: mean(rows.map((row) => row.tokens)),
    p50: times[Math.floor(times.length / 2)] ?? 0,
  }
}
