import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entities } from '../../../src/core/text/entities'
import { bareTitle, nameKey } from '../../../src/core/text/names'
import { folded, keyWords, occurs, saysOne, wordsOf } from '../../../src/core/text/occurrences'

const keys = (text: string): string[] => [...new Set(entities(text).map((one) => one.key))].sort()

describe('names without a model', () => {
  it('[Q1] a key folds case and width, drops article and possessive, and keeps the letters of every script', () => {
    expect(['The Beatles', "Obama's", 'Jesús Gil', 'Ｆｕｌｌ Width', '東京', 'Пётр Ильич', 'AC/DC'].map(nameKey)).toEqual([
      'beatles',
      'obama',
      'jesús gil',
      'full width',
      '東京',
      'пётр ильич',
      'ac dc',
    ])
  })

  it('[Q1] a trailing bracket only distinguishes namesakes', () => {
    expect([bareTitle('Alien (film)'), bareTitle('(What’s the Story)')]).toEqual(['Alien', '(What’s the Story)'])
  })

  it('[Q2] capitalised runs with small words, initials and ranks are names; what opens a sentence is not', () => {
    expect(keys('However, President G. W. Bush went to the University of Oslo.')).toEqual([
      'g w bush',
      'oslo',
      'president g w bush',
      'university of oslo',
    ])
  })

  it('[Q2] quoted titles, dates, Katakana and bracketed titles are names', () => {
    expect(keys('On 2 November 1932 he read “Angi Vera”. 夏目の「吾輩は猫である」とシェイクスピア。')).toEqual([
      '2 november 1932',
      'angi vera',
      'シェイクスピア',
      '吾輩は猫である',
    ])
  })

  it('[Q700] a place or a year behind a name is no part of it, nor is a count; a title with a number is a name', () => {
    expect(
      [
        'Byron died at Missolonghi in 1824.',
        'They sent 860 Receipts to the office, see Table 2.',
        'The Analytical Engine in London was never built.',
        '# Missolonghi In 1824',
        'In 1824 Byron died.',
        'He read "Murder in London" twice.',
        '12 Angry Men and Apollo 11, then the 1984 Summer Olympics. Founded in 1905.',
      ].map(keys),
    ).toEqual([
      ['byron', 'missolonghi'],
      [],
      ['analytical engine', 'london'],
      ['missolonghi'],
      ['byron'],
      ['london', 'murder', 'murder in london'],
      ['12 angry men', '1984 summer olympics', 'apollo 11'],
    ])
  })

  it('[Q2] every mention is a slice of the text', () => {
    const text = 'The “Glass Harbour” by Élodie Faure, Mr. Tan and 10 March 2001 – U.S. Steel & Co of Łódź.'
    for (const one of entities(text)) expect(text.slice(one.start, one.end)).toBe(one.surface)
    expect(entities(text).length).toBeGreaterThan(4)
  })

  it('[Q2] a text in lower case has no names, and nothing breaks on odd input', () => {
    expect([entities('boundary layer flow over a flat plate'), entities(''), entities('\ud800 \u0000 “”')]).toEqual([[], [], []])
  })

  it('[G1100] a text found to say a name by its letters alone is one that says it read word by word', () => {
    const text = fc.array(fc.constantFrom('an', 'An', 'Ann', 'ann', '4', 'a', ' ', '  ', '-', '. ', '_', '\n', 'é'), { maxLength: 14 })
    const name = fc.array(fc.constantFrom('an', 'ann', 'a', '4', 'anan', 'é'), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(text, fc.array(name, { minLength: 1, maxLength: 2 }), (parts, names) => {
        const whole = parts.join('')
        const words = wordsOf(whole)
        expect(saysOne(names)(whole, folded(whole))).toBe(names.some((one) => occurs(words, one)))
      }),
      { numRuns: 2000, seed: 1100 },
    )
  })

  it('[Q2] a name occurs where its words stand in order and the first may begin a name', () => {
    const says = (text: string, name: string): boolean => occurs(wordsOf(text), keyWords(nameKey(name)))
    expect([
      says('He saw The Glass Harbour.', 'Glass Harbour'),
      says('a glass harbour', 'Glass Harbour'),
      says('the Glass and Harbour', 'Glass Harbour'),
      says('彼は東京大学で学んだ', '東京大学'),
      says("Corvin's", 'Corvin'),
    ]).toEqual([true, false, false, true, true])
  })

  it('[Q2] words of plain text are those that the pattern for every script finds', () => {
    const plain = "The 2nd MARK-II, co-written: Anna's 3D_x-ray\t(No. 7)\n\nTHE end.a"
    const marked = (text: string) => wordsOf(`${text} \u2014`) // a dash, which is no word, takes the way of all scripts
    for (let from = 0; from <= plain.length; from++) expect(wordsOf(plain.slice(from))).toEqual(marked(plain.slice(from)))
  })
})
