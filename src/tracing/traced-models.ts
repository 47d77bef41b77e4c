/**
 * Models with a span around each call: its role, the model and its tokens, named as in OpenTelemetry's conventions for generative AI. No
 * text is recorded.
 */
import type { Spent } from '../contract/usage'
import type { Models, WriterRole } from '../ports/models'
import type { Attributes, Tracer } from '../ports/tracing'

/** `writer`: the role of text written for no particular role. */
export function tracedModels(models: Models, tracer: Tracer, writer: string): Models {
  const made = <T extends { readonly spent: Spent }>(role: string, model: string, call: () => Promise<T>): Promise<T> =>
    tracer.span(`model ${role}`, attributesOf(role, model), async (span) => {
      const reply = await call()
      span.set(tokensOf(reply.spent))
      return reply
    })
  const writerOf = ({ role, model }: { readonly role?: WriterRole; readonly model?: string }): string =>
    model ?? (role && models.roles?.[role]?.id) ?? models.text?.id ?? 'none'
  const { previous } = models
  return {
    ...models,
    ...(previous
      ? {
          previous: {
            ...previous,
            embed: (texts, options) => made('embed', previous.embedding.id, () => previous.embed(texts, options)),
          },
        }
      : {}),
    embed: (texts, options) => made('embed', models.embedding.id, () => models.embed(texts, options)),
    rerank: (query, texts, options) => made('rerank', models.reranker?.id ?? 'none', () => models.rerank(query, texts, options)),
    write: (messages, options) => made(options.role ?? writer, writerOf(options), () => models.write(messages, options)),
    stream: (messages, options) =>
      new Promise((resolve, reject) => {
        const role = options.role ?? writer
        const reading = tracer.span(`model ${role}`, attributesOf(role, writerOf(options)), async (span) => {
          const reply = await models.stream(messages, options)
          const { promise: isRead, resolve: ended } = Promise.withResolvers<void>()
          resolve({ ...reply, deltas: endingWith(reply.deltas, ended) })
          await isRead
          span.set(tokensOf(reply.spent()))
        })
        reading.catch(reject)
      }),
  }
}

function attributesOf(role: string, model: string): Attributes {
  const isWriter = role !== 'embed' && role !== 'rerank'
  const operation = role === 'embed' ? 'embeddings' : isWriter ? 'chat' : 'rerank'
  return { 'gen_ai.operation.name': operation, 'gen_ai.request.model': model, 'loam.role': role }
}

function tokensOf({ in: read, out, embedded }: Spent): Attributes {
  return { 'gen_ai.usage.input_tokens': read + embedded, 'gen_ai.usage.output_tokens': out }
}

/** The same values, and a call when the stream has ended, however it ended. */
async function* endingWith(deltas: AsyncIterable<string>, ended: () => void): AsyncGenerator<string, void, void> {
  try {
    yield* deltas
  } finally {
    ended()
  }
}
