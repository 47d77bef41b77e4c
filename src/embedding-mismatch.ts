/** A corpus whose vectors are of no model that the deployment has: refused by name, since vectors of two models have nothing to do with one another. */
import { type EmbeddingModel, type EmbeddingSettings, embeddingModelOf, isEmbeddedBy } from './core/settings'

const MISMATCH = 'corpus: embedding mismatch: '

export function refuseMismatch(has: readonly EmbeddingModel[], settings: EmbeddingSettings): void {
  if (!has.some((one) => isEmbeddedBy(settings, one))) throw mismatch(has, settings)
}

/** It crosses RPC as a message: its beginning is for the machine, the rest for people. */
export function mismatch(has: readonly EmbeddingModel[], settings: EmbeddingSettings): Error {
  const made = embeddingModelOf(settings) ?? { id: 'another model', dimensions: settings.dimensions }
  return new Error(`${MISMATCH}The corpus was created with ${nameOf(made)}; the deployment has ${has.map(nameOf).join(' and ')}.`)
}

/** A vector came that is of the model the corpus had before it was moved. */
export function movedMeanwhile(embedded: string, settings: EmbeddingSettings): Error {
  const now = embeddingModelOf(settings) ?? { id: 'another model', dimensions: settings.dimensions }
  return new Error(
    `${MISMATCH}The text was embedded with ${embedded}, and the corpus was moved to ${nameOf(now)} meanwhile. Send it again.`,
  )
}

/** What to say of such an error; undefined for any other. */
export function mismatchIn(message: string): string | undefined {
  return message.startsWith(MISMATCH) ? message.slice(MISMATCH.length) : undefined
}

const nameOf = ({ id, dimensions }: EmbeddingModel): string => `${id} (${dimensions} dimensions)`
