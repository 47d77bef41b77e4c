import { fingerprint } from './ids'
import { keyOfRole, type Settings } from './settings'
import type { Builder } from './strategy'

/**
 * The version of the prompts by which a model is asked while a corpus is indexed (flows/prompts.ts). It changes with their words: replies are kept with the
 * version they were asked with, and extractions of another one are asked for again, a few at a time.
 */
export const PROMPTS = '4'

/** Of what a builder has a model extract: the prompts, what of the corpus's settings they hold, and the model it has chosen. */
export function promptsOf({ prompted }: Pick<Builder, 'prompted'>, settings: Settings): string {
  const model = keyOfRole(settings, 'extract').map((key) => fingerprint(key).slice(0, 12))
  const own = [prompted?.(settings) ?? '', ...model].filter(Boolean)
  return [PROMPTS, ...own].join('+')
}
