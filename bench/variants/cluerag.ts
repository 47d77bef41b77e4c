/** The ablation of Clue-RAG's selector: which chunks the model reads is left to chance. */
import type { Chunk } from '../../src/core/graph/types'
import { random } from '../../src/core/random'
import type { ChunkValues } from '../../src/core/strategies/cluerag/values'

const lot = (chunk: Chunk): number => random(chunk.id).next()

export const byChance: ChunkValues = { onArrival: lot, ofAll: (_, chunks) => chunks.map(lot) }
