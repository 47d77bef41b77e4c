/** The papers' metrics of written answers, means in per cent over the questions that have a gold answer. Pure. */
import { accuracy, bleu1, exactMatch, f1, meteor, rougeL, tokenRecall } from './answers'
import { mean } from './ranking'

const METRICS = { accuracy, tokenRecall, exactMatch, f1, rougeL, meteor, bleu1 } as const
export type Scores = { readonly [metric in keyof typeof METRICS]: number }

export function scored(answers: readonly string[], questions: readonly { readonly answers: readonly string[] }[]): Scores {
  const pairs = questions.flatMap((question, i) =>
    question.answers.length > 0 ? [{ said: answers[i] ?? '', golds: question.answers }] : [],
  )
  const of = (metric: (said: string, golds: readonly string[]) => number): number =>
    100 * mean(pairs.map(({ said, golds }) => metric(said, golds)))
  return Object.fromEntries(Object.entries(METRICS).map(([name, metric]) => [name, of(metric)])) as Scores
}
