import { describe, expect, it } from 'vitest'
import { VisibleGraph } from '../../../src/core/access/visible-graph'
import { overviewOf } from '../../../src/core/channels/overview/overview'
import type { GraphReader } from '../../../src/core/graph/reader'
import { chunkOf, kindOf } from '../../../src/core/ids'
import { auto } from '../../../src/core/strategies/auto/auto'
import { eraBuilder } from '../../../src/core/strategies/erarag/build'
import { isVisibleValue } from '../../../src/core/strategies/registry'
import type { Retrieved } from '../../../src/core/strategy'
import { distinct, terms } from '../../../src/core/text/terms'
import { doc, docs, documentsOf, type World, world } from '../builders/worlds'

const PAPERS = [
  doc('r22', 'Annual report 2022', 'The reserve had 400 visitors. Two rangers were employed. The path was repaired.'),
  doc('r23', 'Annual report 2023', 'The reserve had 300 visitors. One ranger left. A wolf was seen.'),
  doc('m1', 'Minutes of the council, 12 March', 'The sea wall needs repairs. The library opens on Mondays.'),
  doc('m2', 'Minutes of the council, 4 June', 'The slipway was approved. The mayor leaves.'),
  doc('ada', 'Ada Brant', 'Ada Brant is a painter. She lives in Oslo.'),
  doc('bela', 'Bela Corvin', 'Bela Corvin is a painter. He lives in Porto.'),
]

function papers(more = 0): World {
  const at = world(auto.builders)
  at.change({ add: [...PAPERS, ...docs('crowd', more)] })
  return at
}

type Asking = Parameters<World['ask']>[2]
const planOf = (at: World, question: string, asking: Asking = {}) => {
  const retrieved = at.ask(auto, question, asking)
  return retrieved.kind === 'evidence' ? retrieved.overview : undefined
}
const sides = (at: World, question: string): unknown => planOf(at, question)?.sides.map((side) => [...side].sort())
const found = (retrieved: Retrieved) => (retrieved.kind === 'evidence' ? retrieved.found : [])

describe('which documents a question about a whole means', () => {
  it('[Q641] those its words name by title, a letter wrong or not, or by their kind in another language', () => {
    const at = papers()
    expect(sides(at, 'Summarise the annual report 2023')).toEqual([['r23']])
    expect(sides(at, 'Summarise the anual report for 2023')).toEqual([['r23']])
    expect(sides(at, 'Fasse das Protokoll vom 4. Juni zusammen')).toEqual([['m2']])
    expect(sides(at, 'What are the main points of the minutes?')).toEqual([['m1', 'm2']])
    expect(sides(at, 'Was haben die Berichte gemeinsam?')).toEqual([['r22', 'r23']])
    expect(sides(at, 'Summarise the annual report 2022 and the minutes of 4 June')).toEqual([['m2', 'r22']])
  })

  it('[Q641] a comparison has its sides, also where they share what they are', () => {
    const at = papers()
    for (const question of [
      'Compare the annual report 2022 with the annual report 2023',
      'Compare the annual reports of 2022 and 2023',
      'Compare the two annual reports',
      'How does the annual report of 2022 differ from that of 2023?',
    ])
      expect([question, sides(at, question)]).toEqual([question, [['r22'], ['r23']]])
  })

  it('[R1702] an address, a lecture and a sermon are texts: two that their titles tell by a year alone are compared', () => {
    const at = papers()
    const speech = (id: string, title: string) => doc(id, title, `${title}. Fellow citizens, we meet again. The harbour of Oslo is open.`)
    at.change({ add: [speech('a61', 'Kennedy, 20 January 1961'), speech('a69', 'Nixon, 20 January 1969')] })
    for (const question of [
      'Compare the addresses of 1961 and 1969',
      'What is the difference between the address of 1961 and the address of 1969?',
      'Vergleiche die Ansprachen von 1961 und 1969',
    ])
      expect([question, sides(at, question)]).toEqual([question, [['a61'], ['a69']]])
    expect(sides(at, 'Compare the addresses of 1961 and 1977')).not.toEqual(expect.arrayContaining([['a69']]))
    expect(planOf(at, 'Compare the prices of 1961 and 1969')).toBeUndefined()
  })

  it('[Q641] all there are where it names no text', () => {
    const at = papers()
    for (const question of ['What are the main topics?', 'Give me an overview of the documents', 'De quoi parlent les documents ?'])
      expect(sides(at, question)).toEqual([PAPERS.map((one) => one.id).sort()])
    expect(planOf(world(auto.builders), 'What are the main topics?')).toBeUndefined()
  })

  it('[Q641] one that names no text here is a question like any other; who asks for a summary gets one of what is found', () => {
    const at = papers()
    for (const question of [
      'What are the main themes of Hamlet?',
      'What do Ada Brant and Bela Corvin have in common?',
      'What is the difference between a tariff and a toll?',
      'What does Ada Brant say?',
      'What is the library about?',
      'Compare the prices of tin in Oslo and in Porto',
    ])
      expect([question, planOf(at, question)]).toEqual([question, undefined])
    const told = at.ask(auto, 'Summarise what is said of the library')
    expect(told.kind === 'evidence' && told.overview).toMatchObject({ kind: 'topic', about: 'what is said of the library' })
    expect(found(told)).toEqual(found(at.ask(auto, 'Summarise what is said of the library', { own: { overview: false } })))
    expect(found(told)[0]?.via).not.toBe('overview')
  })
})

describe('what it is answered from', () => {
  it('[Q642] each document has what it begins with before any has more; scores fall; the limits hold', () => {
    const at = papers()
    const all = at.ask(auto, 'What are the main topics?', { topK: 6 })
    expect(new Set(documentsOf(at, all))).toEqual(new Set(PAPERS.map((one) => one.id)))
    const scores = found(all).map((one) => one.score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(found(all).every((one) => one.via === 'overview')).toBe(true)
    expect(found(at.ask(auto, 'What are the main topics?', { topK: 2 })).length).toBe(2)
  })

  it('[Q642] in a large corpus so many documents are looked at, whatever it holds', () => {
    const reads = (count: number): { looked: number | undefined; read: number } => {
      const at = papers(count)
      let read = 0
      const graph = new Proxy(at.graph, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name, target)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => {
            if (name === 'chunk' || name === 'document') read++
            return Reflect.apply(value, target, given)
          }
        },
      }) as GraphReader
      const text = 'What are the main topics?'
      const whole = overviewOf(
        graph,
        { text, terms: distinct(terms(text)), near: {} },
        { topK: 10, whole: 24, budget: 4000, trace: false, own: {} },
      )
      return { looked: whole?.plan.looked, read }
    }
    const [some, many] = [reads(200), reads(500)]
    expect(some.looked).toBeGreaterThan(40)
    expect([some.looked, many.looked].every((looked = 0) => looked <= 64)).toBe(true)
    expect(Math.max(some.read, many.read)).toBeLessThan(400)
  })

  it('[Q642] summaries above all documents come first, and only there', () => {
    const at = world([...auto.builders, eraBuilder])
    at.change({ add: docs('crowd', 60) })
    const kinds = (question: string, asking: Asking = {}) =>
      found(at.ask(auto, question, { topK: 24, ...asking })).map((one) => kindOf(one.id))
    expect(kinds('What are the main topics?')[0]).toBe('summary')
    expect(kinds('What are the main topics?')).toContain('passage')
    expect(planOf(at, 'What are the main topics?')?.from).toBe('summaries')
    expect(kinds('What are the main topics?', { admits: () => true })).not.toContain('summary')
    expect(kinds('Summarise Seven Lanterns')).not.toContain('summary')
  })

  it('[Q642] neither diversity nor a cap per document changes what was chosen, but the cap holds', () => {
    const at = papers()
    const plain = found(at.ask(auto, 'What are the main topics?'))
    expect(found(at.ask(auto, 'What are the main topics?', { own: { diversity: 0.5 } }))).toEqual(plain)
    const capped = documentsOf(at, at.ask(auto, 'Summarise the annual report 2022', { own: { max_per_document: 1 } }))
    expect(capped).toEqual(['r22'])
  })

  it('[Q643] nothing outside the filter, and nothing the asker may not read, is found or named', () => {
    const at = papers()
    const hidden = new Set(['r23', 'm2'])
    const isOpen = (chunk: string): boolean => at.graph.placements(chunk).some((place) => !hidden.has(place.document))
    const open = PAPERS.map((one) => one.id).filter((id) => !hidden.has(id))
    const within = at.ask(auto, 'What are the main topics?', { admits: isOpen })
    expect(new Set(documentsOf(at, within))).toEqual(new Set(open))
    expect(planOf(at, 'Summarise the annual report 2023', { admits: isOpen })?.kind).toBe('topic')
    const sight = { document: (id: string) => !hidden.has(id), chunk: isOpen, derived: () => false }
    const seen = new VisibleGraph(at.graph, sight, isVisibleValue)
    for (const text of [
      'What are the main topics?',
      'What are the main points of the minutes?',
      'Compare the two annual reports',
      'Summarise the annual report 2023',
    ]) {
      const answer = auto.retrieve(
        seen,
        { text, terms: distinct(terms(text)), near: {} },
        new Map(),
        { topK: 20, budget: 4000, trace: true, own: {} },
        at.settings,
      )
      const said = JSON.stringify(answer)
      expect([text, [...hidden].filter((id) => said.includes(`"${id}"`))]).toEqual([text, []])
      for (const one of found(answer)) expect(isOpen(chunkOf(one.id))).toBe(true)
    }
  })

  it('[Q644] the trace says how, and the switch turns it off', () => {
    const at = papers()
    const retrieved = at.ask(auto, 'Compare the two annual reports')
    expect(retrieved.kind === 'evidence' && retrieved.trace).toMatchObject({
      overview: { kind: 'comparison', from: 'documents', documents: [['r22'], ['r23']], looked: 2 },
    })
    expect(planOf(at, 'Compare the two annual reports', { own: { overview: false } })).toBeUndefined()
  })
})
