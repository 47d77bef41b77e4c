import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { links, linksWithin } from '../../../src/core/builders/links'
import type { Edge } from '../../../src/core/graph/types'
import { differences } from '../graph/state-difference'
import { doc, docs, type World, world } from './worlds'

const linked = (at: World): string[] =>
  at.graph
    .page('document', '', 1e6)
    .flatMap((id) => at.graph.edges('links', id).map((edge: Edge) => `${edge.source} > ${edge.target}`))
    .sort()

describe('links between documents', () => {
  it('[Q7] a document is linked to those whose title or lead phrase it says, whichever came first', () => {
    const film = doc('film', 'Angi Vera (film)', 'A drama directed by Pál Gábor.')
    const man = doc('man', '', 'Pál Gábor was a Hungarian director, best known for “Angi Vera”.')
    for (const order of [
      [film, man],
      [man, film],
    ]) {
      const at = world([links])
      for (const one of order) at.change({ add: [one] })
      expect(linked(at)).toEqual(['film > man', 'man > film'])
    }
  })

  it('[Q7] namesakes are all linked; a word that may open any sentence names nothing', () => {
    const at = world([links])
    at.change({
      add: [
        doc('a', 'Alien (film)', 'one'),
        doc('b', 'Alien (novel)', 'two'),
        doc('it', 'It', 'three'),
        doc('c', 'Review', 'It scared me: Alien.'),
      ],
    })
    expect(linked(at)).toEqual(['c > a', 'c > b'])
  })

  it('[Q7] the full name at the head of a text without title is also found by first and last word', () => {
    const at = world([links])
    at.change({
      add: [doc('w', '', 'Barry Jarvis Wesson (born 1977) is a former outfielder.'), doc('q', 'Team', 'They signed Barry Wesson.')],
    })
    expect(linked(at)).toEqual(['q > w'])
  })

  it('[Q7] incremental equals rebuilt, in any order, with deletions between', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }), (seed, kept) => {
        const all = docs(`l${seed}`, 10)
        const grown = world([links])
        for (const one of all) grown.change({ add: [one] })
        grown.change({ remove: all.filter((_, i) => !kept[i]).map((one) => one.id) })
        const rebuilt = world([links])
        rebuilt.change({ add: all.filter((_, i) => kept[i]).reverse() })
        expect(grown.hash()).toBe(rebuilt.hash())
      }),
      { seed: 7, numRuns: 25 },
    )
  })

  it('[S310] [S213] where names are too common to be looked up, or too many documents have them, links are the same in any order, with deletions between', () => {
    let [rare, common] = [0, 0]
    fc.assert(
      fc.property(
        fc.integer(),
        fc.shuffledSubarray([...Array(24).keys()], { minLength: 24 }),
        fc.integer({ min: 1, max: 7 }),
        (seed, order, batch) => {
          const short = docs(`s${seed}`, 24)
          const all = short.map((one, n) =>
            n % 4 > 0
              ? one
              : {
                  ...one,
                  text: short
                    .slice(n, n + 4)
                    .map(({ text }) => text)
                    .join(' '),
                },
          ) // some of several chunks
          const builder = linksWithin({ texts: 20, namesakes: 2 })
          const grown = world([builder])
          for (let at = 0; at < order.length; at += batch) grown.change({ add: order.slice(at, at + batch).flatMap((n) => all[n] ?? []) })
          const whole = world([builder])
          whole.change({ add: all })
          expect(
            differences(
              () => grown.graph.lines(),
              () => whole.graph.lines(),
            ),
          ).toEqual([])
          const gone = order.slice(0, 14)
          for (const n of gone) grown.change({ remove: [all[n]?.id ?? ''] })
          const left = world([builder])
          left.change({ add: all.filter((_, n) => !gone.includes(n)) })
          expect(
            differences(
              () => grown.graph.lines(),
              () => left.graph.lines(),
            ),
          ).toEqual([])
          const rows = [...whole.graph.lines()].filter((line) => line.startsWith('value ["names/words"'))
          common += rows.filter((line) => line.endsWith(',1]')).length
          rare += linked(whole).length
        },
      ),
      { seed: 310, numRuns: 10 },
    )
    expect(Math.min(rare, common)).toBeGreaterThan(20) // the worlds meet both limits, and have links
  })

  it('[Q7] a changed document takes its old links along', () => {
    const at = world([links])
    at.change({ add: [doc('a', 'Seven Lanterns', 'By Ada Brant.'), doc('b', 'Ada Brant', 'A painter.')] })
    expect(linked(at)).toEqual(['a > b'])
    at.change({ add: [doc('a', 'Seven Lanterns', 'By nobody.')] })
    expect(linked(at)).toEqual([])
  })
})
