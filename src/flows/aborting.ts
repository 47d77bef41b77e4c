/** The same models, whose calls all end when the signal is aborted. */
import type { Models } from '../ports/models'

export function withAbort(models: Models, signal: AbortSignal): Models {
  return {
    ...models,
    embed: (texts, options) => models.embed(texts, { ...options, signal }),
    rerank: (query, texts, options) => models.rerank(query, texts, { ...options, signal }),
    write: (messages, options) => models.write(messages, { ...options, signal }),
    stream: (messages, options) => models.stream(messages, { ...options, signal }),
  }
}
