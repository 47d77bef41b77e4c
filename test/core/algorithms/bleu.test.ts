import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { selfBleu } from '../../../src/core/algorithms/bleu'

/** BLEU-4 straight from the definition, with all other texts as references. */
function naive(texts: readonly (readonly string[])[], at: number): number {
  const own = texts[at] ?? []
  const others = texts.filter((_, i) => i !== at)
  if (own.length === 0 || others.length === 0) return 0
  const grams = (tokens: readonly string[], n: number): Map<string, number> => {
    const counts = new Map<string, number>()
    for (let i = 0; i + n <= tokens.length; i++)
      counts.set(tokens.slice(i, i + n).join(' '), (counts.get(tokens.slice(i, i + n).join(' ')) ?? 0) + 1)
    return counts
  }
  const orders = Math.min(4, own.length)
  let logs = 0
  for (let n = 1; n <= orders; n++) {
    let matched = 0
    for (const [gram, count] of grams(own, n))
      matched += Math.min(count, Math.max(...others.map((other) => grams(other, n).get(gram) ?? 0)))
    logs += Math.log((matched || 0.1) / (own.length - n + 1))
  }
  const closest = others.map((one) => one.length).sort((a, b) => Math.abs(a - own.length) - Math.abs(b - own.length) || a - b)[0] ?? 0
  return (own.length >= closest ? 1 : Math.exp(1 - closest / own.length)) * Math.exp(logs / orders)
}

describe('self-BLEU', () => {
  it('[Q15] in linear time equals BLEU against all other texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 9 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
        selfBleu(texts).forEach((value, at) => {
          expect(value).toBeCloseTo(naive(texts, at), 9)
        })
      }),
      { seed: 16, numRuns: 200 },
    )
  })
})
