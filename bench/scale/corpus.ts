/**
 * A corpus of any size that looks like pages of the web to whoever indexes it: words by Zipf, names by a power law, most pages short and some very long,
 * a twentieth of them almost a copy of an earlier one. Seeded: a page is made from its number alone, so nothing is held in memory.
 */
import { type Random, random } from '../../src/core/random'

export interface Page {
  readonly id: string
  readonly title: string
  readonly text: string
}

const VOCABULARY = 120_000
const SMALL =
  'the of and to in a is that for it as was with be by on not he his but at are this have from or had an they which one were all their there been has when who will no more if out so said what up its about into than them can only other time new some could these two may then do first any my now such like our over me even most made after also did many before must through years where much your way well down should because each just those people how too little state good very make world still own see men work long get here between both life being under never day same another know while last might us great old year off come since against go came right used take three'.split(
    ' ',
  )
const SYLLABLES =
  'ba be bi bo bu ca ce ci co cu da de di do du fa fe fi fo ga ge go gu ha he hi ho ja jo ka ke ki ko la le li lo lu ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo wa we wi za zo'.split(
    ' ',
  )
const GIVEN = 3000 // first words of names: many people share one
const OF_A_PAGE = 4096 // names that a page may bring
const NAMED = 0.85 // names in a sentence
const NEW = 0.34 // of the names said are met here first,
const AGAIN = 0.3 // and were said on this page before; the others are known from earlier pages
const COPIES = 0.05 // pages that are almost one of before
const CHANGED = 0.03 // of a copy's sentences
const MEDIAN = 1300 // words of a page
const SPREAD = 1.3 // of its logarithm: every fiftieth page is fifteen times as long
const LONGEST = 60_000 // words

export class Corpus {
  readonly #seed: string

  constructor(seed = 'scale') {
    this.#seed = seed
  }

  page(n: number): Page {
    const dice = random(`${this.#seed} ${n} page`)
    const of = n > 20 && dice.next() < COPIES ? dice.below(n) : n
    const { title, paragraphs } = this.#original(of)
    const known = namesKnown(of)
    const text = paragraphs.map((sentences) =>
      sentences.map((one) => (of !== n && dice.next() < CHANGED ? sentence(dice, () => known(dice)) : one)).join(' '),
    )
    return { id: `page-${n}`, title: of === n ? title : `${title}, again`, text: text.join('\n\n') }
  }

  /** Asks for what one page of the first so many says. */
  question(n: number, pages: number): string {
    const dice = random(`${this.#seed} ${n} question`)
    const { title, paragraphs } = this.#original(dice.below(pages))
    const sentences = paragraphs.flat()
    const words = (sentences[dice.below(sentences.length)] ?? '').replace(/[.,]/g, '').split(' ')
    return `What does ${title} say of ${words.slice(0, 9).join(' ')}?`
  }

  #original(n: number): { readonly title: string; readonly paragraphs: readonly (readonly string[])[] } {
    const dice = random(`${this.#seed} ${n}`)
    const known = namesKnown(n)
    let own = 1
    const named = (): string => {
      const lot = dice.next()
      if (lot < NEW && own < OF_A_PAGE) return nameOf(n * OF_A_PAGE + own++)
      return lot < NEW + AGAIN || n === 0 ? nameOf(n * OF_A_PAGE + Math.floor(own * dice.next() ** 2)) : known(dice)
    }
    const words = Math.min(LONGEST, Math.ceil(MEDIAN * Math.exp(SPREAD * dice.normal())))
    const paragraphs: string[][] = []
    for (let said = 0; said < words; ) {
      const paragraph = Array.from({ length: 3 + dice.below(6) }, () => sentence(dice, named))
      for (const one of paragraph) said += one.split(' ').length
      paragraphs.push(paragraph)
    }
    return { title: nameOf(n * OF_A_PAGE), paragraphs }
  }
}

/** Of earlier pages, the more often the earlier: what was met first is said most. */
function namesKnown(n: number): (dice: Random) => string {
  return (dice) => nameOf(Math.floor(n * dice.next() ** 3) * OF_A_PAGE + Math.floor(12 * dice.next() ** 2))
}

function sentence(dice: Random, named: () => string): string {
  const words = Array.from({ length: 7 + dice.below(22) }, () => word(dice))
  for (let names = NAMED; names > 0; names--) if (dice.next() < names) words.splice(dice.below(words.length), 0, named())
  if (dice.next() < 0.15) words.push('in', String(1700 + dice.below(320)))
  const [first = '', ...rest] = words
  return `${first.slice(0, 1).toUpperCase()}${first.slice(1)} ${rest.join(' ')}.`
}

/** Rank r with a frequency like 1/r. */
function word(dice: Random): string {
  const rank = Math.floor(VOCABULARY ** dice.next()) - 1
  return SMALL[rank] ?? spelled(rank)
}

/** A word for a number, another for every one. */
function spelled(n: number): string {
  let out = ''
  for (let left = n + SYLLABLES.length; left > 0; left = Math.floor(left / SYLLABLES.length)) out += SYLLABLES[left % SYLLABLES.length]
  return out
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

function nameOf(n: number): string {
  return `${capital(spelled((Math.imul(n, 0x9e3779b1) >>> 0) % GIVEN))} ${capital(spelled(n))}son`
}
