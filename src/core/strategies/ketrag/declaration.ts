/** KET-RAG (Huang et al., KDD 2025). */
import type { StrategyDeclaration } from '../../strategy-declaration'
import { ketrag as strategy } from './ketrag'
import { need } from './need'
import { ketOptions } from './options'
import { ketSettings } from './settings'

export const ketrag: StrategyDeclaration = {
  name: 'ketrag',
  summary: 'A graph of key chunks plus keywords from all text',
  enabled: 'default',
  settings: ketSettings,
  options: ketOptions,
  removed: { settings: ['weighting'], options: ['weighting'] },
  strategy,
  need,
}
