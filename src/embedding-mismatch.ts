/** A corpus whose vectors are of no model that the deployment has: refused by name, since vectors of two models have nothing to do with one another. */
import { type EmbeddingModel, embeddingModelOf, isEmbeddedBy, type Settings } from './core/settings'

const MISMATCH = 'corpus: embedding mismatch: '

export function refuseMismatch(has: readonly EmbeddingModel[], settings: Pick<Settings, 'models' | 'dimensions'>): void {
  if (has.some((one) => isEmbeddedBy(settings, one))) return
  const made = embeddingModelOf(settings) ?? { id: 'another model', dimensions: settings.dimensions }
  // It crosses RPC as a message: its beginning is for the machine, the rest for people.
  throw new Error(`${MISMATCH}The corpus was made with ${nameOf(made)}; the deployment has ${has.map(nameOf).join(' and ')}.`)
}

/** What to say of such an error; undefined for any other. */
export function mismatchIn(message: string): string | undefined {
  return message.startsWith(MISMATCH) ? message.slice(MISMATCH.length) : undefined
}

const nameOf = ({ id, dimensions }: EmbeddingModel): string => `${id} (${dimensions} dimensions)`
