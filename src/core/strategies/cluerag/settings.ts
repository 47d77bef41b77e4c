/** Clue-RAG's settings for indexing, each with its source. */
export interface ClueSettings {
  /** α: share of the corpus' tokens whose chunks the model may rewrite into units. Nothing without a text model. */
  readonly alpha: number
  /** What makes a chunk worth the model: mean cosine to the others, self-BLEU against the others, or chance (the ablation). */
  readonly selector: 'cosine' | 'bleu' | 'random'
}

export const clueDefaults: ClueSettings = {
  alpha: 0.5, // the paper's middle: 95 to 100 % of the quality of α = 1 for half of the tokens (Table 2)
  selector: 'cosine', // the official code's default; kept exactly by one running sum, where BLEU needs the whole corpus
}
