/** Things with a form of their own: what lacks it is no answer, however much of the question it says. */
import { describe, expect, it } from 'vitest'
import { ANSWERED, confidence } from '../../../src/core/reader/confidence'
import { isFormless } from '../../../src/core/reader/formless'
import { readQuestion } from '../../../src/core/reader/question'

const lacks = (question: string, ...texts: string[]): boolean => isFormless(readQuestion(question), texts)
const HUT = 'The Murmel hut stands at 2,180 metres on the saddle above the lakes.'

describe('what has a form', () => {
  it('[R1703] a number that measures, a sum and a year count nothing; another number does, and so does the unit that is asked for', () => {
    expect(lacks('How many toilets does the Murmel hut have?', HUT)).toBe(true)
    expect(lacks('How many members does the club have?', 'Visitors pay 9 euros; members pay nothing.')).toBe(true)
    expect(lacks('How many farmers are against the plan?', 'A boardwalk is planned for 2027.')).toBe(true)
    expect(lacks('How many toilets does the hut have?', HUT, 'It has four toilets.')).toBe(false)
    expect(lacks('How many members does the club have?', 'There are 40; visitors pay 9 euros.')).toBe(false)
    expect(lacks('How many metres above the sea is the hut?', HUT)).toBe(false)
    expect(lacks('How many guests attended the dinner?', 'It was attended by 2000 guests.')).toBe(false)
    expect(lacks('How many people live there?', 'Several do.')).toBe(false)
  })

  it('[R1703] a telephone number, an address of mail, a postcode, a colour and a weight have theirs', () => {
    const pairs = [
      ['What is the telephone number of the hut?', 'Call 081 555 12.'],
      ['What is the e-mail address of Ida Brenner?', 'Write to ida@quern.example.'],
      ['What is the postcode of Orchard Lane?', 'Orchard Lane, 4021 Vestrand.'],
      ['What colour is the lighthouse painted?', 'It has red and white bands.'],
      ['How heavy was the bear?', 'It weighed 180 kilograms.'],
    ] as const
    for (const [question, answer] of pairs)
      expect([question, lacks(question, 'It stands by the harbour.'), lacks(question, answer)]).toEqual([question, true, false])
    expect(lacks('Who has a telephone number?', 'Ida Brenner has one.')).toBe(false)
    expect(lacks('What does the colour of the flag mean?', 'It means that the lake is closed.')).toBe(false)
  })

  it('[R1703] a question that is answered by none counts as not answered', () => {
    const asked = (question: string) => new Map(readQuestion(question).terms.map((term) => [term, { weight: 1, isKnown: true }]))
    const sure = (question: string, text: string) =>
      confidence(question, [{ id: 'hut', title: 'The Murmel hut', text }], asked(question), { count: 3 })
    const question = 'How many toilets does the Murmel hut have?'
    expect([sure(question, HUT), sure(question, `${HUT} The Murmel hut has four toilets.`) > ANSWERED]).toEqual([0, true])
  })
})
