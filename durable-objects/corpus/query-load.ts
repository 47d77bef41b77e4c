/** Is the corpus being asked questions? Then work that can wait continues in smaller steps. */
import type { CorpusContext } from './store'

const LATELY = 10_000 // ms after a question during which the next one is expected

/** Is this corpus being asked? */
export function isBeingQueried({ lastQuestion, now }: Pick<CorpusContext, 'lastQuestion' | 'now'>): boolean {
  return lastQuestion !== undefined && now() - lastQuestion.at < LATELY
}
