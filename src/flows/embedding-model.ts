/** Which of the deployment's embedding models a corpus uses. */
import { type EmbeddingSettings as Embedded, isEmbeddedBy } from '../core/settings'
import { refuseMismatch } from '../embedding-mismatch'
import type { Models } from '../ports/models'
import { missing } from './faults'

/** The models with the one that made the corpus's vectors. Refused if the deployment does not have it. */
export function modelsFor(models: Models, settings: Embedded): Models {
  const { previous, ...rest } = models
  refuseMismatch([models.embedding, ...(previous ? [previous.embedding] : [])], settings)
  return previous && isOfPrevious(models, settings) ? { ...rest, ...previous } : rest
}

/** The same for a runner, which leaves tasks open for which it has no model. */
export function embeddersFor(models: Models, settings: Embedded): Models {
  try {
    return modelsFor(models, settings)
  } catch {
    const { dimensions } = settings
    return { ...models, embedding: { ...models.embedding, dimensions }, embed: () => Promise.reject(missing()) }
  }
}

export function isOfPrevious({ embedding, previous }: Pick<Models, 'embedding' | 'previous'>, settings: Embedded): boolean {
  return previous !== undefined && !isEmbeddedBy(settings, embedding) && isEmbeddedBy(settings, previous.embedding)
}
