/**
 * What extractions by a real model cost beside what an estimate says of them: Qwen2.5-Coder-1.5B over 60 passages of MuSiQue, 29 November 2026
 * (recorded/extractions.json: of each passage our tokens, its names, tokens read and written, and calls).
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { extracting } from '../../../src/core/estimate/work'
import { defaultSettings } from '../../../src/core/strategies/default-settings'

type Row = readonly [tokens: number, names: number, read: number, written: number, calls: number]
const rows = JSON.parse(readFileSync(new URL('recorded/extractions.json', import.meta.url), 'utf8')) as readonly Row[]

function spentBesideEstimate(some: readonly Row[]): { readonly read: number; readonly written: number; readonly calls: number } {
  const sum = (at: 0 | 1 | 2 | 3 | 4): number => some.reduce((total, row) => total + row[at], 0)
  const nothing = { passages: 0, passageTokens: 0, sentences: 0, sentenceTokens: 0, brought: { chunks: 0, tokens: 0, names: 0 } }
  const bulk = { tokens: sum(0), chunks: some.length, names: sum(1), ...nothing }
  const likely = extracting(bulk, 1, 'likely', { ...defaultSettings, models: 'none qwen2.5-coder-1.5b' })
  return { read: sum(2) / likely.in, written: sum(3) / likely.out, calls: sum(4) / (likely.calls.extract ?? 1) }
}

it('[M2352] what 60 extractions by a real model read and wrote is within 15 % of the estimate, of all and of either half', () => {
  const halves = [0, 1].map((odd) => rows.filter((_, i) => i % 2 === odd))
  for (const some of [rows, ...halves]) {
    const { read, written, calls } = spentBesideEstimate(some)
    for (const [sort, ratio] of Object.entries({ read, written, calls })) {
      expect(Math.abs(ratio - 1), `${sort} ${ratio.toFixed(3)} of ${some.length}`).toBeLessThan(0.15)
    }
  }
})
