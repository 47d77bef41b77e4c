/** What GORAG's ablations put in the place of a step: every edge of the graph weighs the same; keywords and parts of words decide without embeddings. */
import { weighCandidates } from '../../src/core/strategies/gorag/candidates'
import type { ClassifyInput } from '../../src/core/strategies/gorag/classify'
import type { GoragIndex } from '../../src/core/strategies/gorag/index'
import type { GoragSettings } from '../../src/core/strategies/gorag/settings'
import { viewOf } from '../../src/core/strategies/gorag/view'
import type { weightsOf } from '../../src/core/strategies/gorag/weights'

/** Instead of Eq. 4; the way to the hub follows from it by Eq. 7. */
export const unitWeights: typeof weightsOf = ({ cells, labelled }) => ({
  rows: new Map([...cells].map(([keyword, row]) => [keyword, new Float64Array(row.length).fill(1)])),
  hub: new Float64Array(labelled.labels.length).fill(1 / 4),
})

export interface Decision {
  readonly label: string | null
  readonly confidence: number
}

export function byKeywords(index: GoragIndex, input: ClassifyInput, settings: GoragSettings): Decision {
  const view = viewOf(index, settings, input.now)
  const { weighed } = weighCandidates(view, index, { ...input, vector: undefined }, settings)
  const { keywords, parts, probabilities } = weighed
  const confidence = Math.max(...probabilities)
  const best = probabilities.indexOf(confidence)
  const isDecided = (keywords[best] ?? 0) > 0 || (parts[best] ?? 0) > 0
  const label = index.labelled.labels.get(view.labelled.labels[best] ?? '')?.id
  return { label: isDecided && label !== undefined ? label : null, confidence: isDecided ? confidence : 0 }
}
