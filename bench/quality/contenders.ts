/** Who is measured: strategies with options, and the title graph, under the names the report shows. */
import { auto } from '../../src/core/strategies/auto/auto'
import { hybrid } from '../../src/core/strategies/baselines/hybrid'
import { keyword } from '../../src/core/strategies/baselines/keyword'
import { vector } from '../../src/core/strategies/baselines/vector'
import { cluerag, clueragWith } from '../../src/core/strategies/cluerag/cluerag'
import { erarag } from '../../src/core/strategies/erarag/erarag'
import { strategies } from '../../src/core/strategies/registry'
import type { Strategy } from '../../src/core/strategy'
import type { Asking } from './memory'
import { rerankerOf } from './reranker'

export interface Contender {
  readonly name: string
  readonly strategy: Strategy
  readonly own: NonNullable<Asking['own']>
  /** Differences are measured against the best of these. */
  readonly baseline: boolean
}

const of = (name: string, strategy: Strategy, own: Contender['own'] = {}, baseline = false): Contender => ({
  name,
  strategy,
  own,
  baseline,
})

export const TITLE_GRAPH = 'title graph'

const KNOWN: readonly Contender[] = [
  of('keyword', keyword, {}, true),
  of('vector', vector, {}, true),
  of('hybrid', hybrid, {}, true),
  of(TITLE_GRAPH, keyword, {}, true),
  of('auto', auto),
  of('auto without re-ranker', auto, { rerank: false }),
  of('auto by the channels alone', auto, { scorer: 'sum' }),
  of('auto without Q-Iter', auto, { paths: 0 }),
  of('auto without links', auto, { links: 0 }),
  of('auto without vectors', auto, { dense: 0 }),
  of('erarag by cosine', erarag, { rank: 'cosine' }),
  of('cluerag', cluerag),
  of('cluerag D = 1', cluerag, { depth: 1 }),
  of('cluerag D = 3', cluerag, { depth: 3 }),
  of('cluerag without K-A', clueragWith({ anchoring: false })),
  of('cluerag without S-A', clueragWith({ activation: false })),
  of('cluerag without Q-U', clueragWith({ updating: false })),
  of('cluerag without titles', clueragWith({ titles: false })),
  of('cluerag embedding', cluerag, { scorer: 'embedding' }),
  of('cluerag reranker', cluerag, { scorer: 'reranker' }),
  of('cluerag embedding D = 3', cluerag, { scorer: 'embedding', depth: 3 }),
]
// The embedding scorer needs a vector for every sentence, the reranker a server.
const USUAL = KNOWN.filter(({ name }) => !name.startsWith('cluerag embedding') && (name !== 'cluerag reranker' || rerankerOf(process.env)))

/** What each system adds to `hybrid`: one row each, with its defaults. */
const SYSTEMS = ['keyword', 'vector', 'hybrid', TITLE_GRAPH, 'erarag', 'archrag', 'ketrag', 'cluerag', 'ppr', 'auto']

/** By name, or `systems`; a name that is not listed is a strategy of the registry with its defaults. */
export function contenders(names: string | undefined): readonly Contender[] {
  if (!names) return USUAL
  return names
    .split(',')
    .flatMap((name) => (name === 'systems' ? SYSTEMS : [name]))
    .map((name) => {
      const known = KNOWN.find((one) => one.name === name)
      const strategy = strategies.get(name)
      if (known) return known
      if (!strategy) throw new Error(`no such contender: ${name}`)
      return of(name, strategy)
    })
}
