/** GORAG (arXiv 2501.02844). It classifies, and builds from labels instead of documents: it has no builder and no walk. */
import type { StrategyDeclaration } from '../../strategy-declaration'
import { goragSettings } from './settings'

export const gorag: StrategyDeclaration = {
  name: 'gorag',
  summary: 'Labels texts over a graph of keywords',
  enabled: 'chosen',
  settings: goragSettings,
  removed: { settings: ['weights', 'hub', 'sources', 'evidence', 'prompt', 'learning.reinforce'] },
  offers: ['labels'],
  keptSpaces: ['gorag/label', 'gorag/text', 'gorag/learned', 'gorag/vector'],
  isVisible: () => true, // labels are for all readers of the corpus
}
