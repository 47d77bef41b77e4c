/** EraRAG (arXiv 2506.20963). */
import type { StrategyDeclaration } from '../../strategy-declaration'
import { erarag as strategy } from './erarag'
import { need } from './need'
import { eraOptions } from './options'
import { eraSettings } from './settings'
import { SPACE } from './shape'

export const erarag: StrategyDeclaration = {
  name: 'erarag',
  summary: 'A tree of summaries over hashed segments',
  enabled: 'default',
  isJoint: true,
  settings: eraSettings,
  options: eraOptions,
  removed: { settings: ['hyperplanes'] },
  strategy,
  need,
  offers: ['segments'],
  isVisible: ({ space }) => space === SPACE,
}
