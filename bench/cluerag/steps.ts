/**
 * The ablation of Clue-RAG (Table 4): each step left out, in our form and in the paper's, beside hybrid. Recall@5, embeddings by name.
 *   npm run bench cluerag/steps -- --data <folder> [--embedding static|minilm] [--titles yes|no]
 */
import { hybrid } from '../../src/core/strategies/baselines/hybrid'
import { keyword } from '../../src/core/strategies/baselines/keyword'
import { cluerag, clueragWith } from '../../src/core/strategies/cluerag/cluerag'
import { embedding, encoderAsReranker, measure, report, table, type Variant } from './world'

/** Difference of the paper's average F1 and accuracy to the whole (Table 4). */
const PAPER: { readonly [step: string]: string } = {
  'without K-A': '−2.3 F1, −2.2 Acc',
  'without S-A': '−4.0 F1, −4.4 Acc',
  'without Q-U': '−.7 F1, −.6 Acc',
  'without Q-U or K-A': '−3.1 F1, −3.2 Acc',
  'without Q-U or S-A': '−5.2 F1, −5.3 Acc',
}
const leftOut: readonly (readonly [string, Parameters<typeof clueragWith>[0]])[] = [
  ['without K-A', { anchoring: false }],
  ['without S-A', { activation: false }],
  ['without nearest names', { linking: false }],
  ['without Q-U', { updating: false }],
  ['without Q-U or K-A', { updating: false, anchoring: false }],
  ['without Q-U or S-A', { updating: false, activation: false }],
  ['without titles', { titles: false }],
]

function family(name: string, shared: Omit<Variant, 'name' | 'strategy'>): Variant[] {
  const parts = leftOut.map(
    ([part, steps]): Variant => ({
      ...shared,
      name: `${name}, ${part}`,
      strategy: clueragWith(steps),
      against: name,
      ...(PAPER[part] ? { paper: PAPER[part] } : {}),
    }),
  )
  return [{ ...shared, name, strategy: cluerag, against: 'hybrid' }, ...parts]
}

const variants: Variant[] = [
  { name: 'keyword', strategy: keyword, against: 'hybrid' },
  { name: 'hybrid', strategy: hybrid },
  ...family('names, terms', { anchors: 'names' }),
  ...family('vectors, terms', { anchors: 'vectors' }),
  ...family('vectors, cosine', { anchors: 'vectors', own: { scorer: 'embedding' } }),
  ...(embedding === 'static'
    ? []
    : family('vectors, model', { anchors: 'vectors', own: { scorer: 'reranker' }, rerank: encoderAsReranker })),
]
report(
  'cluerag-steps',
  table(`Clue-RAG's steps: anchors, and what a path is scored by`, variants, await measure(variants, cluerag.builders)),
)
