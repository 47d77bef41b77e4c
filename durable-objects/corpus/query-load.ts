/** Is the corpus being asked questions? Then work that can wait continues in smaller steps. */
import type { CorpusContext } from './store'

const LATELY = 10_000 // ms after a question during which the next one is expected

/** Is this corpus being asked? It then continues in the smallest steps. */
export function isBeingQueried({ lastQuestion, now }: Pick<CorpusContext, 'lastQuestion' | 'now'>): boolean {
  return lastQuestion !== undefined && now() - lastQuestion.at < LATELY
}

/** Is this corpus, or another of its isolate, which has the same thread? */
export function isThreadQueried(context: Pick<CorpusContext, 'lastQuestion' | 'now' | 'areOthersAsked'>): boolean {
  return isBeingQueried(context) || context.areOthersAsked?.() === true
}
