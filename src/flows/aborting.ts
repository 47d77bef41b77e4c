/** The same models, with all calls ending when the signal is aborted. */
import type { Models } from '../ports/models'
import type { AskDeps } from './ask-types'

export function withAbort(models: Models, signal: AbortSignal): Models {
  return {
    ...models,
    embed: (texts, options) => models.embed(texts, { ...options, signal }),
    rerank: (query, texts, options) => models.rerank(query, texts, { ...options, signal }),
    write: (messages, options) => models.write(messages, { ...options, signal }),
    stream: (messages, options) => models.stream(messages, { ...options, signal }),
  }
}

/** The same for everything a question is asked with, in every part of it. */
export function abortable(deps: AskDeps, gone: AbortSignal): AskDeps {
  const { models, judge, inSpan } = deps
  return {
    ...deps,
    models: withAbort(models, gone),
    ...(judge ? { judge: withAbort(judge, gone) } : {}),
    ...(inSpan
      ? {
          inSpan(name) {
            const { deps: inner, end } = inSpan(name)
            return { deps: abortable(inner, gone), end }
          },
        }
      : {}),
  }
}
