/** The same models, every call of which ends when the signal says so. */
import type { Models } from '../ports/models'

export function abortable(models: Models, signal: AbortSignal): Models {
  return {
    ...models,
    embed: (texts) => models.embed(texts, { signal }),
    rerank: (query, texts) => models.rerank(query, texts, { signal }),
    write: (messages, options) => models.write(messages, { ...options, signal }),
    stream: (messages, options) => models.stream(messages, { ...options, signal }),
  }
}
