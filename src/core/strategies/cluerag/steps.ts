/** The steps that the paper's ablation leaves out, one at a time; `bench/cluerag/` does the same. */
export interface ClueSteps {
  /** K-A: entities of the units nearest to the question are anchors. */
  readonly anchoring: boolean
  /** S-A: entities the question names are anchors. */
  readonly activation: boolean
  /** S-A by vectors: entities whose names are like the question's are anchors, too. */
  readonly linking: boolean
  /** Q-U: each step asks for what its path has not said yet. */
  readonly updating: boolean
  /** A unit knows its document's name. */
  readonly titles: boolean
}

export const ALL_STEPS: ClueSteps = { anchoring: true, activation: true, linking: true, updating: true, titles: true }
