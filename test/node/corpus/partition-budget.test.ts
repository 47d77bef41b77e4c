/** The budget of a corpus in partitions, whatever is lost, repeated, late or restarted between its objects. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { noteBudget } from '../../../durable-objects/corpus/billing/new-budget'
import { remainingBudget, totalTokens, usage } from '../../../durable-objects/corpus/billing/usage'
import { chargeStages, reserveHolds, usageView } from '../../../durable-objects/corpus/billing/usage-recorder'
import { takeReports } from '../../../durable-objects/corpus/maintenance/take-reports'
import type { CorpusContext } from '../../../durable-objects/corpus/store'
import { metaKeys, writeMeta } from '../../../durable-objects/corpus/tables/meta'
import { deleteReportsUpTo, listReports } from '../../../durable-objects/corpus/tables/report'
import { HOLD_MS } from '../../../durable-objects/holds'
import { newUid, partitionUids } from '../../../src/corpus-uid'
import type { Report } from '../../../src/ports/reports'
import { mortalWorld } from './mortal-object'

const BUDGET = 3000
const UID = newUid({ partitions: 3 })
const PARTS = partitionUids(UID)

const embed = (embedded: number) => ({ embed: { in: 0, out: 0, embedded } })

/** One thing that may happen. `part`: 3 is the corpus's own object, where questions pay. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('reserve' as const), part: fc.nat(3), most: fc.integer({ min: 1, max: 900 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('charge' as const), part: fc.nat(3), share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('tell' as const), part: fc.nat(2), how: fc.constantFrom('whole', 'lost', 'unanswered') }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('tell again' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('die' as const), part: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.nat(HOLD_MS) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** `before`: what the first partition had spent when there was no budget yet. */
function house(before = 0) {
  const clock = { now: 1_000_000 }
  const worlds = [...PARTS, UID].map((uid) => mortalWorld([], {}, { uid, clock }))
  const contexts = worlds.map((world): CorpusContext => world.wake().context)
  const [first] = contexts
  if (first && before > 0) chargeStages(first, { embed: { ...embed(before).embed, calls: 1 } })
  const budget = { tokens: BUDGET }
  const capped = contexts.map((context): CorpusContext => ({ ...context, config: { ...context.config, budget } }))
  for (const context of [...capped].reverse()) {
    context.atomically(() => {
      noteBudget(context, { ...context.config, budget: {} }, context.config)
      writeMeta(context.sql, metaKeys.config, context.config)
    })
  }
  const whole = capped[3] as CorpusContext
  const open: { part: number; id: string; most: number }[] = []
  const old: { part: number; reports: Report[] }[] = []
  let [made, spent] = [0, before]
  const tell = (part: number, how: string): void => {
    const { sql } = capped[part] as CorpusContext
    const reports = listReports(sql, 200)
    if (how === 'lost' || reports.length === 0) return
    takeReports(whole, PARTS[part] ?? '', reports)
    old.push({ part, reports })
    if (how === 'whole') deleteReportsUpTo(sql, reports.at(-1)?.n ?? 0)
  }
  const taken = (part: number) => {
    const at = open.findIndex((one) => one.part === part)
    return at < 0 ? undefined : open.splice(at, 1)[0]
  }
  const charge = (part: number, share: number): void => {
    const work = taken(part)
    if (!work) return
    const embedded = Math.floor(work.most * share)
    spent += embedded
    chargeStages(capped[part] as CorpusContext, { embed: { in: 0, out: 0, embedded, calls: 1 } }, [work.id])
  }
  const happen = (one: Step): void => {
    if (one.do === 'charge') charge(one.part, one.share)
    else if (one.do === 'die')
      spent += taken(one.part)?.most ?? 0 // the call was made, and nobody will ever say so
    else if (one.do === 'tell') tell(one.part, one.how)
    else if (one.do === 'wait') clock.now += one.ms
    else if (one.do === 'reserve') {
      const id = `work-${made++}`
      if (reserveHolds(whole, [{ id, max: embed(one.most) }])[0]) open.push({ part: one.part, id, most: one.most })
    } else {
      const again = old[made % Math.max(1, old.length)]
      if (again) takeReports(whole, PARTS[again.part] ?? '', again.reports)
    }
  }
  return {
    whole,
    parts: capped.slice(0, 3),
    happen,
    tell,
    spent: () => spent,
    underWay: () => open.reduce((sum, { most }) => sum + most, 0),
    close: () => worlds.forEach((world) => void world.close()),
  }
}

it('[P2310] what all have spent and what is reserved never exceed the budget, whatever reports are lost, repeated or late', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { happen, tell, spent, underWay, whole, parts, close } = house()
      for (const part of [0, 1, 2]) tell(part, 'whole')
      for (const one of steps) {
        happen(one)
        expect(spent() + underWay()).toBeLessThanOrEqual(BUDGET)
      }
      // Once everything has been told, what the whole knows is what they have spent.
      for (const part of [0, 1, 2]) tell(part, 'whole')
      const all = [...parts, whole].reduce((sum, one) => sum + totalTokens(usage(one)), 0)
      expect(remainingBudget(whole).tokens).toBe(Math.max(0, BUDGET - all))
      close()
    }),
    { numRuns: 60 },
  )
})

it('[P2311] nothing is granted until every partition has said what it had spent before', () => {
  const { whole, tell, close } = house(1000)
  const granted = (tokens: number) => reserveHolds(whole, [{ id: crypto.randomUUID(), max: embed(tokens) }])[0]
  tell(1, 'whole')
  tell(2, 'whole')
  expect([granted(10), remainingBudget(whole).tokens]).toEqual([false, 0])
  tell(0, 'unanswered')
  tell(0, 'whole')
  expect([granted(2001), granted(2000), granted(1)]).toEqual([false, true, false])
  expect(usageView(whole, null, 1, 'all').held.tokens).toBe(2000)
  close()
})
