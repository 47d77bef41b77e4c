import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readArtefact } from '../../../src/core/encoder/artefact'
import { staticEncoder } from '../../../src/core/encoder/encoder'
import { candidatesOf } from '../../../src/core/reader/candidates'
import { ANSWERED, confidence } from '../../../src/core/reader/confidence'
import { heardBy } from '../../../src/core/reader/heard'
import { likenessBy, type Meaning } from '../../../src/core/reader/likeness'
import { readQuestion } from '../../../src/core/reader/question'
import type { QuestionTerms } from '../../../src/core/reader/question-terms'
import { read } from '../../../src/core/reader/read'
import { type QuestionWord, questionWords } from '../../../src/core/reader/roles'
import { signsOf } from '../../../src/core/reader/signs'
import { distinct, terms } from '../../../src/core/text/terms'

interface Passage {
  readonly id: string
  readonly title: string
  readonly text: string
}
interface Question {
  readonly q: string
  readonly type: string
  readonly kind?: string
  readonly gold?: readonly string[]
  readonly answers?: readonly string[]
  readonly all?: readonly string[]
}
interface World {
  readonly passages: readonly Passage[]
  readonly questions: readonly Question[]
}
const worldOf = (name: string): World => JSON.parse(readFileSync(`bench/answers/${name}.json`, 'utf8')) as World
const harbour = worldOf('harbour')
const worlds = ['harbour', 'handbook', 'workshop', 'reserve'].map(worldOf)
const meaning = staticEncoder(readArtefact(Uint8Array.from(readFileSync('encoder/static.bin')).buffer))

/** Weights by how many of the passages say a term. */
function asked(question: string, passages: readonly Passage[] = harbour.passages): QuestionTerms {
  const said = passages.map((one) => new Set(terms(`${one.title}\n${one.text}`)))
  return new Map(
    distinct(terms(question)).map((term) => {
      const count = said.filter((one) => one.has(term)).length
      return [term, { weight: Math.log(1 + (said.length - count + 0.5) / (count + 0.5)), isKnown: count > 0 }]
    }),
  )
}

/** The few passages that say most of a question, best first: as keyword search finds them. */
function found(question: string, { passages }: World): readonly Passage[] {
  const weights = asked(question, passages)
  const worth = ({ title, text }: Passage): number =>
    distinct(terms(`${title}\n${text}`)).reduce((sum, term) => sum + (weights.get(term)?.weight ?? 0), 0)
  return passages
    .map((one) => ({ one, worth: worth(one) }))
    .filter((each) => each.worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, 6)
    .map(({ one }) => one)
}

function sure(question: string, world: World, by?: Meaning): number {
  return confidence(question, found(question, world), asked(question, world.passages), { meaning: by, count: world.passages.length })
}

const share = <T>(list: readonly T[], test: (one: T) => boolean): number => list.filter(test).length / list.length

describe('confidence', () => {
  it.each([
    ['with the encoder', meaning],
    ['by letters', undefined],
  ])('[R6] questions about something else are not answered, nearly all that the documents answer are: %s', (_, by) => {
    const of = (type: string): number[] =>
      worlds.flatMap((world) => world.questions.filter((one) => one.type === type).map((one) => sure(one.q, world, by)))
    expect(share(of('away'), (one) => one < ANSWERED)).toBeGreaterThanOrEqual(0.95)
    expect(share(of('answerable'), (one) => one >= ANSWERED)).toBeGreaterThanOrEqual(0.94)
  })

  it('[R6] most questions with the right names whose fact is missing are not answered', () => {
    const missing = worlds.flatMap((world) =>
      world.questions.filter((one) => one.type === 'missing').map((one) => sure(one.q, world, meaning)),
    )
    expect(missing.length).toBeGreaterThanOrEqual(100)
    expect(share(missing, (one) => one < ANSWERED)).toBeGreaterThanOrEqual(0.6)
  })

  it('[R6] without the sentence that answers it is less sure', () => {
    const passage = {
      id: 'p',
      title: 'The museum',
      text: 'The museum in the old ropeworks opened in 1974. Admission is free on Thursdays.',
    }
    const question = 'When did the museum in the ropeworks open?'
    const less = { ...passage, text: 'Admission is free on Thursdays.' }
    expect(confidence(question, [passage], asked(question), { count: harbour.passages.length })).toBeGreaterThan(0.9)
    expect(confidence(question, [less], asked(question), { count: harbour.passages.length })).toBeLessThan(ANSWERED)
  })

  it('[R6] is a number from 0 to 1 for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.constantFrom('', 'the of a', '?', '1'.repeat(5000), '東京はどこですか'),
    )
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 7 }), fc.boolean(), (question, texts, isMeant) => {
        const passages = texts.map((one, i) => ({ id: `p${i}`, title: one.slice(0, 10), text: one }))
        const by = { count: passages.length, ...(isMeant ? { meaning } : {}) }
        const value = confidence(question, passages, asked(question), by)
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }),
      { numRuns: 300, seed: 11 },
    )
    expect(confidence('the of a', harbour.passages, new Map(), { count: harbour.passages.length })).toBe(0)
  })

  it('[R1740] the answer is read from what was made of the passages to see how sure it is, and is that of reading alone', () => {
    const made: string[] = []
    const counting: Meaning = {
      encode: (of) => {
        made.push(of)
        return meaning.encode(of)
      },
    }
    for (const { q } of harbour.questions.slice(0, 12)) {
      const passages = harbour.passages.map((one) => ({ ...one }))
      const known = asked(q, passages)
      confidence(q, passages, known, { meaning: counting, count: passages.length })
      const before = made.length
      const answer = read(q, passages, known, counting)
      expect(made.slice(before)).toEqual([])
      expect(answer).toEqual(read(q, [...passages], known, meaning))
      // Another question to the same passages is another reading.
      expect(read('Who is Nobody Atall?', passages, known, counting)).toEqual(read('Who is Nobody Atall?', [...passages], known, meaning))
    }
    expect(made.length).toBeGreaterThan(0)
  })
})

/** Share, by weight, of the question's words in that role that the first sentence says, with its title and the one before. */
function heard(of: { role: QuestionWord['role']; question: string; title?: string; text: string; by?: Meaning }): number {
  const passage = { id: 'p', title: of.title ?? '', text: of.text }
  const [first] = heardBy(readQuestion(of.question), [passage], candidatesOf(passage, 0), {
    asked: asked(of.question, [passage]),
    meaning: of.by,
  })
  const words = (first?.words ?? []).filter((one) => one.asked.role === of.role)
  const whole = words.reduce((sum, one) => sum + one.asked.weight, 0)
  return whole > 0 ? words.reduce((sum, one) => sum + one.asked.weight * one.inContext, 0) / whole : 0
}

describe('what there is to see', () => {
  const rolesOf = (text: string): { [word: string]: string } =>
    Object.fromEntries(questionWords(readQuestion(text), asked(text)).map(({ word, role }) => [word, role]))

  it('[R20] distinguishes names, what is asked of them, what measures it and the noun asked for from the form of the question', () => {
    expect(rolesOf('How many steps does the tower on Kettle Point have?')).toEqual({
      many: 'form',
      steps: 'focus',
      tower: 'relation',
      kettle: 'name',
      point: 'name',
    })
    expect(rolesOf('How deep is the lagoon?')).toEqual({ deep: 'measure', lagoon: 'relation' })
    expect(rolesOf('Which company won the tender?')).toEqual({ company: 'focus', won: 'relation', tender: 'relation' })
    expect(rolesOf('Is error E4 dangerous?')).toEqual({ error: 'relation', e4: 'name', dangerous: 'relation' })
  })

  it('[R20] a word of the same meaning counts where there is an encoder, a number never does', () => {
    const { ofWord, ofTexts } = likenessBy(meaning)
    expect(ofWord('cost', ['price'])).toBeGreaterThan(0.7)
    expect(ofWord('husband', ['engineer'])).toBe(0)
    expect(ofWord('1847', ['1848'])).toBe(0)
    expect(ofTexts('the ferry', 'the ferry')).toBeCloseTo(1)
    expect(likenessBy(undefined).ofWord('cost', ['price'])).toBe(0)
    const kiln = {
      role: 'relation',
      question: 'How much does the kiln cost?',
      title: 'The kiln',
      text: 'The price of the kiln is 40 francs.',
    } as const
    expect(heard({ ...kiln, by: meaning })).toBeGreaterThan(heard(kiln))
  })

  it.each([
    ['How many toilets does the hut have?', 'The hut has 48 beds.', 'uncounted', 1],
    ['How many beds does the hut have?', 'The hut has 48 beds.', 'uncounted', 0],
    ['Who built the hut?', 'The hut was built of stone.', 'noPerson', 1],
    ['Who built the hut?', 'The hut was built by Reto Gruber.', 'noPerson', 0],
    ['Which architect built the hut?', 'The hut was built for the Alpine Club.', 'noPerson', 1],
    ['Which architect built the hut?', 'The hut was Reto Gruber’s first work.', 'noPerson', 0],
    ['What did the architect build?', 'The hut was built for the Alpine Club.', 'noPerson', 0],
    ['How much does a night cost?', 'A night takes ten hours.', 'noAmount', 1],
    ['How much does a night cost?', 'A night is 68 francs.', 'noAmount', 0],
    ['How often does the cable car run?', 'The cable car runs until 17:30.', 'noAmount', 1],
    ['How often does the cable car run?', 'The cable car runs every half hour.', 'noAmount', 0],
    ['How much silver was dug in the mine?', 'Silver was dug in the mine from 1540 to 1612.', 'noAmount', 1],
    ['When was the hut built?', 'The hut was built of stone.', 'noDate', 1],
    ['Why is the mine closed?', 'The mine is closed on Mondays.', 'uncaused', 1],
    ['Why is the mine closed?', 'The mine is closed because its roof is unsafe.', 'uncaused', 0],
  ] as const)('[R20] %s — %s', (question, text, sign, value) => {
    const passage = { id: 'p', title: '', text }
    expect(signsOf(question, [passage], asked(question, [passage]), undefined, 1)?.[sign]).toBe(value)
  })
})

describe('a word in another form', () => {
  const shareOf = (role: 'relation' | 'name', question: string, text: string): number => heard({ role, question, text })

  it.each([
    ['relation', 'When did Salome Wirz die?', 'Salome Wirz (1902–1987) taught biology.', 'Salome Wirz taught biology in 1940.'],
    ['relation', 'Who wrote the report?', 'The report was written by Ana Ruiz.', 'The report was lost by Ana Ruiz.'],
    ['name', 'When was Ghandi in London?', 'Gandhi was in London in 1888.', 'Garibaldi was in London in 1864.'],
    ['name', 'What did Anna Berg break?', 'AnnaBerg: I broke the lamp.', 'BenLind: I broke the lamp.'],
  ] as const)('[R291] counts as said, %s: %s', (role, question, said, other) => {
    expect(shareOf(role, question, said)).toBeGreaterThanOrEqual(0.8)
    expect(shareOf(role, question, other)).toBeLessThan(0.75)
  })

  it('[R292] of few passages agreement is less by chance', () => {
    const of = (count: number): number | undefined => {
      const passages = Array.from({ length: count }, (_, i) => ({ id: `p${i}`, title: '', text: `Heron ${i} waits.` }))
      return signsOf('Which heron flies?', passages.slice(0, 3), asked('Which heron flies?', passages), undefined, count)?.small
    }
    expect([of(3), of(30), of(500)]).toEqual([1, 0, 0])
    expect(of(9)).toBeCloseTo(0.47, 2)
  })
})

describe('our own questions', () => {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')

  it.each(['who', 'when', 'how many', 'how much', 'where', 'yes-no', 'why', 'list', 'what', 'comparison', 'two hops'])(
    '[R26] %s: one or two sentences hold the answer of most',
    (kind) => {
      const own = worlds.flatMap((world) =>
        world.questions
          .filter((one) => one.kind === kind)
          .map(({ q, answers = [], all }) => {
            const passages = found(q, world)
            const { sentences } = read(q, passages, asked(q, world.passages), meaning)
            const text = plain(sentences.map(({ passage, start, end }) => passages[passage]?.text.slice(start, end)).join(' '))
            return all ? all.every((one) => text.includes(plain(one).trim())) : answers.some((one) => text.includes(plain(one).trim()))
          }),
      )
      expect(own.length).toBeGreaterThanOrEqual(3)
      expect(share(own, (one) => one)).toBeGreaterThanOrEqual(0.6)
    },
  )
})
