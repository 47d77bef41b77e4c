/**
 * "May I fly a drone?" A sentence that allows or forbids the thing ("drones are forbidden") says what one may do with it, whatever the verb. In
 * English only.
 */

/** What one would do, and with what. */
const ASKS =
  /^(?:may|can|could|must|am|are|is)(?: (?:i|we|one|you|people|visitors|guests|members|it))?(?: (?:allowed|permitted))?(?: to)? (\p{Ll}+)(?: (?:an?|my|our|your|the|with)(?!\p{L})| \p{L}+)/iu
const RULES =
  /(?<!\p{L})(?:forbid(?:s|den)?|prohibit(?:s|ed)?|banned|allow(?:s|ed)?|permit(?:s|ted)?|welcome|(?:must|may|can)(?: ?not|n[’']t)? (?:be|not)|not possible|off limits)(?!\p{L})/iu

/** The word of a question that says what one would do. */
export function actionOf(question: string): string | undefined {
  return ASKS.exec(question)?.[1]?.toLowerCase()
}

export function rules(text: string): boolean {
  return RULES.test(text)
}
