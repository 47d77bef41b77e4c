import { describe, expect, it } from 'vitest'
import { accessSchema, principalsSchema } from '../../../src/contract/fields'
import { isLabel, reader } from '../../../src/core/access/labels'
import { seesBeneath } from '../../../src/core/access/sight'
import { random } from '../../../src/core/random'
import { strategies } from '../../../src/core/strategies/registry'
import { ask, labels, labelsFrom, NAMES, SUBJECTS, seenBy, sightOf, type Text, textFrom, worldOf } from './worlds'

function textsFrom(seed: string, count: number): Text[] {
  const numbers = random(seed)
  return Array.from({ length: count }, (_, nth) => textFrom(numbers, nth, labelsFrom(numbers)))
}

const leaks = (answer: unknown, hidden: readonly Text[]): string[] => {
  const said = JSON.stringify(answer).toLowerCase()
  return hidden.flatMap((one) => one.secrets.filter((word) => new RegExp(`${word.toLowerCase()}(?!\\d)`).test(said)))
}

describe('who may read what', () => {
  it('[P1] a document may be read by those who share a label with it, by everybody where it has none, by an administrator in any case', () => {
    const cases = [
      { asker: [], labels: [], reads: true },
      { asker: [], labels: ['group:a'], reads: false },
      { asker: ['group:a'], labels: ['group:a', 'group:b'], reads: true },
      { asker: ['group:c'], labels: ['group:a', 'group:b'], reads: false },
      { asker: ['GROUP:A'], labels: ['group:a'], reads: false },
      { asker: [], labels: ['*'], reads: true },
      { asker: 'all' as const, labels: ['group:a'], reads: true },
    ]
    expect(cases.map((one) => reader(one.asker, undefined)(one.labels))).toEqual(cases.map((one) => one.reads))
  })

  it('[P1] a document without labels has those of `default_access`; an empty list leaves it to administrators', () => {
    expect([
      reader([], ['group:staff'])([]),
      reader(['group:staff'], ['group:staff'])([]),
      reader(['group:staff'], [])([]),
      reader('all', [])([]),
      reader([], [])(['*']),
    ]).toEqual([false, true, false, true, true])
  })

  it('[P1] a label is 1 to 200 visible characters without a comma, with no blank at either end', () => {
    const good = ['group:finance', 'user:ana@example.org', 'group:Finance Team', '組:財務', '*']
    const bad = ['', ' a', 'a ', 'a,b', 'a\nb', 'x'.repeat(201), '\u200b']
    expect([good.filter(isLabel), bad.filter(isLabel)]).toEqual([good, []])
  })

  it('[P1] a document has at most 64 labels, an asker 256', () => {
    const labels = (count: number) => Array.from({ length: count }, (_, i) => `group:${i}`)
    const fits = (schema: typeof accessSchema, count: number) => schema.safeParse(labels(count)).success
    expect([64, 65].map((count) => fits(accessSchema, count))).toEqual([true, false])
    expect([256, 257].map((count) => fits(principalsSchema, count))).toEqual([true, false])
  })
})

for (const model of [false, true]) {
  describe(`a corpus whose texts ${model ? 'a model has written' : 'are extracts'}`, () => {
    const texts = textsFrom(`access ${model}`, 48)
    const world = worldOf(texts, model)
    const askers = [[], ['group:a'], ['group:b', 'user:d'], ['group:a', 'group:b', 'group:c'], labels]
    const questions = [
      `What happened at the ${SUBJECTS[0]} near ${NAMES[0]}?`,
      `Who is ${NAMES[1]}, and whom did ${NAMES[3]} meet at the ${SUBJECTS[2]}?`,
      'Give an overview of all subjects and how they relate to each other.',
    ]

    it('has what is to be hidden: summaries, communities and relations of several documents', () => {
      const { graph } = world
      expect([graph.count('summary') > 2, graph.count('community') > 2, graph.page('entity', '', 100).length]).toEqual([true, true, 100])
    })

    it.each([...strategies.keys()])('[P4] no byte of a forbidden document is in what %s finds, nor in its trace', (name) => {
      const strategy = strategies.get(name)
      if (!strategy) throw new Error(name)
      const found: unknown[] = []
      let shown = 0
      for (const principals of askers) {
        const sight = sightOf(world, principals)
        const hidden = texts.filter((one) => !sight.document(one.id))
        const seen = seenBy(world, principals)
        const probes = hidden.slice(0, 6).map((one) => `What of ${one.secrets[1]} and ${one.secrets[0]}?`)
        for (const question of [...questions, ...probes]) {
          const answer = ask(seen, world, strategy, question)
          // What the question itself says may come back.
          const asked = hidden.map((one) => ({ ...one, secrets: one.secrets.filter((word) => !question.includes(word)) }))
          found.push(...leaks(answer, asked))
          shown += answer.evidence.length
        }
      }
      expect({ found, some: shown > 100 }).toEqual({ found: [], some: true })
    })

    it('[P5] a summary or report is shown to those who may see all it was written from, and to nobody else; what lies beneath is shown instead', () => {
      const { graph } = world
      const wrong: string[] = []
      let [seenNodes, hiddenNodes] = [0, 0]
      for (const principals of askers) {
        const seen = seenBy(world, principals)
        const sight = sightOf(world, principals)
        for (const kind of ['summary', 'community'] as const) {
          for (const id of graph.page(kind, '', 1000)) {
            const node = graph.node(id)
            const should = node !== undefined && seesBeneath(graph, node, sight.chunk)
            if ((seen.node(id) !== undefined) !== should) wrong.push(id)
            if (should) seenNodes++
            else hiddenNodes++
          }
        }
      }
      expect({ wrong, both: seenNodes > 5 && hiddenNodes > 5 }).toEqual({ wrong: [], both: true })
    })

    it('[P6] an entity exists where a readable text mentions it, by the names those texts use, and so do relations and their words', () => {
      const { graph } = world
      const found: unknown[] = []
      let partly = 0
      for (const principals of askers) {
        const seen = seenBy(world, principals)
        const sight = sightOf(world, principals)
        const hidden = texts.filter((one) => !sight.document(one.id))
        for (const id of graph.page('entity', '', 10_000)) {
          const mentioned = graph.edgesTo('mentions', id).some((edge) => sight.chunk(edge.source))
          const node = seen.node(id)
          if ((node !== undefined) !== mentioned) found.push(`entity ${graph.node(id)?.text}`)
          const edges = seen.edges('relates', id)
          if (edges.length > 0 && edges.length < graph.edges('relates', id).length) partly++
          found.push(...leaks([node, edges, seen.edgesTo('mentions', id), seen.value('archrag/told', id)], hidden))
        }
      }
      expect({ found, partly: partly > 5 }).toEqual({ found: [], partly: true })
    })
  })
}

describe('what is hidden does not move what is seen', () => {
  /** The same words in every passage, said in another order, under other vectors and other names of documents. */
  const turned = (text: Text): Text => ({
    ...text,
    id: `${text.id}-x`,
    text: text.text
      .split(/(?<=\.) /)
      .reverse()
      .join(' '),
  })

  it.each(['keyword', 'vector', 'hybrid', 'auto', 'ppr', 'cluerag', 'erarag', 'ketrag', 'archrag'])(
    '[P4] forbidden documents with the same words change nothing in the order %s gives',
    (name) => {
      const texts = textsFrom('access order', 40)
      const sees = (one: Text): boolean => reader(['group:a'], undefined)(one.labels)
      const [here, there] = [worldOf(texts), worldOf(texts.map((one) => (sees(one) ? one : turned(one))))]
      const strategy = strategies.get(name)
      if (!strategy) throw new Error(name)
      const order = (world: typeof here, question: string) =>
        ask(seenBy(world, ['group:a']), world, strategy, question).evidence.map(({ id, score }) => [id, score.toFixed(9)])
      let shown = 0
      for (const question of SUBJECTS.map((subject, i) => `Who opened the ${subject} near ${NAMES[i]}?`)) {
        expect(order(there, question)).toEqual(order(here, question))
        shown += order(here, question).length
      }
      expect([texts.filter(sees).length < 30, shown > 20]).toEqual([true, true])
    },
  )
})
