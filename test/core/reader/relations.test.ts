/** Who stands to whom, when and since when, and what is allowed: small closed classes of words that say how a question and a sentence belong together. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readArtefact } from '../../../src/core/encoder/artefact'
import { staticEncoder } from '../../../src/core/encoder/encoder'
import { ANSWERED, confidence } from '../../../src/core/reader/confidence'
import { lacksDefinition } from '../../../src/core/reader/definition'
import { nearly } from '../../../src/core/reader/likeness'
import { isOtherwise } from '../../../src/core/reader/otherwise'
import { readQuestion } from '../../../src/core/reader/question'
import { read } from '../../../src/core/reader/read'
import { termsSaid } from '../../../src/core/reader/said'
import { signsOf } from '../../../src/core/reader/signs'

type Text = readonly [title: string, text: string]
const passages = (...texts: Text[]) => texts.map(([title, text], i) => ({ id: `p${i}`, title, text }))
const asked = (question: string) => new Map(readQuestion(question).terms.map((term) => [term, { weight: 1, isKnown: true }]))
const sure = (question: string, ...texts: Text[]): number => confidence(question, passages(...texts), asked(question), { count: 40 })
function shown(question: string, ...texts: Text[]): string[] {
  const own = passages(...texts)
  return read(question, own, asked(question)).sentences.map(({ passage, start, end }) => own[passage]?.text.slice(start, end) ?? '')
}
function front(question: string, text: string): string {
  const { span } = read(question, passages(['', text]), asked(question))
  return span ? text.slice(span.start, span.end) : ''
}

const meaning = staticEncoder(readArtefact(Uint8Array.from(readFileSync('encoder/static.bin')).buffer))

describe('which value of several', () => {
  it('[R2270] the one in the same part of the sentence as what is asked about', () => {
    expect(front('What do children pay?', 'Adults pay 12 euros, children pay 5 euros.')).toBe('5 euros')
    expect(front('What do children pay?', 'Adults pay 12 euros a year, children 5 euros.')).toBe('5 euros')
    expect(front('What do adults pay?', 'Adults pay 12 euros, children pay 5 euros.')).toBe('12 euros')
    expect(front('How much does a ticket cost for children?', 'A ticket costs 12 euros, for children 5 euros.')).toBe('5 euros')
    expect(front('How much does a ticket cost for children?', 'A ticket costs 12 euros for adults and 5 euros for children.')).toBe(
      '5 euros',
    )
    expect(front('When is glass collected?', 'Paper is collected every second Tuesday, glass on the first Friday.')).toBe(
      'the first Friday',
    )
  })

  it('[R2270] a weight answers how heavy something is', () => {
    expect(front('How heavy is the bell?', 'The bell, 90 centimetres wide, weighs 400 kilograms.')).toBe('400 kilograms')
  })
})

describe('when', () => {
  const HALL: Text = ['The hall', 'The hall is open from Tuesday to Sunday, 10 am to 5 pm. It opened in 1931.']

  it('[R2271] what happened once is not dated by hours and weekdays of the present', () => {
    expect(shown('When did the hall open?', HALL)[0]).toBe('It opened in 1931.')
    expect(front('When did the hall open?', 'The hall is open from Tuesday to Sunday.')).toBe('')
    expect(front('When did the fire start?', 'The fire was started on Tuesday.')).toBe('Tuesday')
    expect(front('When does the hall open?', 'The hall is opened at 10 am.')).toBe('10 am')
  })

  it('[R2276] a span of years says every year in it, and answers for no other', () => {
    const led: Text = ['The club', 'Ada Quill led the club from 2002 to 2009. Tom Frost led the club from 2010 to 2014.']
    expect(shown('Who led the club in 2011?', led)[0]).toBe('Tom Frost led the club from 2010 to 2014.')
    expect(shown('Who led the club in 2005?', led)[0]).toBe('Ada Quill led the club from 2002 to 2009.')
    expect(isOtherwise('Who led the club in 2011?', ['Ada Quill led the club from 2002 to 2009.'], [])).toBe(true)
    expect(isOtherwise('Who led the club in 2011?', ['Ada Quill led the club from 2002.'], [])).toBe(false)
    expect(isOtherwise('Who led the club in 2011?', ['Ada Quill led the club from March 2003 until March 2005.'], [])).toBe(true)
    expect(isOtherwise('Who led the club in 2004?', ['Ada Quill led the club from March 2003 until 5 March 2005.'], [])).toBe(false)
    expect(isOtherwise('Who led the club in 2011?', ['Ada Quill led the club (2002–2009).'], ['Minutes of 2011'])).toBe(false)
  })
})

describe('who stands to whom', () => {
  it('[R2272] a question about somebody’s kin is not answered where nobody is kin', () => {
    expect(isOtherwise('Who was the sister of the last keeper?', ['The last keeper, Ivo Tamm, left in 1988.'], [])).toBe(true)
    expect(isOtherwise('What was Ivo Tamm’s wife called?', ['Ivo Tamm was called the Owl.'], [])).toBe(true)
    expect(isOtherwise('What was Ivo Tamm’s wife called?', ['Ivo Tamm married Ada Quill.'], [])).toBe(false)
    expect(isOtherwise('Who was the mother of Ivo Tamm?', ['Ivo Tamm was a son of Ada Quill.'], [])).toBe(false)
    expect(isOtherwise('What do children pay?', ['It costs 5 euros.'], [])).toBe(false)
    expect(sure('Who was the sister of the last keeper?', ['The light', 'The last keeper, Ivo Tamm, left in 1988.'])).toBe(0)
  })

  it('[R2273] who came before or after somebody is said by a word of succession', () => {
    const club: Text = [
      'The club',
      'Ada Quill has led the club since 2016. Before she came to Vell she led the choir of Cray. Her predecessor, Tom Frost, is a baker.',
    ]
    expect(shown('Who led the club before Ada Quill?', club)[0]).toBe('Her predecessor, Tom Frost, is a baker.')
    expect(isOtherwise('Who took the place of Ada Quill?', ['Ada Quill and Tom Frost led the club.'], [])).toBe(true)
    expect(isOtherwise('Who led the club before Ada Quill?', ['Ada Quill took over from Tom Frost.'], [])).toBe(false)
    expect(isOtherwise('Who led the club before the war?', ['Tom Frost led the club.'], [])).toBe(false)
  })

  it('[R2278] whoever did something else did not do what is asked', () => {
    const wall = 'The tender for the sea wall was won by Harbour Works Ltd.'
    const lacks = (question: string, text: string): number => {
      const [own, texts] = [passages(['', text]), asked(question)]
      return signsOf(question, own, texts, meaning, 40)?.noPerson ?? Number.NaN
    }
    expect(lacks('Who voted against the repair of the sea wall?', wall)).toBe(1)
    expect(lacks('Who won the tender for the sea wall?', wall)).toBe(0)
    expect(lacks('Who built the sea wall?', 'The sea wall was constructed by Harbour Works Ltd.')).toBe(0)
  })

  it('[R2278] a question about somebody named is not led on to somebody else', () => {
    const minutes: Text = ['Minutes', 'Present were Tom Frost and Ada Quill.']
    const ada: Text = ['Ada Quill', 'Ada Quill was admitted to the guild in 1926.']
    expect(shown('When did Tom Frost open his workshop?', minutes, ada)).toEqual(['Present were Tom Frost and Ada Quill.'])
    const film: Text = ['The Silent Ferry', 'The Silent Ferry is a film whose director is Ada Quill.']
    expect(shown('When was the director of The Silent Ferry admitted to the guild?', film, ada)).toHaveLength(2)
  })
})

describe('what words say in another form', () => {
  const reserve: Text = ['The reserve', 'In the reserve there is no road, and drones are forbidden.']

  it('[R2279] what there is most of is the best, or the most', () => {
    const shop: Text = ['The shop', 'The shop sells copies of tumblers, books and marbles. Its best selling article is the thimble glass.']
    expect(shown('What does the shop sell the most of?', shop)[0]).toBe('Its best selling article is the thimble glass.')
    expect(shown('What does the shop sell?', shop)[0]).toBe('The shop sells copies of tumblers, books and marbles.')
  })

  it('[R2274] a sentence that allows or forbids a thing says what one may do with it', () => {
    expect(sure('May I fly a drone in the reserve?', reserve)).toBeGreaterThan(sure('Will they fly a drone in the reserve?', reserve))
    expect(sure('May I fly a kite?', reserve)).toBeLessThan(ANSWERED)
  })

  it('[R2275] “What does RFS mean?” needs the words it stands for', () => {
    const question = readQuestion('What does RFS mean?')
    expect(lacksDefinition(question, ['RFS is mounted at the start.', 'Set RFS to zero.'])).toBe(true)
    expect(lacksDefinition(question, ['RFS is an old file system.'])).toBe(false)
    expect(lacksDefinition(question, ['Set RFS to zero.'])).toBe(true)
    expect(lacksDefinition(question, ['The Remote File System is fast.'])).toBe(false)
    expect(lacksDefinition(question, ['A remote file system (RFS) is fast.'])).toBe(false)
    expect(lacksDefinition(readQuestion('What does the sign mean?'), ['Set RFS to zero.'])).toBe(false)
  })

  it('[R2277] a German participle says its verb', () => {
    expect(shown('Wer baute die Bahn?', ['Die Bahn', 'Die Bahn ist lang. Gebaut wurde sie von Konrad Ammann.'])[0]).toContain('Konrad')
    expect(nearly('fuhrt', termsSaid('Sie wird von Renate Hufnagel geführt.'))).toBe(1)
    expect(nearly('gefuhrt', termsSaid('Renate Hufnagel führt sie.'))).toBe(1)
    expect(nearly('rman', termsSaid('german'))).toBe(0)
  })
})
