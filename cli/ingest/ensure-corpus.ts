/** The corpus that documents go into; if it does not exist, it is created, with a note that it is new. */
import { type Corpus, type CorpusClient, LoamError, type NewCorpus } from '../../src/client/client'
import type { Output } from '../output'

interface Wanted {
  readonly corpus: CorpusClient
  readonly out: Output
  /** For one that is new. */
  readonly config?: NewCorpus | undefined
}

export async function ensureCorpus({ corpus, out, config = {} }: Wanted): Promise<Corpus> {
  try {
    return await corpus.info()
  } catch (error) {
    if (!(error instanceof LoamError && error.code === 'corpus_not_found')) throw error
    out.note(`${corpus.name} is new`)
    return corpus.create(config)
  }
}
