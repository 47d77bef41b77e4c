/**
 * Clue-RAG's parameters one at a time (Figure 7): K, M, D and N, by the terms, by cosine, and with anchors by vectors; the default of each is what it
 * is compared with. Recall@5.
 *   npm run bench cluerag/sweeps -- --data <folder> [--embedding static|minilm] [--titles yes|no]
 */
import { cluerag } from '../../src/core/strategies/cluerag/cluerag'
import { measure, report, table, type Variant } from './world'

const SWEPT = { fanout: [1, 3, 5, 7, 9], beam: [1, 3, 5, 7, 9], depth: [1, 2, 3, 4] } as const
const LETTER = { fanout: 'K', beam: 'M', depth: 'D' } as const
const PAPER: { readonly [name: string]: string } = {
  'K 3': 'best (3, 5, 7, 9)',
  'M 5': 'best; 7 and 9 a little worse',
  'D 1': 'worst',
  'D 2': 'better',
  'D 3': 'best',
  'D 4': 'a little worse than 3',
}

const families: readonly (readonly [string, Omit<Variant, 'name' | 'strategy'>])[] = [
  ['names, terms', { anchors: 'names' }],
  ['vectors, terms', { anchors: 'vectors' }],
  ['vectors, cosine', { anchors: 'vectors', own: { scorer: 'embedding' } }],
]
const variants = families.flatMap(([name, shared]): Variant[] => [
  { ...shared, name, strategy: cluerag, ...(name === 'names, terms' ? {} : { against: 'names, terms' }) },
  ...Object.entries(SWEPT).flatMap(([option, sizes]) =>
    sizes.map((size): Variant => {
      const said = `${LETTER[option as keyof typeof SWEPT]} ${size}`
      return {
        ...shared,
        name: `${name}, ${said}`,
        strategy: cluerag,
        own: { ...shared.own, [option]: size },
        against: name,
        ...(PAPER[said] ? { paper: PAPER[said] } : {}),
      }
    }),
  ),
])
report('cluerag-sweeps', table('K, M and D, one at a time from K 3, M 5, D 2', variants, await measure(variants, cluerag.builders)))
