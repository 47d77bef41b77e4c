/** A corpus whose isolate has others that are being asked. */
import { afterEach, expect, it } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { runAlarm } from '../../../durable-objects/corpus/schedule/run'
import type { DocumentInput } from '../../../src/ports/documents'
import { mortalWorld, type World } from './mortal-object'
import { answered, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

const notes = Array.from({ length: 20 }, (_, n): DocumentInput => {
  return { id: `note-${n}`, text: `Day ${n}: the ferry was late.`, title: '', url: null, metadata: {} }
})

/** How many documents there are after each commit. */
function commitsOf({ own, others }: { readonly own: boolean; readonly others: boolean }): number[] {
  const asked = { at: 0 }
  const world = mortalWorld([], { models: 'none' }, { asked })
  worlds.push(world)
  const context = { ...world.wake().context, areOthersAsked: () => others }
  if (own) asked.at = world.clock.now
  for (const note of notes) accept(context, { kind: 'ingest', upserts: [note], deletes: [] })
  const seen: number[] = []
  const round = openTasks(context, 'one', 1024)
  if (round) commitRound(context, 'one', answered(round, noBill()))
  for (let goesOn = true; goesOn && seen.length < 40; goesOn = commitNext(context)) seen.push(context.graph.count('document'))
  return [...new Set(seen)]
}

it('[J2262] while another is asked, a corpus applies two chunks at a time, as while it is asked itself', () => {
  expect(commitsOf({ own: false, others: false }).at(0)).toBe(20)
  expect(commitsOf({ own: false, others: true }).slice(0, 3)).toEqual([2, 4, 6])
  expect(commitsOf({ own: true, others: true }).slice(0, 3)).toEqual([2, 4, 6])
})

it('[J2262] between them it gives way to the questions of the others', async () => {
  const world = mortalWorld([], { models: 'none' }, {})
  worlds.push(world)
  const { context, ...mortal } = world.wake()
  let areOthersAsked = true
  const own = { ...context, areOthersAsked: () => areOthersAsked }
  accept(own, { kind: 'batch', upserts: notes, deletes: [] })
  const round = openTasks({ ...own, ...mortal }, 'one', 1024)
  if (round) commitRound(own, 'one', answered(round, noBill()))
  const waits: (number | 'for questions')[] = []
  await runAlarm(
    {
      context: () => own,
      isClosed: () => false,
      now: () => 0,
      pause: async (ms) => void waits.push(ms),
      after: () => () => undefined,
      giveWay: async () => {
        waits.push('for questions')
        areOthersAsked = waits.length < 2
      },
      drain: async () => undefined,
      drainMeanwhile: () => undefined,
      startRunner: async () => undefined,
      isUpkeepDue: () => false,
    },
    1,
  )
  expect(waits.slice(0, 3)).toEqual(['for questions', 'for questions', 20])
})
