/** What a graph must beat. */
import type { StrategyDeclaration } from '../../strategy-declaration'
import { hybrid as hybridSearch } from './hybrid'
import { keyword as keywordSearch } from './keyword'
import { vector as vectorSearch } from './vector'

export const vector: StrategyDeclaration = {
  name: 'vector',
  summary: 'Meaning alone (embeddings)',
  enabled: 'always',
  isJoint: true,
  strategy: vectorSearch,
}

export const keyword: StrategyDeclaration = {
  name: 'keyword',
  summary: 'Words alone (BM25)',
  enabled: 'always',
  isJoint: true,
  strategy: keywordSearch,
}

export const hybrid: StrategyDeclaration = {
  name: 'hybrid',
  summary: 'Words and meaning, fused',
  enabled: 'always',
  isJoint: true,
  strategy: hybridSearch,
}
