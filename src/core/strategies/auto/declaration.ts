/** The default: every channel, trusted as far as it has proved itself. */
import type { StrategyDeclaration } from '../../strategy-declaration'
import { auto as strategy } from './auto'
import { autoOptions } from './options'
import { RERANKING } from './rerank-weight'
import { CALIBRATION, SPACE } from './weights'

export const auto: StrategyDeclaration = {
  name: 'auto',
  summary: 'Weighs each way of searching by how well it works on this corpus',
  enabled: 'always',
  isJoint: true,
  options: autoOptions,
  strategy,
  isVisible: ({ space, key }) => space === SPACE && (key === CALIBRATION || key === RERANKING), // the other values beside these contain sentences of texts
}
