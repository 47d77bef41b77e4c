/** What a question fixes, and a sentence fixes otherwise: no answer, however much of the question the sentence says. */
import { describe, expect, it } from 'vitest'
import { ANSWERED, confidence, OF_COMPARISON } from '../../../src/core/reader/confidence'
import { lacksDefinition } from '../../../src/core/reader/definition'
import { isOtherwise } from '../../../src/core/reader/otherwise'
import { readQuestion } from '../../../src/core/reader/question'
import { read } from '../../../src/core/reader/read'

type Text = readonly [title: string, text: string]
const passages = (...texts: Text[]) => texts.map(([title, text], i) => ({ id: `p${i}`, title, text }))
const asked = (question: string) => new Map(readQuestion(question).terms.map((term) => [term, { weight: 1, isKnown: true }]))
const sure = (question: string, ...texts: Text[]): number => confidence(question, passages(...texts), asked(question), { count: 40 })
function first(question: string, ...texts: Text[]): string {
  const own = passages(...texts)
  const [slice] = read(question, own, asked(question)).sentences
  return slice ? (own[slice.passage]?.text.slice(slice.start, slice.end) ?? '') : ''
}
function front(question: string, text: string): string {
  const { span } = read(question, passages(['', text]), asked(question))
  return span ? text.slice(span.start, span.end) : ''
}

const CLUB: Text = ['Swimming club of Vell', 'Adults pay 120 thalers a year. Children pay half. The treasurer is Ada Quill.']
const QUERN: Text = ['Releases', 'Quern 1.1 was released in June under the code name Heron. Quern 2.0 (Plover) was released in August.']

describe('what a question fixes', () => {
  it('[R2190] an amount for another period, and another dimension, is no answer', () => {
    expect(isOtherwise('What is Ada Quill paid a month?', ['Adults pay 120 thalers a year.'], [])).toBe(true)
    expect(isOtherwise('What do adults pay a year?', ['Adults pay 120 thalers a year, or 12 a month.'], [])).toBe(false)
    expect(isOtherwise('How much is the rent per month?', ['The rent is 40 thalers.'], [])).toBe(false)
    expect(isOtherwise('How long is the Black Lake?', ['The Black Lake is 38 metres deep.'], [])).toBe(true)
    expect(isOtherwise('How tall is the tower?', ['The tower is 31 metres high and 4 metres wide.'], [])).toBe(false)
    expect(isOtherwise('How long is the lake?', ['The lake measures 4 kilometres.'], [])).toBe(false)
    expect(sure('What is Ada Quill paid a month?', CLUB)).toBeLessThan(ANSWERED)
    expect(sure('How long is the Black Lake?', ['The Black Lake', 'The Black Lake is 38 metres deep.'])).toBe(0)
    expect(sure('What do adults pay a year?', CLUB)).toBeGreaterThan(ANSWERED)
  })

  it('[R2190] one of a sequence must be said to be that one; one by size need not', () => {
    const second = 'Who was the second keeper of the lighthouse?'
    expect(isOtherwise(second, ['Ivo Tamm was keeper of the lighthouse until 1988.'], [])).toBe(true)
    expect(isOtherwise(second, ['Ivo Tamm was its 2nd keeper.'], [])).toBe(false)
    expect(isOtherwise(second, ['Ivo Tamm was keeper.'], ['The second keeper'])).toBe(false)
    expect(isOtherwise('Who was the first keeper of the lighthouse?', ['With Ivo Tamm as keeper, the lamp was repaired.'], [])).toBe(true)
    expect(isOtherwise('Who was the first keeper of the lighthouse?', ['Ivo Tamm became keeper in 1840.'], [])).toBe(false)
    expect(isOtherwise('What is the second largest town?', ['Cray is next to Vell in size.'], [])).toBe(false)
  })

  it('[R2191] a number with points is said only as written, and a thing with another number is another thing', () => {
    expect(first('When was Quern 2.0 released?', QUERN)).toBe('Quern 2.0 (Plover) was released in August.')
    expect(first('What was the code name of Quern 2.0?', QUERN)).toBe('Quern 2.0 (Plover) was released in August.')
    expect(first('What was the code name of Quern 1.1?', QUERN)).toContain('Heron')
    expect(isOtherwise('What was the code name of Quern 3.0?', ['Quern 1.1 was released under the code name Heron.'], [])).toBe(true)
    expect(isOtherwise('Who sleeps in Room 12?', ['Ada sleeps in Room 14.'], [])).toBe(true)
    expect(isOtherwise('Who sleeps in Room 12?', ['Ada sleeps in Room 14.'], ['Room 12'])).toBe(false)
    const notes: Text = [
      'Notes',
      'In version 1.2 of the program 0 leaks were left. In version 2.0 all printing of the program became faster for everybody.',
    ]
    expect(first('What happened in version 2.0 of the program?', notes)).toContain('faster')
    expect(isOtherwise('In 2015 who won?', ['In 2014 the ferry sank.'], [])).toBe(false)
    expect(front('How many members had the club in 1999?', 'Quern 2.1 was used by the club in 1999; its members met weekly.')).toBe('')
  })

  it('[R2192] what something is, or stands for, is answered by the sentence that says it', () => {
    const sounder: Text = [
      'Harbour handbook',
      'Switch the FPX on before you leave. If the FPX fails, call the office. Such devices are called Fixed Position Exchangers (FPX). The FPX is kept in the cabin.',
    ]
    const answer = 'Such devices are called Fixed Position Exchangers (FPX).'
    expect([first('What is an FPX?', sounder), first('What does FPX stand for?', sounder)]).toEqual([answer, answer])
    expect(lacksDefinition(readQuestion('What is an FPX?'), ['Switch the FPX on before you leave.'])).toBe(true)
    expect(lacksDefinition(readQuestion('What is a tern?'), ['The tern, a small gull, nests on the mole.'])).toBe(false)
    expect(lacksDefinition(readQuestion('What is a tern?'), ['A tern is a bird.'])).toBe(false)
    expect(lacksDefinition(readQuestion('What is a tern?'), ['Few saw the terns, gulls of the north.'])).toBe(false)
    expect(lacksDefinition(readQuestion('What is the price of a tern?'), ['It is high.'])).toBe(false)
    expect(sure('What is an FPX?', ['Notes', 'Switch the FPX on before you leave.'])).toBe(0)
  })

  it('[R2193] who did something is the person beside the same verb', () => {
    const text: Text = [
      'The museum',
      'Olaf Rost is one of the founding members of the museum choir. Ida Lund founded the museum with two friends.',
    ]
    const choir: Text = ['The choir', 'Olaf Rost and the museum founded choirs.'] // ranked above, and shorter
    expect(first('Who founded the museum?', choir, ['The museum', 'With two of her friends Ida Lund founded the museum.'])).toContain(
      'Ida Lund',
    )
    expect(first('Who founded the museum?', text)).toBe('Ida Lund founded the museum with two friends.')
    expect(
      first('Who founded the museum?', ['', 'The museum choir of Olaf Rost was founded early. The museum was founded by Ida Lund.']),
    ).toContain('Ida Lund')
  })

  it('[R2194] what somebody is paid asks for an amount; a sum may be of a currency of old', () => {
    expect(['What is Ada Quill paid a month?', 'What were visitors charged?'].map((one) => readQuestion(one).kind)).toEqual([
      'amount',
      'amount',
    ])
    expect(readQuestion('What is the paid work of Ada Quill?').kind).not.toBe('amount')
    expect(first('What do adults pay?', CLUB)).toBe('Adults pay 120 thalers a year.')
    expect(front('What do adults pay?', CLUB[1])).toBe('120 thalers a year')
  })

  it('[R2196] a sentence that leads in a list is shown with its items', () => {
    const text =
      'The office is open daily. The following printers are supported:\n\n- Heron 200\n- Plover\n- Tern (black only)\n\nPaper is in the cellar.'
    const question = 'Which printers are supported?'
    expect(first(question, ['Printing', text])).toBe('The following printers are supported:\n\n- Heron 200\n- Plover\n- Tern (black only)')
    expect(first(question, ['Printing', 'The following printers are supported:\n\nPaper is in the cellar.'])).toBe(
      'The following printers are supported:',
    )
    expect(sure(question, ['Printing', 'Supported printers:\n\n- Heron 200\n- Plover'])).toBeGreaterThan(ANSWERED)
  })

  it('[R2195] a comparison in time that is read off two dates is certain', () => {
    const question = 'Who was born earlier, Edmund Tolliver or Judith Marr?'
    const both: Text[] = [
      ['Edmund Tolliver', 'Edmund Tolliver was born in 1871 in Cray.'],
      ['Judith Marr', 'Judith Marr, born in 1893, played the cello.'],
    ]
    expect(sure(question, ...both)).toBe(OF_COMPARISON)
    expect(sure(question, ...both.slice(1))).toBeLessThan(OF_COMPARISON)
  })
})
