import { describe, expect, it } from 'vitest'
import { scored } from '../../../bench/quality/metrics/generated'
import { headToHead, wins } from '../../../bench/quality/metrics/judge'

const all = (winner: unknown): string =>
  JSON.stringify({ comprehensiveness: winner, diversity: winner, empowerment: winner, overall: winner })
const draw = { comprehensiveness: 0.5, diversity: 0.5, empowerment: 0.5, overall: 0.5 }

describe('generation', () => {
  it('[Q30] a judge sees both orders: one that prefers a place draws, one that prefers an answer decides', async () => {
    expect(await headToHead('q', 'good', 'bad', async () => all(1))).toEqual(draw)
    const fair = async (prompt: string): Promise<string> => `Sure: ${all(prompt.indexOf('"good"') < prompt.indexOf('"bad"') ? 1 : 2)}`
    expect(await headToHead('q', 'good', 'bad', fair)).toEqual({ comprehensiveness: 1, diversity: 1, empowerment: 1, overall: 1 })
    expect(await headToHead('q', 'bad', 'good', fair)).toEqual({ comprehensiveness: 0, diversity: 0, empowerment: 0, overall: 0 })
  })

  it('[Q30] what is no vote does not count', async () => {
    const replies = [all(1), '{"overall": 3', all('2'), '{"overall": "2", "diversity": null}']
    const next = async (): Promise<string> => replies.shift() ?? ''
    expect(await headToHead('q', 'a', 'b', next)).toEqual({})
    expect(await headToHead('q', 'a', 'b', next)).toEqual({ overall: 0.5 })
    expect(wins([{}, { overall: 1 }, { overall: 0.5, diversity: 0 }])).toEqual({ overall: 0.75, diversity: 0 })
  })

  it('[Q30] written answers have the means over the questions with a gold answer', () => {
    const scores = scored(['Vienna', 'in Graz', 'whatever'], [{ answers: ['Vienna'] }, { answers: ['Graz', 'Linz'] }, { answers: [] }])
    expect(scores).toMatchObject({ accuracy: 100, tokenRecall: 100, exactMatch: 50, bleu1: 75 })
    expect(scores.f1).toBeCloseTo(50 * (1 + 2 / 3))
  })
})
