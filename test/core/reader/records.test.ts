/** Questions that a record answers: rows of tables, lists of fields, blocks of labels and values. */
import { describe, expect, it } from 'vitest'
import { compose } from '../../../src/core/reader/compose'
import { confidence } from '../../../src/core/reader/confidence'
import { readQuestion } from '../../../src/core/reader/question'
import { read } from '../../../src/core/reader/read'
import { recordsIn } from '../../../src/core/reader/records'
import { rowInWords } from '../../../src/core/text/table-row'

const rows = {
  id: 'rows',
  title: 'birds.csv',
  text: '- name: gull; count: 9; seen by: Ada Marlow\n- name: heron; count: 2; seen by: Ruben Sachs\n- name: owl; count: 4',
}
const gull = { id: 'gull', title: '', text: 'name: gull\ncount: 9' }
const heron = { id: 'heron', title: '', text: 'name: heron\ncount: 2' }
const boats = {
  id: 'boats',
  title: 'boats',
  text: 'name: Sea Holly\nkeeper: Bram Outwater\nberth: North Pier\nlast painted: 3 May 2019\n\nname: Little Auk\nkeeper: Suze Lamb\nberth: South Pier\nlast painted: 2 June 2021',
}
const stations = {
  id: 'stations',
  title: 'stations.md',
  text: '# Stations\n\n| Station | Height (m) | Opened | Warden |\n|---|---|---|---|\n| Upper Fenwick | 210 | 1931 | Ida Brenner |\n| Marl Pit | 96 | 1954 | Otto Brask |\n\nBoth are closed in winter.',
}
const preise = {
  id: 'preise',
  title: 'Preise',
  text: '| Ware | Preis | Anzahl |\n|---|---|---|\n| Honig | 6 Euro | 40 |\n| Wachs | 9 Euro | 12 |',
}
const all = [rows, boats, stations, preise]
const asked = (question: string) => new Map(readQuestion(question).terms.map((term) => [term, { weight: 1, isKnown: true }]))
const answer = (question: string, passages = all): string => compose(read(question, passages, asked(question)), passages).text
const sure = (question: string, passages = all): number => confidence(question, passages, asked(question), { count: 40 })

describe('records', () => {
  it('[R1700] the fields of tables, of lists and of blocks are found with the places of their values; prose has none', () => {
    for (const { text } of [...all, gull])
      for (const record of recordsIn(text))
        for (const { value, at, whole } of record.fields) {
          expect(text.slice(at.start, at.end)).toBe(value)
          expect([whole.start >= record.start, whole.end <= record.end, at.end <= whole.end]).toEqual([true, true, true])
        }
    expect([rows, boats, stations, preise, gull].map(({ text }) => recordsIn(text).map(({ fields }) => fields.length))).toEqual([
      [3, 3, 2],
      [4, 4],
      [4, 4],
      [3, 3],
      [2],
    ])
    const prose =
      'There were two: one red, one blue.\nHe said: come, and she did. Note: the lamp is out.\n| a | b |\n\nThe end: it was late.'
    expect([recordsIn(prose), recordsIn(''), recordsIn('|\n|---|\n||'), recordsIn('a: \n: b')]).toEqual([[], [], [], []])
  })

  it.each([
    ['How many gulls?', '9. name: gull; count: 9; seen by: Ada Marlow'],
    ['How many gulls are there?', '9. name: gull; count: 9; seen by: Ada Marlow'],
    ['What is the count of the heron?', '2. name: heron; count: 2; seen by: Ruben Sachs'],
    ['Who has seen the heron?', 'Ruben Sachs. name: heron; count: 2; seen by: Ruben Sachs'],
    ['Who keeps the Sea Holly?', 'Bram Outwater. name: Sea Holly\nkeeper: Bram Outwater\nberth: North Pier\nlast painted: 3 May 2019'],
    ['What is the berth of Little Auk?', 'South Pier. name: Little Auk\nkeeper: Suze Lamb\nberth: South Pier\nlast painted: 2 June 2021'],
    [
      'When was the Little Auk last painted?',
      '2 June 2021. name: Little Auk\nkeeper: Suze Lamb\nberth: South Pier\nlast painted: 2 June 2021',
    ],
    ['How high is Upper Fenwick?', '210. Upper Fenwick: 210, 1931, Ida Brenner'],
    ['When was Marl Pit opened?', '1954. Marl Pit: 96, 1954, Otto Brask'],
    ['Who is the warden of Marl Pit?', 'Otto Brask. Marl Pit: 96, 1954, Otto Brask'],
    ['Which station was opened in 1931?', 'Upper Fenwick: 210, 1931, Ida Brenner'],
    ['Wie viel kostet der Honig?', '6 Euro. Honig: 6 Euro, 40'],
  ])('[R1700] the field asked for answers where the record says the rest: %s', (question, expected) => {
    expect(answer(question)).toContain(expected)
    expect(sure(question)).toBe(0.9)
  })

  it('[R1701] a record of another thing, a field that is not there, two that disagree, and a question why or whether are read as any other text', () => {
    for (const question of [
      'How many puffins are there?',
      'What does the heron eat?',
      'Who built the Sea Holly?',
      'Why is the Sea Holly at North Pier?',
      'Is the count of the gulls 9?',
      'What is the berth of the Constant Anne?',
    ])
      expect([question, sure(question)]).not.toEqual([question, 0.9])
    const two = [gull, { ...gull, id: 'later', text: 'name: gull\ncount: 12' }]
    expect([sure('How many gulls?', two), sure('How many gulls?', [gull, heron]), sure('How many gulls?', [gull, gull])]).toEqual([
      expect.not.closeTo(0.9, 5),
      0.9,
      0.9,
    ])
  })

  it('[F2051] a row of a table is answered as words: its first cell, then the others', () => {
    const plans = { id: 'plans', title: 'Plans', text: '| Plan | Refund window |\n|---|---|\n| Free | none |\n| Pro \\| Team | 30 days |' }
    expect(answer('What is the refund window of the Free plan?', [plans])).toBe('none. Free: none')
    expect(rowInWords('| Pro \\| Team | 30 days |')).toBe('Pro | Team: 30 days')
    expect(['|---|---|', '| a', 'no | row', '||'].map(rowInWords)).toEqual(['|---|---|', '| a', 'no | row', '||'])
  })

  it('[R1700] of a long record the fields that answer are shown alone', () => {
    const long = { id: 'long', title: '', text: `name: gull\nnotes: ${'seen from the pier again '.repeat(20).trim()}\ncount: 9` }
    expect(answer('How many gulls?', [long])).toBe('9. name: gull count: 9')
  })
})
