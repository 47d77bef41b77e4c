/**
 * What can be shown at once of an answer that arrives in pieces: nothing while it has only numbers of sources, nothing that may be a repeated prompt, and
 * nothing after a repetition. Pure.
 */
import { answerIn, mayBeEcho, type Told } from './answer-checks'
import { hasWords } from './markers'
import { withoutLoop } from './reply-checks'

const LOOK = 200 // characters between two checks for repetition

export interface ShownText {
  /** What can be shown now; empty: nothing. */
  take(piece: string): string
  /** The model says nothing useful any more, so the rest is not read. */
  isOver(): boolean
  isLoop(): boolean
  /** What was shown; empty if nothing was. */
  shown(): string
  /** The whole answer, and the part of it not shown yet. Undefined: there is none, and nothing was shown. */
  end(rest: string): { readonly text: string; readonly unsent: string } | undefined
}

/** `held`: nothing is shown before the end. */
export function shownText(told: Told, held: boolean): ShownText {
  let [text, shown, looked] = ['', '', 0]
  let over: 'echo' | 'loop' | undefined
  const look = (): void => {
    if (text.length < looked + LOOK) return
    looked = text.length
    if (withoutLoop(text).isLoop) over = 'loop'
  }
  /** Nothing has been shown yet: may it be? */
  const begins = (): boolean => {
    if (!hasWords(text) || mayBeEcho(text, told)) return false
    if (!answerIn(text, told)) over = 'echo'
    return over === undefined
  }
  return {
    take(piece) {
      text += piece
      look()
      if (over || held || (shown === '' && !begins())) return ''
      const now = text.slice(shown.length)
      shown = text
      return now
    },
    isOver: () => over !== undefined,
    isLoop: () => over === 'loop',
    shown: () => shown,
    end(rest) {
      const whole = text + rest
      if (shown !== '') return { text: whole, unsent: whole.slice(shown.length) }
      const answer = over === 'echo' ? undefined : answerIn(whole, told)
      return answer && { text: answer.text, unsent: answer.text }
    },
  }
}
