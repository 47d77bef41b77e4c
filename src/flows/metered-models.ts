/** Models whose calls are counted: by role, with outcome, duration, tokens and neurons, but no content. */
import type { Spent } from '../contract/usage'
import { secondsOf } from '../metrics/meters'
import type { Meters } from '../ports/metrics'
import type { Models, WriterRole } from '../ports/models'
import { faultOf } from './faults'
import { NEURON_USD, usdOf } from './prices'
import { writerFor } from './writers'

/** `writer`: the role of text that is written for no particular role. */
export function meteredModels(models: Models, meters: Meters, now: () => number, writer = 'text'): Models {
  const spend = (role: string, spent: Spent, stage = '', priced: Parameters<typeof usdOf>[0] = models): void => {
    if (spent.in > 0) meters.count('loam_model_tokens_total', { role, direction: 'in' }, spent.in)
    if (spent.out > 0) meters.count('loam_model_tokens_total', { role, direction: 'out' }, spent.out)
    if (spent.embedded > 0) meters.count('loam_model_tokens_total', { role, direction: 'embedded' }, spent.embedded)
    const usd = usdOf(priced, spent, stage)
    if (usd > 0) meters.count('loam_model_neurons_total', { role }, usd / NEURON_USD)
  }
  /** With the model that writes for the role. */
  const pricedFor = ({ role, model }: { readonly role?: WriterRole; readonly model?: string }) => {
    const { embedding, reranker, choices = [] } = models
    const text = choices.find(({ id }) => id === model) ?? (role ? writerFor(models, role) : models.text)
    return { embedding, reranker, text }
  }
  const made = async <T>(role: string, call: Promise<T>): Promise<T> => {
    const from = now()
    try {
      const reply = await call
      meters.count('loam_model_calls_total', { role, outcome: 'ok' })
      return reply
    } catch (error) {
      meters.count('loam_model_calls_total', { role, outcome: faultOf(error).fault })
      throw error
    } finally {
      meters.observe('loam_model_call_duration_seconds', { role }, secondsOf(now() - from))
    }
  }
  return {
    ...models,
    async embed(texts, options) {
      const reply = await made('embed', models.embed(texts, options))
      spend('embed', reply.spent)
      return reply
    },
    async rerank(query, texts, options) {
      const reply = await made('rerank', models.rerank(query, texts, options))
      spend('rerank', reply.spent, 'rerank')
      return reply
    },
    async write(messages, options) {
      const role = options.role ?? writer
      const reply = await made(role, models.write(messages, options))
      spend(role, reply.spent, writer === 'judge' ? 'judge' : '', pricedFor(options))
      return reply
    },
    async stream(messages, options) {
      const role = options.role ?? writer
      const reply = await made(role, models.stream(messages, options))
      return { ...reply, deltas: endingWith(reply.deltas, () => spend(role, reply.spent(), '', pricedFor(options))) }
    },
  }
}

/** The same, with a callback when it has ended, in whatever way. */
async function* endingWith(deltas: AsyncIterable<string>, ended: () => void): AsyncGenerator<string, void, void> {
  try {
    yield* deltas
  } finally {
    ended()
  }
}
