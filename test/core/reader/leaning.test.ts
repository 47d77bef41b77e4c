/** Which questions lean on the turn before them. */
import { describe, expect, it } from 'vitest'
import { leansOnEarlier } from '../../../src/core/reader/leaning'

describe('a question after another', () => {
  it.each([
    'And when?',
    'Why?',
    'How old is it?',
    'What did she paint in her last years?',
    'What about Norhaven and its walls?',
    'Who built this?',
    'Und wie hoch ist der Turm?',
    'Wann hat er die Mauer gebaut?',
    'Quand est-ce qu’il a construit le mur ?',
    '¿Y cuándo?',
    '何时建成?',
  ])('[F34] “%s” leans on it', (question) => {
    expect(leansOnEarlier(question)).toBe(true)
  })

  it.each([
    'Who won the World Cup of 1930?',
    'Which birds eat fish?',
    'Who rebuilt the harbour wall of Skarholm?',
    'Did Marta Lind leave her boat to the museum?',
    'What is this year’s budget for schools?',
    'Wer baute die Mauer von Skarholm?',
    'Quel est le prix du billet de train ?',
    '¿Quién construyó el muro del puerto?',
  ])('[F34] “%s” stands alone', (question) => {
    expect(leansOnEarlier(question)).toBe(false)
  })
})
