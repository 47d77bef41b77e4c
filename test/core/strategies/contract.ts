/**
 * What every strategy promises, whatever it is: rules S210–S219. A strategy that differs says so with its reason. That nothing of a forbidden
 * document is found is promised too: rule P4, over the same list (test/core/access/access.test.ts).
 */
import { describe, expect, it } from 'vitest'
import { optionsSchema, strayOptions } from '../../../src/contract/options'
import { seesBeneath } from '../../../src/core/access/sight'
import { stateHash } from '../../../src/core/graph/fingerprint'
import { chunkOf } from '../../../src/core/ids'
import { random } from '../../../src/core/random'
import type { Builder, Strategy } from '../../../src/core/strategy'
import type { StrategyDeclaration } from '../../../src/core/strategy-declaration'
import { ask, type Change, change, consolidate, emptyWorld, NAMES, SUBJECTS, type Text, textFrom, type World } from '../access/worlds'

/** A rule it does not keep, and why: the test has to fail, so that an exception nobody needs any more is found. */
export type Exceptions = { readonly [rule in `S${number}`]?: string }

const seed = random('every strategy')
const texts = Array.from({ length: 24 }, (_, n) => textFrom(seed, n, []))
const QUESTIONS = [
  `What happened at the ${SUBJECTS[0]} near ${NAMES[0]}?`,
  `Whom did ${NAMES[3]} meet at the ${SUBJECTS[2]}, and what did ${texts[5]?.secrets[1]} open?`,
  'Give an overview of all subjects and how they relate to each other.',
]
const full = JSON.stringify

export function strategyContract(declared: StrategyDeclaration, strategy: Strategy, exceptions: Exceptions = {}): void {
  const { builders } = strategy
  const promises = (what: string, test: () => void): void => {
    const [, reason] = Object.entries(exceptions).find(([rule]) => what.startsWith(`[${rule}]`)) ?? []
    if (reason === undefined) it(what, test)
    else it.fails(`${what}: not so, since ${reason}`, { retry: 0 }, test)
  }
  const grown = (changes: readonly Change[]): World => grownBy(builders, changes)

  describe(declared.name, () => {
    promises('[S210] each of its settings has a default within its bounds, and the defaults go together', () => {
      const defaults = declared.settings?.parse({}) ?? {}
      expect(declared.settings?.parse(defaults) ?? {}).toEqual(defaults)
      expect(Object.values(defaults)).not.toContain(undefined)
    })

    promises('[S210] an option it does not declare is refused, and passed over where nobody refuses', () => {
      const world = grown([{ add: texts }])
      expect(optionsSchema.safeParse({ surely_unknown: 1 }).success).toBe(false)
      expect(strayOptions({ surely_unknown: 1 } as never, [declared.name])).toHaveLength(1)
      for (const question of QUESTIONS)
        expect(full(ask(world.graph, world, strategy, question, { surely_unknown: 1 }))).toBe(
          full(ask(world.graph, world, strategy, question)),
        )
    })

    promises('[S212] the same question of the same graph has the same answer', () => {
      const [one, two] = [grown([{ add: texts }]), grown([{ add: texts }])]
      for (const question of QUESTIONS) {
        const answer = full(ask(one.graph, one, strategy, question))
        expect([full(ask(one.graph, one, strategy, question)), full(ask(two.graph, two, strategy, question))]).toEqual([answer, answer])
      }
    })

    promises('[S213] the order in which documents arrive does not matter, nor do batches', () => {
      const together = grown([{ add: texts }])
      const oneByOne = grown([...texts].reverse().map((text) => ({ add: [text] })))
      expect(hashOf(oneByOne)).toBe(hashOf(together))
    })

    promises('[S214] its evidence keeps to the budget and to the number asked for, and names no node twice', () => {
      const world = grown([{ add: texts }])
      for (const question of QUESTIONS)
        for (const [topK, budget] of [
          [30, 6000],
          [3, 6000],
          [30, 120],
          [1, 40],
          [30, 1],
        ] as const) {
          const { evidence } = ask(world.graph, world, strategy, question, {}, { topK, budget })
          expect(evidence.length).toBeLessThanOrEqual(topK)
          expect(evidence.reduce((sum, one) => sum + one.tokens, 0)).toBeLessThanOrEqual(budget)
          expect(new Set(evidence.map((one) => one.id)).size).toBe(evidence.length)
        }
    })

    promises('[S215] what it finds of a document is the slice of the text that it names', () => {
      const world = grown([{ add: texts }])
      let located = 0
      for (const { evidence } of QUESTIONS.map((question) => ask(world.graph, world, strategy, question)))
        for (const { document, start, end, text } of evidence) {
          if (document === null) continue
          located++
          expect(textOf(document).slice(start ?? 0, end ?? 0)).toBe(text)
        }
      expect(located).toBeGreaterThan(5)
    })

    promises('[S216] under a filter nothing comes from outside it, with vectors and without', () => {
      const world = grown([{ add: texts }])
      const inside = new Set(texts.slice(0, 8).map((one) => one.id))
      const admits = (chunk: string) => world.graph.placements(chunk).some((place) => inside.has(place.document))
      for (const vectors of [true, false])
        for (const question of QUESTIONS)
          for (const { id, document } of ask(world.graph, world, strategy, question, {}, { vectors, admits }).evidence) {
            const node = document === null ? world.graph.node(id) : undefined
            expect(node ? seesBeneath(world.graph, node, admits) : admits(chunkOf(id))).toBe(true)
          }
    })

    promises('[S214] an empty corpus answers with nothing, and a corpus without vectors with what words find', () => {
      const empty = emptyWorld([])
      expect(ask(empty.graph, empty, strategy, QUESTIONS[0] ?? '').evidence).toEqual([])
      const world = grown([{ add: texts }])
      expect(ask(world.graph, world, strategy, QUESTIONS[0] ?? '', {}, { vectors: false }).evidence.length).toBeGreaterThan(0)
    })

    promises('[S218] a change of nothing changes nothing, and consolidating twice is consolidating once', () => {
      const world = grown([{ add: texts }])
      const before = hashOf(world)
      change(world, builders, {})
      expect(hashOf(world)).toBe(before)
      consolidate(world, builders)
      const consolidated = hashOf(world)
      consolidate(world, builders)
      expect(hashOf(world)).toBe(consolidated)
    })

    promises('[S219] documents that came and went leave the graph as it was, and the last one leaves nothing', () => {
      const [first, second] = [texts.slice(0, 12), texts.slice(12)]
      const world = grown([{ add: first }])
      const before = hashOf(world)
      change(world, builders, { add: second })
      change(world, builders, { remove: second.map((one) => one.id) })
      expect(hashOf(world)).toBe(before)
      change(world, builders, { remove: first.map((one) => one.id) })
      expect(leftIn(world)).toEqual([])
    })
  })
}

function grownBy(builders: readonly Builder[], changes: readonly Change[]): World {
  const world = emptyWorld(texts)
  for (const one of changes) change(world, builders, one)
  return world
}

const hashOf = ({ graph }: World): string => stateHash(graph.lines())

/** Whatever of any text is still in the graph. */
const leftIn = ({ graph }: World): readonly string[] =>
  [...graph.lines()].filter((line) => texts.some(({ secrets }) => secrets.some((word) => line.includes(word))))

const textOf = (document: string): string => texts.find((one: Text) => one.id === document)?.text ?? ''
