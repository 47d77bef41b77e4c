/** ArchRAG (Wang et al. 2025, arXiv 2502.09891). */
import { texts } from '../../access/sight'
import type { StrategyDeclaration } from '../../strategy-declaration'
import { COMMUNITY_SHARE, archrag as strategy } from './archrag'
import { DESCRIPTIONS } from './entity-descriptions'
import { need } from './need'
import { archOptions } from './options'
import { archSettings } from './settings'

export const archrag: StrategyDeclaration = {
  name: 'archrag',
  summary: 'Communities, summarised layer by layer',
  enabled: 'chosen',
  settings: archSettings,
  options: archOptions,
  removed: { settings: ['cluster', 'augment', 'weights'], options: ['layers'] },
  strategy,
  need,
  offers: ['communities', 'names'],
  filterEvidence: { communities: COMMUNITY_SHARE },
  isVisible: ({ space, value }, sees) =>
    LAYOUT.test(space) || (space === DESCRIPTIONS && Array.isArray(value) && texts(value[1]).every(sees)),
}

/** Numbers, vectors and ids, without a word of any text. */
const LAYOUT = /^archrag\/(?:\d+|entry|linking|state|missing)$/
