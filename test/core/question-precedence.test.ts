/** Questions before what can wait, on a shared thread, in a world where a turn is a millisecond. */
import { describe, expect, it } from 'vitest'
import { QuestionPrecedence } from '../../src/question-precedence'

/** `at`: what happens in which turn of those that slices wait for. */
function world(at: { readonly [turn: number]: () => void } = {}) {
  const clock = { now: 0, turns: 0 }
  const precedence = new QuestionPrecedence({
    now: () => clock.now,
    pause: async (ms) => {
      clock.now += ms
      at[clock.turns++]?.()
    },
  })
  return { clock, precedence }
}

const SECOND = 1000 // ms

describe('a slice of what can wait', () => {
  it('[J270] waits for nothing but a turn where nobody asks', async () => {
    const { clock, precedence } = world()
    await precedence.giveWay()
    expect(clock.turns).toBe(1)
    precedence.begin()()
    clock.now += 10 * SECOND
    await precedence.giveWay()
    expect(clock.turns).toBe(2)
  })

  it('[J270] begins eight turns after the last question, not while one is under way', async () => {
    const { clock, precedence } = world({ 20: () => end() })
    const end = precedence.begin()
    await precedence.giveWay()
    expect(clock.turns).toBe(20 + 8)
  })

  it('[J270] begins alone: of two that wait the other waits on', async () => {
    const { clock, precedence } = world()
    precedence.begin()()
    const begun: number[] = []
    await Promise.all([1, 2].map(() => precedence.giveWay().then(() => begun.push(clock.turns))))
    const [first = 0, second = 0] = begun
    expect(second - first).toBeGreaterThanOrEqual(7) // the eight of the other begin anew
  })

  it('[J270] begins beside questions once five were answered, so that indexing goes on', async () => {
    const open: (() => void)[] = []
    const asking = Object.fromEntries(
      Array.from({ length: 260 }, (_, turn) => [
        turn,
        () => {
          open.push(precedence.begin())
          if (turn % 25 === 24) for (const end of open.splice(0, 1)) end()
        },
      ]),
    )
    const { clock, precedence } = world(asking)
    open.push(precedence.begin())
    await precedence.giveWay()
    expect(clock.turns).toBe(125)
    await precedence.giveWay()
    expect(clock.turns).toBe(250)
  })

  it('[J270] waits two seconds at most for a question that does not end', async () => {
    const { clock, precedence } = world()
    precedence.begin()
    clock.now += 1999
    await precedence.giveWay()
    expect(clock.turns).toBe(8)
  })
})
