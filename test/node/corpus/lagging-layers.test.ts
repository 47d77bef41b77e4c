/** In the object, the layers above ArchRAG's lowest communities of a large corpus follow when no job is open. */
import { expect, it } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { beginDueBuilders, hasDueBuilder } from '../../../durable-objects/corpus/indexing/due-builders'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import type { Settings } from '../../../src/core/settings'
import { isOwed } from '../../../src/core/strategies/archrag/above'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { DocumentInput } from '../../../src/ports/documents'
import { name } from './letters'
import { type Mortal, mortalWorld } from './mortal-object'
import { answered, noBill } from './working'

const SETTINGS: Partial<Settings> = { models: 'none', archrag: { ...defaultSettings.archrag, max: 4, min: 2 } }

const letters = (from: number, to: number): DocumentInput[] =>
  Array.from({ length: to - from }, (_, i) => {
    const [one, two] = [2 * (from + i), 2 * (from + i) + 1].map((n) => name(1000 + n))
    const text = `Captain ${one} met Pilot ${two} and wrote of it to Port ${name(2000 + ((from + i) % 9))}.`
    return { id: `letter-${from + i}`, text, title: '', url: null, metadata: {} }
  })

function takenIn({ context }: Mortal, upserts: readonly DocumentInput[]): string {
  const accepted = accept(context, { kind: 'batch', upserts, deletes: [] })
  for (;;) {
    while (commitNext(context)) {}
    const round = openTasks(context, 'one', 1024)
    if (!round || round.tasks.length === 0) break
    commitRound(context, 'one', answered(round, noBill()))
  }
  return accepted.kind === 'accepted' ? accepted.job : ''
}

it('[A2360] a job is done before the layers above have followed; they do once no job is open, in a version of their own', () => {
  const world = mortalWorld(['archrag'], SETTINGS)
  const mortal = world.wake()
  const { context } = mortal
  takenIn(mortal, letters(0, 400))
  while (beginDueBuilders(context)) {}
  expect(context.graph.count('community', 1)).toBeGreaterThan(256)
  expect([isOwed(context.graph), hasDueBuilder(context)]).toEqual([false, false])
  const job = takenIn(mortal, letters(400, 402))
  expect([findJob(context.sql, job)?.phase, isOwed(context.graph), hasDueBuilder(context)]).toEqual(['done', true, true])
  const before = context.graph.version
  expect([beginDueBuilders(context), isOwed(context.graph), context.graph.version]).toEqual([true, false, before + 1])
  expect([beginDueBuilders(context), hasDueBuilder(context)]).toEqual([false, false])
  world.close()
})
