/**
 * What kind of thing a question asks for, by its question word and the noun beside it: rules in English, German, French and Spanish; any other
 * question asks for a `thing`, and no answer is refused for lacking that. Reads the question alone.
 */
import { entities, isOpener, type Mention } from '../text/entities'
import { readTerms as terms } from '../text/read-terms'
import { distinct } from '../text/terms'

export type AnswerKind = 'person' | 'place' | 'year' | 'date' | 'count' | 'amount' | 'name' | 'yes-no' | 'reason' | 'definition' | 'thing'

export interface Question {
  readonly text: string
  readonly kind: AnswerKind
  readonly terms: readonly string[]
  /** Names in the question. */
  readonly names: readonly Mention[]
  /** Terms of the noun asked for, such as `citi` in "which large city": they tell the answer's kind and seldom stand beside it. */
  readonly focus: readonly string[]
  /** Terms of what is to be counted, with what qualifies it: "how many musical instruments". */
  readonly counted: readonly string[]
  /** Words that only make it a question of its kind: "how many", "what year". */
  readonly form: readonly string[]
}

/** None of these stands between "which" and its noun: "What did the president …" does not ask for a president. */
const SMALL_WORD =
  '(?:is|was|are|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|the|an?|of|in|for|by|to)(?!\\p{L})'
/** Nouns for people who are identified by their name. */
const PEOPLE = [
  'person|man|woman|president|king|queen|emperor|empress|prince|princess|duke|pope|saint|bishop|monk|knight|captain|commander|senator|governor|mayor|judge|lawyer|coach',
  'author|writer|actor|actress|director|player|painter|sculptor|composer|singer|dancer|drummer|poet|rapper|architect|inventor|engineer|explorer|philosopher|astronomer|scholar|historian|comedian',
  'teacher|professor|leader|ruler|aviator|pilot|astronaut|cosmonaut|sailor|footballer|boxer|chairman|\\p{L}+icians?|\\p{L}+ographer',
  '(?!(?:communist|socialist|fascist|nationalist|capitalist|imperialist|buddhist|feminist|twist|wrist|waist|exist|(?:as|con|in|per|re|sub)sist|(?:check|en|play|short|wish|black)?list)s?(?!\\p{L}))\\p{L}{2,}ist',
].join('|')

/** In order: the first that matches decides. The group `focus`, if there is one, is the noun asked for. */
const PATTERNS: readonly (readonly [AnswerKind, RegExp])[] = [
  ['thing', /^how (?:is|was|are|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)(?!\p{L})/iu],
  ['year', words('(?:what|which) year|welche[mns]? jahr|quelle année|qué año')],
  ['date', opening('when|wann|quand|cuándo')],
  ['date', words('(?:which|what) (?:date|day|month|decade|century)|quelle date')],
  [
    'count',
    words('(?:how many|what (?:is |was )?(?:the )?(?:total )?number of|wie ?viele|combien de|cuánt[oa]s)(?: (?<focus>[\\p{L}-]+))?'),
  ],
  ['amount', words('how (?:much|long|old|far|tall|high|big|large|wide|deep|thick|fast|heavy|often|hot|cold|close)|combien|cuánt[oa]')],
  ['amount', words('what (?:percent(?:age)?|proportion|share|fraction|amount)|wie (?:viel|lange|alt|hoch|weit|groß|oft)')],
  [
    'amount',
    words(
      'what (?:is|was|are|were|does|did)(?: \\p{L}+){0,3} (?:population|cost|price|height|length|width|depth|weight|speed|distance|temperature|age|rate|score|budget|revenue|salary|area|percentage|fee|fine|rent|wage|income|turnover|profit|capacity|diameter|altitude)(?! (?:called|named|known))',
    ),
  ],
  ['amount', /^what (?:does|do|did|will|would)(?=\P{L})[^?]*(?<!\p{L})(?:cost|earn|weigh|pay|measure)(?!\p{L})/iu],
  ['amount', /^what (?:is|was|are|were)(?=\P{L})[^?]*(?<!\p{L})(?:paid|charged|earned)(?:\s*\?|$| (?:an?|per|each|every|for)(?!\p{L}))/iu],
  ['reason', words('why|how come|for what reason|what (?:is |was )?(?:the )?(?:reason|cause)s?|warum|weshalb|wieso|pourquoi|por qué')],
  ['person', opening('who|whom|whose|wer|wem|wen|wessen|qui|quién|quiénes')],
  ['person', words(`(?:what|which) (?:(?!${SMALL_WORD})\\p{L}+ ){0,2}(?<focus>${PEOPLE})s?`)],
  [
    'place',
    words(
      'where|wo|woher|wohin|où|dónde|(?:what|which) (?:\\p{L}+ )?(?<focus>country|countries|city|cities|town|village|state|county|province|region|continent|island|river|lake|ocean|sea|mountain|street|building|stadium|location|place)',
    ),
  ],
  [
    'name',
    words(
      '(?:what|which) (?:\\p{L}+ ){0,2}(?<focus>team|company|organi[sz]ation|university|school|newspaper|magazine|book|novel|film|movie|song|album|band|party|agency|group|war|battle|treaty|ship|language)s?|(?:what|which) (?:is|was|are|were) the names?|(?:called|named)\\s*\\?$',
    ),
  ],
  [
    'yes-no',
    /^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must|ist|sind|war|waren|hat|haben|kann|est-ce|es|son|fue)\b/iu,
  ],
  [
    'definition',
    /^(?:what|who) (?:is|are|was|were) (?:an? |the )?[^?]{1,60}\?*$|^what (?:does|do) [^?]{1,60} (?:mean|stand for)\s*\?*$|^define\b|^was (?:ist|sind)\b|^qu'est-ce\b|^¿?qué (?:es|son)\b/iu,
  ],
]
/** "When people are arrested, what do they do?" does not ask for a date. */
const CONDITION = /^(?:when|where|if|while|since)\s[^,?]*,\s*(?=(?:what|which|who|whom|whose|how|where|why|when)(?!\p{L}))/iu
const COUNTED = words(`how many (?<counted>(?!${SMALL_WORD})[\\p{L}-]+(?: (?!${SMALL_WORD})[\\p{L}-]+){0,2})`)
const BESIDE = words('(?:what|which) (?<focus>\\p{L}+(?: \\p{L}+)?)')

/** Anywhere, as whole words: `\b` only knows the letters of ASCII. */
function words(pattern: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${pattern})(?!\\p{L})`, 'iu')
}

/** As the first word, or the second, as in "To whom". Further inside, a question word only joins a clause. */
function opening(pattern: string): RegExp {
  return new RegExp(`^[¿\\s]*(?:\\p{L}+ )?(?:${pattern})(?!\\p{L})|, (?:${pattern})(?!\\p{L})`, 'iu')
}

export function readQuestion(text: string): Question {
  const clean = text.trim()
  const main = clean.replace(CONDITION, '')
  const found = PATTERNS.find(([, pattern]) => pattern.test(main))
  const match = found?.[1].exec(main)
  const focus = match?.groups?.focus ?? BESIDE.exec(main)?.groups?.focus ?? ''
  const kind = found?.[0] ?? 'thing'
  return {
    text: clean,
    kind,
    terms: distinct(terms(clean)),
    names: namesOf(clean),
    focus: distinct(terms(focus)),
    counted: kind === 'count' ? distinct(terms(COUNTED.exec(main)?.groups?.counted ?? focus)) : [],
    form: formOf(kind, match?.[0]),
  }
}

const SHORT = 3 // words: a longer match of the question also says what is asked for

function formOf(kind: AnswerKind, matched = ''): readonly string[] {
  const words = matched.toLowerCase().match(/\p{L}+/gu) ?? []
  return kind === 'definition' || words.length > SHORT ? [] : words
}

/** A question's first word is capitalised whatever it is. */
function namesOf(text: string): readonly Mention[] {
  return entities(text).filter((one) => one.start > 0 || /\s/.test(one.surface) || !isOpener(one.surface))
}
