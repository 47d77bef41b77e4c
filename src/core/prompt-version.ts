import type { Settings } from './settings'
import type { Builder } from './strategy'

/**
 * The version of the prompts by which a model is asked while a corpus is indexed (flows/prompts.ts). It changes with their words: replies are kept with the
 * version they were asked with, and extractions of another one are asked for again, a few at a time.
 */
export const PROMPTS = '4'

/** Of a builder's prompts: theirs, and what of the corpus's settings they hold. */
export function promptsOf({ prompted }: Pick<Builder, 'prompted'>, settings: Settings): string {
  const own = prompted?.(settings) ?? ''
  return own === '' ? PROMPTS : `${PROMPTS}+${own}`
}
