/** Clue-RAG's settings for indexing, each with its source. */
import { z } from 'zod'
import { choice, share } from '../../setting-fields'

export const clueSettings = z.object({
  /**
   * α: share of the corpus's tokens whose chunks the model may rewrite into units. Nothing without a text model.
   * The paper's middle: 95 to 100 % of the quality of α = 1 for half of the tokens (Table 2).
   */
  alpha: share.default(0.5),
  /**
   * What makes a chunk worth the model: mean cosine to the others, or self-BLEU against the others. Cosine is the official code's default; it is
   * kept exactly by one running sum, where BLEU needs the whole corpus.
   */
  selector: choice(['cosine', 'bleu'], { removed: ['random'] }).default('cosine'),
  /**
   * Where a walk begins: at entities that the question names word for word (`names`), or, as in the paper, at entities whose names are nearest to
   * the question's by vector and at those of the units nearest to it (`vectors`): then the vectors of units and of names are in the index.
   */
  anchors: z.enum(['names', 'vectors']).default('names'),
})

export type ClueSettings = Readonly<z.output<typeof clueSettings>>

export const beginsByVectors = ({ cluerag }: { readonly cluerag: ClueSettings }): boolean => cluerag.anchors === 'vectors'

declare module '../../settings' {
  interface Settings {
    readonly cluerag: ClueSettings
  }
}
