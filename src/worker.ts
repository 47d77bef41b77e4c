/**
 * The composition root: which adapter stands behind which port, and what the platform calls. No decision of the domain is made here.
 */
import { corpusObject } from '../durable-objects/corpus'
import { version } from '../package.json'
import { answers } from './adapters/catalogue/answers'
import { catalogue } from './adapters/catalogue/catalogue'
import { hooks } from './adapters/catalogue/hooks'
import { conversion } from './adapters/conversion'
import { corpusOf } from './adapters/corpus'
import { listings } from './adapters/read-model/listings'
import { readModel } from './adapters/read-model/publish'
import { type VectorizeLike, vectorize } from './adapters/vectorize'
import { modelsFrom } from './adapters/workers-ai-config'
import type { Env } from './env'
import { tendAll } from './flows/tend'
import { vault } from './hooks/seal'
import { createApp } from './http/app'

export { Ingest } from './ingest'

export const Corpus = corpusObject((env) => ({
  index: vectorize(env.VECTORIZE as VectorizeLike),
  readModel: readModel(env.DB),
}))

const app = createApp((env: Env) => ({
  version,
  adminKey: env.ADMIN_KEY ?? '',
  models: modelsFrom(env),
  index: vectorize(env.VECTORIZE as VectorizeLike),
  corpus: (uid: string) => corpusOf(env.CORPUS, uid),
  catalogue: catalogue(env.DB),
  answers: answers(env.DB),
  listings: listings(env.DB),
  hooks: hooks(env.DB),
  vault: vault(env.MASTER_KEY ?? ''),
  limit: async (key) => (await env.PUBLIC_LIMIT.limit({ key })).success,
  convert: conversion(env.AI),
  now: () => Date.now(),
}))

export default {
  fetch: app.fetch,
  /** Nothing is sent through the queue yet: what arrives is not ours, and belongs where someone will look at it. */
  async queue(batch) {
    batch.retryAll()
  },
  async scheduled(_controller, env) {
    const { corpora, failed } = await tendAll({
      catalogue: catalogue(env.DB),
      answers: answers(env.DB),
      corpus: (uid) => corpusOf(env.CORPUS, uid),
      now: Date.now(),
    })
    console.log(JSON.stringify({ event: 'tended', corpora, failed }))
  },
} satisfies ExportedHandler<Env>
