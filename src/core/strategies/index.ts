/** The strategies of Loam. All that is known of them elsewhere follows from this list (`registry.ts`). The systems' builders run in this order. */
import type { StrategyDeclaration } from '../strategy-declaration'
import { archrag } from './archrag/declaration'
import { auto } from './auto/declaration'
import { hybrid, keyword, vector } from './baselines/declarations'
import { cluerag } from './cluerag/declaration'
import { erarag } from './erarag/declaration'
import { gorag } from './gorag/declaration'
import { ketrag } from './ketrag/declaration'
import { ppr } from './ppr/declaration'

export const declarations: readonly StrategyDeclaration[] = [auto, vector, keyword, hybrid, ppr, erarag, cluerag, ketrag, archrag, gorag]
