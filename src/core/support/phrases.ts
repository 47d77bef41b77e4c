/**
 * The noun phrases of a clause and what ties each to it: who does it, to whom, by whom, in what. There is no dictionary of word classes: articles,
 * prepositions and capitals show where a phrase begins, and known verbs and the form of a sentence where it ends. Wrong now and then; a check uses
 * it only where both sides agree. Pure.
 */
import type { Clause } from './clauses'
import type { Role } from './grammar/grammar'
import type { Rules } from './grammar/languages'
import { unitOf } from './units'
import { isVerb } from './verbs'
import type { Word } from './word'

const CONTRACTED: { readonly [word: string]: string } = {
  al: 'a',
  au: 'à',
  aux: 'à',
  zum: 'zu',
  zur: 'zu',
  im: 'in',
  ins: 'in',
  am: 'an',
  ans: 'an',
  beim: 'bei',
}

const TIME = new Set(['time', 'months'])

export interface Phrase {
  /** Place in the sentence at which it begins. */
  readonly at: number
  /** Places in the sentence of its words with a meaning. */
  readonly places: readonly number[]
  /**
   * `core`: subject or object; `object`: marked as done to; `agent`: the doer after a passive; `of`: belongs to the phrase before; otherwise the
   * preposition.
   */
  readonly tie: string
  /** A pronoun, or something named before. */
  readonly isPronoun: boolean
  readonly isDefinite: boolean
  /** An article that only a subject has: der, ein. */
  readonly isMarked: boolean
  /** In lower case; empty without an article. */
  readonly article: string
}

export interface Parsed {
  readonly phrases: readonly Phrase[]
  /** Place in the sentence of its first verb, if one was recognised. */
  readonly predicate: number | undefined
}

interface Open {
  at: number
  places: number[]
  tie: string
  isPronoun: boolean
  isDefinite: boolean
  isMarked: boolean
  article: string
}

const INDEFINITE = /^(?:an?|un|une|una|einen?|einem|einer?|eines)$/
const NOMINATIVE = /^(?:der|ein|dieser|jeder)$/
/** Prepositions with an article in them. */
const WITH_ARTICLE = /^(?:du|des|del|zum|zur|im|am|beim|vom|ins|ans|aux?)$/
const ENDS: ReadonlySet<Role | undefined> = new Set(['conjunction', 'relative', 'auxiliary', 'passive', 'negation'])
const TIES: ReadonlySet<Role | undefined> = new Set(['agent', 'genitive', 'preposition', 'comparison', 'lack'])

export function phrasesOf(clause: Clause, rules: Rules): Parsed {
  const builder = new Builder(clause, rules)
  for (const i of clause.words.keys()) builder.take(i)
  return builder.end()
}

/** Goes through a clause once, keeping which phrase is open and what ties the next one. */
class Builder {
  private readonly out: Phrase[] = []
  private predicate: number | undefined
  private open: Open | undefined
  private tie = 'core'

  constructor(
    private readonly clause: Clause,
    private readonly rules: Rules,
  ) {}

  take(i: number): void {
    const { words } = this.clause
    const word = words[i]
    if (!word || word.text === '-') return
    if (word.kind === 'content') this.takeContent(i)
    else if (word.kind === 'date' || word.kind === 'number') this.takeFigure(i)
    else if (word.role === 'article' || word.role === 'possessive' || word.role === 'object' || isPartitive(words, i))
      this.takeArticle(i, word)
    else if (word.role === 'pronoun') this.takePronoun(i)
    else if (TIES.has(word.role)) this.takeTie(i, word)
    else if (word.kind === 'sign' || ENDS.has(word.role)) this.takeEnd(i, word)
  }

  end(): Parsed {
    this.close()
    const first = this.out.findIndex((phrase) => phrase.tie === 'time')
    const subject = this.out[first]
    if (subject && !this.out.some((phrase) => phrase.tie === 'core')) this.out[first] = { ...subject, tie: 'core' }
    return { phrases: this.out, predicate: this.predicate }
  }

  private takeContent(i: number): void {
    const { words, at } = this.clause
    if (isVerb(words, i, this.open !== undefined && this.open.places.length > 0, this.rules)) {
      this.takeVerb(i)
      return
    }
    this.open ??= this.begin(i)
    this.open.places.push(at + i)
    this.tie = 'core'
  }

  private takeVerb(i: number): void {
    this.close()
    this.tie = 'core'
    this.predicate ??= this.clause.at + i
  }

  /** A number with a unit stands alone; any other counts what follows. */
  private takeFigure(i: number): void {
    const { words } = this.clause
    const word = words[i]
    if (word?.kind === 'number' && !word.quantity?.unit && words[i + 1]?.kind === 'content' && !isYear(words, i)) {
      this.open ??= this.begin(i)
      return
    }
    this.close()
    this.tie = 'core'
  }

  private takeArticle(i: number, { low, role }: Word): void {
    const before = this.clause.words[i - 1]
    if (this.open && (this.open.places.length > 0 || this.open.isPronoun)) this.close()
    // "die Rede der Ministerin"
    if (role === 'article' && low === 'der' && before?.capital && before.kind === 'content') this.tie = 'of'
    else if (role === 'object' && this.tie === 'core') this.tie = 'object'
    this.open ??= this.begin(i)
    this.open.tie = this.tie
    this.open.article = low
    if (this.tie === 'core' && NOMINATIVE.test(low)) this.open.isMarked = true
    if (role === 'possessive' || !INDEFINITE.test(low)) this.open.isDefinite = true
  }

  private takePronoun(i: number): void {
    this.close()
    this.open = { ...this.begin(i), isPronoun: true }
    this.close()
    this.tie = 'core'
  }

  private takeTie(i: number, word: Word): void {
    // "set up", "turned down"
    if (isParticle(this.clause.words, i, this.rules)) return
    this.close()
    this.tie = tieOf(word, this.clause)
    if (WITH_ARTICLE.test(word.low)) this.open = { ...this.begin(i), isDefinite: true }
  }

  private takeEnd(i: number, word: Word): void {
    this.close()
    if (word.kind === 'sign') this.tie = 'core'
    if (word.role !== 'auxiliary' && word.role !== 'passive') return
    this.tie = 'core'
    this.predicate ??= this.clause.at + i
  }

  private begin(i: number): Open {
    return { at: this.clause.at + i, places: [], tie: this.tie, isPronoun: false, isDefinite: false, isMarked: false, article: '' }
  }

  private close(): void {
    const { open } = this
    this.open = undefined
    if (!open || (open.places.length === 0 && !open.isPronoun)) return
    const isTime = open.tie === 'core' && open.places.some((place) => isTimeWord(this.clause.words[place - this.clause.at], this.rules))
    this.out.push({ ...open, tie: isTime ? 'time' : open.tie })
  }
}

function tieOf(word: Word, clause: Clause): string {
  if (word.role === 'agent') return agentTie(word, clause)
  if (word.role === 'genitive') return 'of'
  return word.role === 'comparison' ? 'than' : (CONTRACTED[word.low] ?? word.low)
}

function isParticle(words: readonly Word[], i: number, { grammar, senses }: Rules): boolean {
  const before = words[i - 1]
  return grammar.language === 'en' && before?.kind === 'content' && senses.has(`${before.key}-${words[i]?.low}`)
}

/** "by" names the doer only in a passive; the German "von" also means "of". */
function agentTie(word: Word, { isPassive }: Clause): string {
  if (isPassive) return 'agent'
  return word.low === 'von' || word.low === 'vom' ? 'of' : word.low
}

/** "par des marchands": there it is an article, not "of". */
function isPartitive(words: readonly Word[], i: number): boolean {
  const before = words[i - 1]?.role
  return words[i]?.role === 'genitive' && (before === 'agent' || before === 'preposition' || before === 'negation')
}

/** "in 1788 destroyed": what follows does not belong to the number. */
function isYear(words: readonly Word[], i: number): boolean {
  const value = words[i]?.quantity?.values[0] ?? 0
  return words[i - 1]?.role === 'preposition' && Number.isInteger(value) && value >= 1000 && value < 2200
}

/** Days and years say when, not who. */
function isTimeWord(word: Word | undefined, { senses, calendar }: Rules): boolean {
  if (!word) return false
  return TIME.has(unitOf(word.low)?.of ?? '') || (senses.get(word.key)?.some(({ row }) => calendar.has(row)) ?? false)
}
