/** Personalised PageRank, after HippoRAG 2 (Gutiérrez et al., 2025). */
import type { StrategyDeclaration } from '../../strategy-declaration'
import { pprOptions } from './options'
import { ppr as strategy } from './ppr'

export const ppr: StrategyDeclaration = {
  name: 'ppr',
  summary: 'Ranks passages by a walk over passages, sentences and names',
  enabled: 'always',
  isJoint: true,
  options: pprOptions,
  strategy,
}
