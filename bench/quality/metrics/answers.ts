/** Metrics of short answers, as the papers compute them: SQuAD normalisation, the best over all gold answers. Pure. */

/** Lower case, no punctuation, no articles, single spaces (SQuAD). Letters of every script are kept. */
export function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s]/gu, '')
    .replace(/\b(a|an|the)\b/g, ' ')
    .trim()
    .split(/\s+/)
    .join(' ')
}

export const exactMatch = (said: string, golds: readonly string[]): number =>
  golds.some((gold) => normalise(gold) === normalise(said)) ? 1 : 0

/** Is a gold answer contained in what was said? (Clue-RAG's "accuracy") */
export const accuracy = (said: string, golds: readonly string[]): number =>
  golds.some((gold) => ` ${normalise(said)} `.includes(` ${normalise(gold)} `)) ? 1 : 0

/** Share of the gold's tokens that were said. */
export const tokenRecall = (said: string, golds: readonly string[]): number => best(golds, (gold) => overlap(said, gold).recall)

export const f1 = (said: string, golds: readonly string[]): number =>
  best(golds, (gold) => {
    const { precision, recall } = overlap(said, gold)
    return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0
  })

/** BLEU-1: clipped unigram precision with brevity penalty. */
export const bleu1 = (said: string, golds: readonly string[]): number =>
  best(golds, (gold) => {
    const { precision, said: mine, gold: theirs } = overlap(said, gold)
    return mine === 0 ? 0 : precision * (mine >= theirs ? 1 : Math.exp(1 - theirs / mine))
  })

/** ROUGE-L: F1 of the longest common subsequence. */
export const rougeL = (said: string, golds: readonly string[]): number =>
  best(golds, (gold) => {
    const [a, b] = [tokens(said), tokens(gold)]
    const common = longestCommon(a, b)
    return common > 0 ? (2 * common) / (a.length + b.length) : 0
  })

/** METEOR of exact matches: recall-weighted mean (9 : 1) with the penalty for fragments, .5·(chunks/matches)³. Matches are made left to right. */
export const meteor = (said: string, golds: readonly string[]): number =>
  best(golds, (gold) => {
    const [a, b] = [tokens(said), tokens(gold)]
    const places = aligned(a, b)
    const matches = places.filter((place) => place >= 0).length
    if (matches === 0) return 0
    const [precision, recall] = [matches / a.length, matches / b.length]
    const mean = (10 * precision * recall) / (recall + 9 * precision)
    const chunks = places.filter((place, i) => place >= 0 && (i === 0 || places[i - 1] !== place - 1)).length
    return mean * (1 - 0.5 * (chunks / matches) ** 3)
  })

function best(golds: readonly string[], score: (gold: string) => number): number {
  return golds.reduce((max, gold) => Math.max(max, score(gold)), 0)
}

function tokens(text: string): string[] {
  return normalise(text).split(' ').filter(Boolean)
}

function overlap(said: string, gold: string): { precision: number; recall: number; said: number; gold: number } {
  const [a, b] = [tokens(said), tokens(gold)]
  const common = aligned(a, b).filter((place) => place >= 0).length
  return { precision: a.length ? common / a.length : 0, recall: b.length ? common / b.length : 0, said: a.length, gold: b.length }
}

/** For each token of `a` the place of an unused equal token of `b`, or −1; the neighbour of the last match first. */
function aligned(a: readonly string[], b: readonly string[]): number[] {
  const free = new Set(b.keys())
  let last = -2
  return a.map((token) => {
    const next = free.has(last + 1) && b[last + 1] === token ? last + 1 : [...free].find((place) => b[place] === token)
    last = next ?? -2
    if (next !== undefined) free.delete(next)
    return next ?? -1
  })
}

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const token of a) {
    const next = [0]
    for (let j = 1; j <= b.length; j++) next[j] = token === b[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0)
    row = next
  }
  return row[b.length] ?? 0
}
