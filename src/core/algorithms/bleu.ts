/**
 * Self-BLEU: how much of each text the other texts already say. BLEU-4 of every text with ALL others as references, smoothing "floor" (.1), closest
 * reference length. Exact and linear: the clip of an n-gram is the largest count in any other text, for which the two largest counts are enough;
 * the closest length comes from a sorted list.
 */

const ORDERS = 4
const FLOOR = 0.1 // count given to an order without any match, as sacrebleu's smooth_method "floor"

interface Largest {
  first: number
  holder: number
  second: number
}

/** One value in [0, 1] per text, in their order. Texts are lists of tokens. */
export function selfBleu(texts: readonly (readonly string[])[]): number[] {
  if (texts.length < 2) return texts.map(() => 0)
  const largest = new Map<string, Largest>()
  texts.forEach((tokens, at) => {
    for (const [gram, count] of grams(tokens)) hold(largest, gram, count, at)
  })
  const lengths = texts.map((tokens) => tokens.length).sort((a, b) => a - b)
  return texts.map((tokens, at) => bleu(tokens, largest, at, closest(lengths, tokens.length)))
}

function grams(tokens: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (let order = 1; order <= ORDERS; order++) {
    for (let at = 0; at + order <= tokens.length; at++) {
      const gram = tokens.slice(at, at + order).join(' ')
      counts.set(gram, (counts.get(gram) ?? 0) + 1)
    }
  }
  return counts
}

function hold(largest: Map<string, Largest>, gram: string, count: number, at: number): void {
  const known = largest.get(gram)
  if (!known) largest.set(gram, { first: count, holder: at, second: 0 })
  else if (count > known.first) largest.set(gram, { first: count, holder: at, second: known.first })
  else if (count > known.second) known.second = count
}

function bleu(tokens: readonly string[], largest: ReadonlyMap<string, Largest>, at: number, reference: number): number {
  if (tokens.length === 0) return 0
  const matched = new Array<number>(ORDERS).fill(0)
  for (const [gram, count] of grams(tokens)) {
    const known = largest.get(gram)
    const clip = !known ? 0 : known.holder === at ? known.second : known.first
    const order = gram.split(' ').length - 1
    matched[order] = (matched[order] ?? 0) + Math.min(count, clip)
  }
  let logs = 0
  const orders = Math.min(ORDERS, tokens.length)
  for (let order = 0; order < orders; order++) logs += Math.log((matched[order] || FLOOR) / (tokens.length - order))
  const brevity = tokens.length >= reference ? 1 : Math.exp(1 - reference / tokens.length)
  return brevity * Math.exp(logs / orders)
}

/** The length nearest to `own` among the others; of two equally near, the shorter. `own` itself is in the sorted list once. */
function closest(sorted: readonly number[], own: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < own) low = middle + 1
    else high = middle
  }
  const below = sorted[low - 1]
  const above = sorted[low + 1]
  if (below === undefined) return above ?? own
  return above === undefined || own - below <= above - own ? below : above
}
