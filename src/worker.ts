/**
 * The composition root: which adapter stands behind which port, and what the platform calls. No decision of the domain is made here.
 */
import { corpusObject } from '../durable-objects/corpus'
import { corpusOf } from './adapters/corpus'
import { readModel } from './adapters/read-model/publish'
import { type VectorizeLike, vectorize } from './adapters/vectorize'
import { modelsFrom } from './adapters/workers-ai-config'
import type { Env } from './env'
import { createApp } from './http/app'

export { Ingest } from './ingest'

export const Corpus = corpusObject((env) => ({
  index: vectorize(env.VECTORIZE as VectorizeLike),
  readModel: readModel(env.DB),
}))

const app = createApp((env: Env) => ({
  models: modelsFrom(env),
  index: vectorize(env.VECTORIZE as VectorizeLike),
  corpus: (uid: string) => corpusOf(env.CORPUS, uid),
}))

export default {
  fetch: app.fetch,
} satisfies ExportedHandler<Env>
