import { describe, expect, it } from 'vitest'
import { accuracy, bleu1, exactMatch, f1, meteor, normalise, rougeL, tokenRecall } from '../../../bench/quality/metrics/answers'
import { ndcg, pairedBootstrap, recall } from '../../../bench/quality/metrics/ranking'

describe('metrics', () => {
  it('[Q30] answers are compared after SQuAD normalisation, against the best of several golds', () => {
    expect(normalise('The  Élysée, a palace!')).toBe('élysée palace')
    expect([exactMatch('the Beatles', ['Wings', 'Beatles']), exactMatch('Beatles band', ['Beatles'])]).toEqual([1, 0])
    expect([accuracy('It was the Beatles.', ['Beatles']), accuracy('catalog', ['cat'])]).toEqual([1, 0])
  })

  it('[Q30] F1, token recall, BLEU-1, ROUGE-L and METEOR have the values of the hand calculation', () => {
    const said = 'born in old Vienna'
    const gold = ['born in Vienna']
    expect(tokenRecall(said, gold)).toBe(1)
    expect(f1(said, gold)).toBeCloseTo((2 * 0.75 * 1) / 1.75)
    expect(bleu1(said, gold)).toBeCloseTo(0.75)
    expect(bleu1('born', gold)).toBeCloseTo(Math.exp(1 - 3))
    expect(rougeL(said, gold)).toBeCloseTo((2 * 3) / 7)
    const mean = (10 * 0.75 * 1) / (1 + 9 * 0.75)
    expect(meteor(said, gold)).toBeCloseTo(mean * (1 - 0.5 * (2 / 3) ** 3))
    expect([f1('', gold), rougeL('x', gold), meteor('x', gold)]).toEqual([0, 0, 0])
  })

  it('[Q30] recall and nDCG count an item once', () => {
    expect(recall(['a', 'a', 'b', 'c'], ['b', 'c'], 2)).toBe(0.5)
    expect(ndcg(['x', 'a', 'a'], ['a', 'b'], 10)).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)))
    expect(ndcg(['a', 'b'], ['b', 'a'], 10)).toBe(1)
  })

  it('[Q30] the paired bootstrap is seeded, holds the mean, and is narrow where all pairs agree', () => {
    const a = [1, 0, 1, 1, 0, 1]
    const b = [0, 0, 1, 0, 0, 1]
    const interval = pairedBootstrap([{ a, b }])
    expect(interval).toEqual(pairedBootstrap([{ a, b }]))
    expect(interval.mean).toBeCloseTo(1 / 3)
    expect(interval.low <= interval.mean && interval.mean <= interval.high).toBe(true)
    const sure = pairedBootstrap([{ a: a.map((one) => one + 1), b: a }])
    expect([sure.low, sure.high]).toEqual([1, 1])
  })
})
