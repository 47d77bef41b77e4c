/** Clue-RAG (Su et al., 2025). */
import type { StrategyDeclaration } from '../../strategy-declaration'
import { cluerag as strategy } from './cluerag'
import { SPACE } from './ledger'
import { need } from './need'
import { clueOptions } from './options'
import { clueSettings } from './settings'

export const cluerag: StrategyDeclaration = {
  name: 'cluerag',
  summary: 'Walks from clue to clue, and asks for what is still missing',
  enabled: 'default',
  settings: clueSettings,
  options: clueOptions,
  removed: { options: ['anchoring', 'activation', 'updating', 'titles'] },
  strategy,
  need,
  isVisible: ({ space }) => space === SPACE, // sums and numbers
}
