/** OpenAI's embeddings: vectors of a corpus's model. Charged to the named corpus and to the key's day. */
import { base64 } from '../../base64'
import { embeddingList, embeddingsSchema } from '../../contract/embeddings'
import { Allowance, allowanceOf, settle, settleKey } from '../../flows/allowance'
import { type EmbeddedFloats, embedCovered } from '../../flows/embed-floats'
import { pricesOf } from '../../flows/prices'
import type { Models } from '../../ports/models'
import { recordOfName } from '../access'
import { MIB, readJson } from '../body'
import type { Ctx } from '../context'
import { configOf, embeddingFor } from '../corpus-config'
import { modelParts } from '../doors/chat-request'
import { keyKeeper } from '../key-limits'
import { hasCorpus } from '../principal'
import { notFound, Problem } from '../problem'
import { route } from '../route'

const LIMIT = MIB // texts amount to about 260,000 tokens

export const embeddingRoutes = [
  route({
    method: 'post',
    path: '/v1/embeddings',
    id: 'createEmbedding',
    tag: 'chat',
    summary: 'Embed texts with a corpus’s model',
    description:
      'Vectors of unit length, from the model of the corpus’s vectors. A text longer than the model’s limit is read in windows, and the mean is its vector. The corpus is charged; a key for all corpora may name the deployment’s embedding model instead.',
    access: 'reader',
    body: { schema: embeddingsSchema, limit: LIMIT, readBy: 'handler', example: { model: 'manuals', input: ['When is bread baked?'] } },
    answers: { 200: { description: 'A vector for each text.', schema: embeddingList } },
    problems: ['not_found', 'over_budget', 'embedding_mismatch', 'model_unavailable'],
    foreign: true,
  }).answer(async (c) => {
    const { model, input, encoding_format, dimensions } = await readJson(c, embeddingsSchema, LIMIT)
    const texts = typeof input === 'string' ? [input] : input
    const { vectors, spent } = await embeddedFor(c, model, dimensions ?? undefined, texts)
    const shown = encoding_format === 'base64' ? floatsAsBase64 : (vector: Float32Array): number[] => Array.from(vector)
    const data = vectors.map((vector, index) => ({ object: 'embedding' as const, index, embedding: shown(vector) }))
    return { status: 200, body: { object: 'list', data, model, usage: { prompt_tokens: spent.embedded, total_tokens: spent.embedded } } }
  }),
]

async function embeddedFor(c: Ctx, model: string, dimensions: number | undefined, texts: readonly string[]): Promise<EmbeddedFloats> {
  const world = c.get('world')
  const principal = c.get('principal')
  if (model === world.models.embedding.id && principal?.corpora === null) {
    checkDimensions(world.models, dimensions)
    const prices = pricesOf(world.models, world.judge)
    const key = keyKeeper(c, prices)
    const allowance = new Allowance(prices, key ? [key] : [])
    try {
      return requireCovered(await embedCovered(world.models, allowance, texts))
    } finally {
      settleKey({ key, later: world.later }, allowance)
    }
  }
  const record = await recordOfName(c, modelParts(model)[0], true)
  if (!record || !principal || !hasCorpus(principal, record)) throw notFound('corpus')
  const config = configOf(world, record)
  const { models } = embeddingFor(world, config)
  checkDimensions(models, dimensions)
  const deps = { corpus: world.corpus(record.uid), config, key: keyKeeper(c, config.prices), later: world.later }
  const allowance = allowanceOf(deps)
  try {
    return requireCovered(await embedCovered(models, allowance, texts))
  } finally {
    settle(deps, allowance)
  }
}

function checkDimensions({ embedding }: Models, wanted: number | undefined): void {
  if (wanted === undefined || wanted === embedding.dimensions) return
  const message = `${embedding.id} has ${embedding.dimensions} dimensions, and its vectors are not shortened`
  throw new Problem('invalid', message, { errors: [{ path: 'dimensions', message }] })
}

function requireCovered(embedded: EmbeddedFloats | undefined): EmbeddedFloats {
  if (embedded) return embedded
  throw new Problem('over_budget', 'The corpus’s remaining budget, or the key’s remaining daily limit, does not cover these texts.')
}

function floatsAsBase64(vector: Float32Array): string {
  const view = new DataView(new ArrayBuffer(vector.length * 4))
  for (const [i, one] of vector.entries()) view.setFloat32(i * 4, one, true)
  return base64(new Uint8Array(view.buffer))
}
