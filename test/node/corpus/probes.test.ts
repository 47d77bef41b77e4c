/** Pinned questions as the object keeps them: on condition, and with what each found. Rules V102 and V103. */
import { afterEach, expect, it } from 'vitest'
import { pin, pinned } from '../../../durable-objects/corpus/gate/probes'
import type { Ledger } from '../../../durable-objects/corpus/store'
import { mortalWorld, type World } from './mortal-object'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function empty(): Ledger {
  const world = mortalWorld(['ketrag'])
  worlds.push(world)
  return world.wake().ledger
}

const BOUNDS = { k: 5, tolerance: 0.02 }
const probe = (query: string) => ({ query, expect: ['a'] })

it('[V102] what is pinned on condition is pinned only where nobody has pinned others; the same pinned again is the same', () => {
  const ledger = empty()
  const { revision: none } = pinned(ledger)
  expect([pin(ledger, [probe('one?')], BOUNDS, none), pin(ledger, [probe('two?')], BOUNDS, none)]).toEqual([true, false])
  const one = pinned(ledger)
  expect(one.probes).toEqual([probe('one?')])
  expect(pin(ledger, [probe('one?')], BOUNDS, one.revision)).toBe(true)
  expect(pinned(ledger).revision).toBe(one.revision)
  pin(ledger, [probe('one?')], { ...BOUNDS, tolerance: 0.1 })
  expect([pinned(ledger).revision === one.revision, pin(ledger, [], BOUNDS, one.revision), pin(ledger, [], BOUNDS)]).toEqual([
    false,
    false,
    true,
  ])
})
