/**
 * What GORAG is compared with: classifiers over the same few texts that know no graph. Each gives one score per label.
 * They are given exactly the texts GORAG is given; `named` runs add each label's name as one more text.
 */
import { terms } from '../../src/core/text/terms'
import { cosine, dot, norm } from '../../src/core/vectors'
import { logistic } from '../lib/logistic'
import type { Labelled } from './data'

export type Scorer = (text: string, vector: Int8Array) => readonly number[]

export interface Shot extends Labelled {
  readonly vector: Int8Array
  /** In the centroids, beside an example's 1. */
  readonly weight?: number
}

type Sparse = ReadonlyMap<string, number>

export const baselineNames = ['majority', 'TF-IDF centroid', 'BM25', 'embedding centroid', 'k-NN', 'z-sum', 'logistic regression'] as const
export type Baseline = (typeof baselineNames)[number]

const NEIGHBOURS = 3
const BM25 = { k1: 1.2, b: 0.75 }

export function baselines(shots: readonly Shot[], labels: readonly string[]): Readonly<Record<Baseline, Scorer>> {
  const space = tfidf(shots.map((one) => one.text))
  const tf = centroids(shots, labels, space)
  const embedding = embeddingCentroids(shots, labels)
  let fitted: ReturnType<typeof logistic> | undefined // slow, and not every bench asks for it
  const regression = (text: string): readonly number[] => {
    fitted ??= logistic(
      shots.map((one) => space(one.text)),
      shots.map((one) => labels.indexOf(one.label)),
      labels.length,
    )
    return fitted(space(text))
  }
  return {
    majority: () => labels.map((label) => shots.filter((one) => one.label === label).length),
    'TF-IDF centroid': tf,
    BM25: bm25(shots, labels),
    'embedding centroid': embedding,
    'k-NN': nearest(shots, labels),
    'z-sum': (text, vector) => add(standard(tf(text, vector)), standard(embedding(text, vector))),
    'logistic regression': regression,
  }
}

/** Zero mean and unit deviation over the labels. */
export function standard(scores: readonly number[]): number[] {
  const mean = scores.reduce((a, b) => a + b, 0) / scores.length
  const deviation = Math.sqrt(scores.reduce((sum, x) => sum + (x - mean) ** 2, 0) / scores.length) || 1
  return scores.map((x) => (x - mean) / deviation)
}

export function add(a: readonly number[], b: readonly number[]): number[] {
  return a.map((x, i) => x + (b[i] ?? 0))
}

function tfidf(texts: readonly string[]): (text: string) => Sparse {
  const frequency = new Map<string, number>()
  for (const text of texts) for (const term of new Set(terms(text))) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  return latest((text) => {
    const vector = new Map<string, number>()
    for (const [term, count] of counted(terms(text))) {
      vector.set(term, (1 + Math.log(count)) * (Math.log((texts.length + 1) / ((frequency.get(term) ?? 0) + 1)) + 1))
    }
    return unit(vector)
  })
}

/** Several methods ask the same of a text, one after the other. */
function latest<A, B>(answer: (asked: A) => B): (asked: A) => B {
  let known: { readonly asked: A; readonly answered: B } | undefined
  return (asked) => {
    if (known?.asked !== asked) known = { asked, answered: answer(asked) }
    return known.answered
  }
}

function centroids(shots: readonly Shot[], labels: readonly string[], space: (text: string) => Sparse): Scorer {
  const means = labels.map((label) =>
    unit(sum(shots.filter((one) => one.label === label).map((one) => scaled(space(one.text), one.weight ?? 1)))),
  )
  return latest((text) => {
    const query = space(text)
    return means.map((one) => product(query, one))
  })
}

function bm25(shots: readonly Shot[], labels: readonly string[]): Scorer {
  const documents = labels.map((label) => counted(shots.filter((one) => one.label === label).flatMap((one) => terms(one.text))))
  const frequency = counted(documents.flatMap((one) => [...one.keys()]))
  const lengths = documents.map((one) => [...one.values()].reduce((a, b) => a + b, 0))
  const mean = lengths.reduce((a, b) => a + b, 0) / labels.length
  const idf = (term: string): number => {
    const n = frequency.get(term) ?? 0
    return Math.log(1 + (labels.length - n + 0.5) / (n + 0.5))
  }
  return (text) => {
    const query = [...new Set(terms(text))]
    return documents.map((one, i) =>
      query.reduce((score, term) => {
        const count = one.get(term) ?? 0
        return score + (idf(term) * count * (BM25.k1 + 1)) / (count + BM25.k1 * (1 - BM25.b + (BM25.b * (lengths[i] ?? 0)) / mean))
      }, 0),
    )
  }
}

function embeddingCentroids(shots: readonly Shot[], labels: readonly string[]): Scorer {
  const sums = labels.map((label) => {
    const total = new Float64Array(shots[0]?.vector.length ?? 0)
    for (const { vector, weight = 1 } of shots.filter((one) => one.label === label))
      for (let i = 0; i < total.length; i++) total[i] = (total[i] ?? 0) + weight * (vector[i] ?? 0)
    return total
  })
  const near = latest((vector: Int8Array) => sums.map((one) => cosine(vector, one)))
  return (_, vector) => near(vector)
}

/** Votes of the nearest texts, by similarity; then the best text of each label. */
function nearest(shots: readonly Shot[], labels: readonly string[]): Scorer {
  const known = shots.map((one) => ({ label: labels.indexOf(one.label), vector: one.vector, length: norm(one.vector) || 1 }))
  return (_, vector) => {
    const length = norm(vector) || 1
    const near = known.map((one) => ({ label: one.label, score: dot(vector, one.vector) / (one.length * length) }))
    near.sort((a, b) => b.score - a.score)
    const scores = labels.map(() => 0)
    for (const { label, score } of near.toReversed()) scores[label] = score * 1e-3
    for (const one of near.slice(0, NEIGHBOURS)) scores[one.label] = (scores[one.label] ?? 0) + one.score
    return scores
  }
}

function counted(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

function sum(vectors: readonly Sparse[]): Sparse {
  const total = new Map<string, number>()
  for (const vector of vectors) for (const [term, x] of vector) total.set(term, (total.get(term) ?? 0) + x)
  return total
}

function scaled(vector: Sparse, by: number): Sparse {
  return by === 1 ? vector : new Map([...vector].map(([term, x]) => [term, x * by]))
}

function unit(vector: Sparse): Sparse {
  const norm = Math.sqrt([...vector.values()].reduce((a, x) => a + x * x, 0)) || 1
  return new Map([...vector].map(([term, x]) => [term, x / norm]))
}

function product(a: Sparse, b: Sparse): number {
  let total = 0
  for (const [term, x] of a) total += x * (b.get(term) ?? 0)
  return total
}
