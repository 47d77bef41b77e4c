/**
 * "Which is older, A or B?": the two sides, what is compared, and which end of it wins; and the year that a passage about a side gives for it. Only
 * comparisons in time of the sides themselves: comparing their directors or mothers would need a second step, which is not taken here.
 */

export interface Comparison {
  readonly sides: readonly [string, string]
  readonly event: 'birth' | 'death' | 'start'
  readonly wins: 'earliest' | 'latest'
}

const SIDES = /(?:,|:|\bbetween)\s+(?:the )?(?<a>[^,?]{2,80}?),? (?:or|and|oder|ou|o) (?:the )?(?<b>[^,?]{2,80}?)\s*\?*$/u
const EARLIEST = /\b(?:first|earlier|earliest|older|oldest|before)\b/iu
const LATEST = /\b(?:later|latest|last|more recent(?:ly)?|most recent(?:ly)?|younger|youngest|newer|after)\b/iu
const BIRTH = /\b(?:born|older|younger|oldest|youngest)\b/iu
const DEATH = /\b(?:died|die|death)\b/iu
const START =
  /\b(?:released?|published|founded|formed|established|opened|started|began|created|built|launched|came out|made|introduced|first|earlier|recently)\b/iu
const INDIRECT = /\b(?:whose|has (?:a|the) (?:director|author|performer|founder|composer)|director of|the (?:director|author) who)\b/iu
const YEAR = /\b(1[0-9]{3}|20[0-9]{2})\b/gu

export function comparisonOf(question: string): Comparison | undefined {
  const { a, b } = SIDES.exec(question.trim())?.groups ?? {}
  const earliest = EARLIEST.test(question)
  if (!a || !b || INDIRECT.test(question) || earliest === LATEST.test(question)) return undefined
  const event = BIRTH.test(question) ? 'birth' : DEATH.test(question) ? 'death' : START.test(question) ? 'start' : undefined
  return event && { sides: [a, b], event, wins: earliest ? 'earliest' : 'latest' }
}

/** The year a sentence gives for the event, undefined if it gives none. "(9 January 1868 – 12 February 1939)" is a birth and a death. */
export function yearOf(event: Comparison['event'], sentence: string): number | undefined {
  const life = /\((?:born |\*)?[^()]*?\b(1[0-9]{3}|20[0-9]{2})\b(?:[^()]*?[–—-]\s*[^()]*?\b(1[0-9]{3}|20[0-9]{2})\b)?[^()]*\)/u.exec(
    sentence,
  )
  if (event === 'death') return numberOf(life?.[2]) ?? after(sentence, DEATH)
  if (event === 'birth') return (BIRTH.test(sentence) ? after(sentence, BIRTH) : undefined) ?? numberOf(life?.[1])
  return after(sentence, START) ?? numberOf(sentence.match(YEAR)?.[0])
}

function after(sentence: string, cue: RegExp): number | undefined {
  const at = sentence.search(cue)
  return at < 0 ? undefined : numberOf(sentence.slice(at).match(YEAR)?.[0])
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
