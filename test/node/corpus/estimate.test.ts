/** What indexing will cost is known before: by what a corpus's chunks have cost, on documents it has not seen. */

import { describe, expect, it } from 'vitest'
import type { Spent } from '../../../src/contract/usage'
import { estimate } from '../../../src/flows/estimate'
import type { DocumentInput } from '../../../src/ports/documents'
import { countedModels, letter, type Spending, scribe, spending } from './spending'

const MODELS = {
  embedding: { id: '@cf/baai/bge-m3', dimensions: 1024, window: 512 },
  text: { id: '@cf/qwen/qwen3-30b-a3b-fp8', window: 32_000 },
}
const SETS = [[], ['erarag'], ['cluerag'], ['ketrag'], ['archrag']]
/** Of different lengths; those held back share no text with the others. */
const plain = {
  seen: Array.from({ length: 48 }, (_, i) => letter(i, 6 + ((i * 5) % 20))),
  heldBack: Array.from({ length: 24 }, (_, i) => ({ ...letter(3001 + i * 3, 9 + ((i * 7) % 24)), title: `Paper ${i}` })),
}
// Of a handful of names ArchRAG makes a handful of communities, each reported again whatever comes, long or short: as papers are, each is of one circle.
const circled = { seen: plain.seen.map(ofCircle), heldBack: plain.heldBack.map(ofCircle) }

/** With other people and places for each of twelve circles. */
function ofCircle(document: DocumentInput, at: number): DocumentInput {
  return { ...document, text: document.text.replace(/\b([A-Z]\w+ [A-Z]\w+)\b/g, `$1${'abcdefghijkl'[at % 12]}`) }
}

const BATCH = 4 // documents that come together

const tokens = ({ in: read, out, embedded }: Spent): number => read + out + embedded

async function indexed(corpus: Spending, documents: readonly DocumentInput[]): Promise<Spent> {
  const before = corpus.usage().total
  const { models } = countedModels(scribe)
  for (let at = 0; at < documents.length; at += BATCH) {
    corpus.accept(documents.slice(at, at + BATCH))
    await corpus.work(models)
  }
  const after = corpus.usage().total
  return { in: after.in - before.in, out: after.out - before.out, embedded: after.embedded - before.embedded }
}

describe('an estimate', () => {
  it.each(SETS.map((set) => [set.join(', ') || 'no strategy', set] as const))(
    '[V66] for a corpus with %s is within 20 % for documents it has not seen, and its bounds hold, before and after it has learned',
    async (_, strategies) => {
      const corpus = spending(strategies)
      const { seen, heldBack } = strategies.includes('archrag') ? circled : plain
      const { settings } = corpus.context.config
      const first = estimate(seen, settings, MODELS, { strategies, measured: corpus.usage().measured }).corpus
      const spent = await indexed(corpus, seen)
      const { measured } = corpus.usage()
      const next = estimate(heldBack, settings, MODELS, { strategies, measured }).corpus
      const cost = await indexed(corpus, heldBack)
      corpus.close()
      expect([first?.basis, next?.basis]).toEqual(['rates', 'measured'])
      const ratio = tokens(next?.tokens ?? cost) / tokens(cost)
      expect([ratio > 0.8, ratio < 1.2], `${ratio}`).toEqual([true, true])
      for (const [bounds, paid] of [
        [first?.bounds, spent],
        [next?.bounds, cost],
      ] as const) {
        expect(tokens(bounds?.min.tokens ?? paid)).toBeLessThanOrEqual(tokens(paid))
        expect(tokens(bounds?.max.tokens ?? paid)).toBeGreaterThanOrEqual(tokens(paid))
      }
    },
    120_000,
  )
})
