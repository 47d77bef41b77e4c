/** How far work is. */

import { afterEach, describe, expect, it } from 'vitest'
import { commitNext } from '../../../durable-objects/corpus/indexing/commit'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { viewOf } from '../../../durable-objects/corpus/jobs/job'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { notePace, progressOfCorpus, readProgress } from '../../../durable-objects/corpus/jobs/progress'
import { cancelJob } from '../../../durable-objects/corpus/maintenance/job-actions'
import { hasUnfinishedJobs } from '../../../durable-objects/corpus/tables/job'
import type { Job } from '../../../src/contract/jobs'
import { addProgress } from '../../../src/flows/partitions/jobs'
import type { DocumentInput } from '../../../src/ports/documents'
import type { TaskResult } from '../../../src/ports/tasks'
import { LEASE, type Mortal, mortalWorld, type World } from './mortal-object'
import { answered, finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function begun(part?: number): { readonly world: World; readonly mortal: Mortal } {
  const world = mortalWorld([], { chunking: { chunk: 60, overlap: 0, passage: 30 }, models: 'none' }, part === undefined ? {} : { part })
  worlds.push(world)
  return { world, mortal: world.wake() }
}

const notes = (from: number, to: number): DocumentInput[] =>
  Array.from({ length: to - from }, (_, i) => {
    const text = `Note ${from + i} is about the heron of day ${from + i}, which waits at the pond and eats the fish of that day.`
    return { id: `note-${from + i}`, text, title: '', url: null, metadata: {} }
  })

function put({ context }: Mortal, upserts: readonly DocumentInput[], deletes: readonly string[] = []): string {
  const accepted = accept(context, { kind: 'batch', upserts, deletes })
  return accepted.kind === 'accepted' ? accepted.job : ''
}

/** So many tasks' vectors, brought after so many milliseconds. */
function work({ context }: Mortal, world: World, tasks: number, ms: number, runner = 'one'): void {
  const round = openTasks(context, runner, tasks)
  world.clock.now += ms
  commitRound(context, runner, round ? answered(round, noBill()) : [])
}

function view({ context }: Mortal, id: string): Job {
  const job = findJob(context.sql, id)
  if (!job) throw new Error('no such job')
  return viewOf(job, readProgress(context.sql))
}

const ofCorpus = ({ context }: Mortal) => progressOfCorpus(readProgress(context.sql))

describe('progress', () => {
  it('[J130] counts documents, chunks and texts apart, and what a large change has taken in', async () => {
    const { world, mortal } = begun(2)
    const id = put(mortal, notes(0, 6))
    const { documents, chunks, texts } = view(mortal, id).progress
    expect(documents).toEqual({ done: 0, total: 6 })
    expect(chunks).toEqual({ done: 0, total: 6 })
    expect(texts).toEqual({ done: 0, total: 6 })
    work(mortal, world, 2, 10)
    expect(view(mortal, id).progress).toMatchObject({ documents: { done: 0 }, chunks: { done: 0 }, texts: { done: 2, total: 6 } })
    work(mortal, world, 4, 10)
    expect(view(mortal, id).progress).toMatchObject({ chunks: { done: 0, total: 6 }, texts: { done: 6, total: 6 } })
    expect(commitNext(mortal.context)).toBe(true)
    expect(view(mortal, id).progress).toMatchObject({ documents: { done: 0, total: 6 }, chunks: { done: 2, total: 6 } })
    await finish(mortal, world, noBill())
    const done = view(mortal, id)
    expect(done.progress).toMatchObject({ documents: { done: 6, total: 6 }, chunks: { done: 6, total: 6 }, texts: { done: 6, total: 6 } })
    expect(done.progress.seconds_left).toBeUndefined()
    expect(done.receipt?.texts_embedded).toBe(6)
  })

  it('[J130] no longer counts what was superseded, cancelled or failed', async () => {
    const { world, mortal } = begun()
    const first = put(mortal, notes(0, 4))
    const [replaced] = notes(0, 1)
    if (!replaced) throw new Error('no note')
    put(mortal, [{ ...replaced, text: 'Another text altogether, of an otter.' }])
    expect(view(mortal, first).progress).toMatchObject({ documents: { total: 3 }, chunks: { total: 3 }, texts: { total: 3 } })
    const second = put(mortal, notes(4, 9))
    expect(ofCorpus(mortal)).toMatchObject({ documents: { total: 9 }, texts: { total: 9 } })
    const job = findJob(mortal.context.sql, second)
    if (job) cancelJob(mortal.context, job)
    expect(ofCorpus(mortal)).toMatchObject({ texts: { done: 0, total: 4 }, chunks: { total: 4 } })
    const round = openTasks(mortal.context, 'one', 1)
    const results = (round?.tasks ?? []).map(
      ({ id, node, input }): TaskResult => ({
        id,
        reply: { node, input, kind: 'unusable', reason: 'invalid' },
        spent: { in: 0, out: 0, embedded: 0 },
        calls: {},
      }),
    )
    commitRound(mortal.context, 'one', results)
    expect(view(mortal, first).progress).toMatchObject({ documents: { done: 0, total: 2 }, chunks: { total: 2 } })
    await finish(mortal, world, noBill())
    expect(view(mortal, first)).toMatchObject({ error: 'invalid', progress: { documents: { done: 2, total: 2 } } })
  })

  it('[J130] counts what leaves', async () => {
    const { world, mortal } = begun()
    put(mortal, notes(0, 3))
    await finish(mortal, world, noBill())
    const id = put(mortal, [], ['note-0', 'note-1', 'note-7'])
    await finish(mortal, world, noBill())
    expect(view(mortal, id).progress.documents).toEqual({ done: 2, total: 2 })
  })

  it('[J130] sums what was accepted since the corpus was settled, whatever dies meanwhile, and begins anew', async () => {
    const { world, mortal } = begun()
    for (let at = 0; at < 4; at++) put(mortal, notes(at, at + 1))
    work(mortal, world, 2, 10)
    const before = ofCorpus(mortal)
    expect(before).toMatchObject({ documents: { done: 2, total: 4 }, chunks: { done: 2, total: 4 }, texts: { done: 2, total: 4 } })
    world.clock.now += LEASE + 1
    const again = world.wake()
    expect(ofCorpus(again)).toEqual(before)
    await finish(again, world, noBill())
    expect(hasUnfinishedJobs(again.context.sql)).toBe(false)
    put(again, notes(10, 11))
    expect(ofCorpus(again)).toMatchObject({ documents: { done: 0, total: 1 }, texts: { done: 0, total: 1 } })
  })

  it('[J130] says how fast, and how long it will take with all that was accepted before', () => {
    const { world, mortal } = begun()
    const first = put(mortal, notes(0, 10))
    const second = put(mortal, notes(10, 15))
    expect(view(mortal, first).progress).not.toHaveProperty('seconds_left')
    work(mortal, world, 5, 1000)
    expect(view(mortal, first).progress).toMatchObject({ rate: { texts: 5 }, seconds_left: 1 })
    expect(view(mortal, second).progress).toMatchObject({ rate: { texts: 5 }, seconds_left: 2 })
    expect(ofCorpus(mortal)).toMatchObject({ rate: { texts: 5 }, seconds_left: 2 })
    // The runner dies and another comes an hour later: what it brings first was no hour's work.
    world.clock.now += 3_600_000
    work(mortal, world, 5, 1000, 'another')
    expect(ofCorpus(mortal).rate).toEqual({ texts: 5 })
  })

  it('[W2040] does not say how long while many chunks are left to be taken in and none was timed; then both rates count', () => {
    const { world, mortal } = begun()
    const id = put(mortal, notes(0, 150))
    work(mortal, world, 140, 1000)
    expect(view(mortal, id).progress).toMatchObject({ texts: { done: 140 }, chunks: { done: 0, total: 150 }, rate: { texts: 140 } })
    expect(view(mortal, id).progress).not.toHaveProperty('seconds_left')
    expect(ofCorpus(mortal)).not.toHaveProperty('seconds_left')
    notePace(mortal.context.sql, 'chunk', 10, 1000)
    expect(view(mortal, id).progress.seconds_left).toBe(16)
    const whole = { ...view(mortal, id).progress, rate: {} }
    const { seconds_left: _, ...unknown } = whole
    expect([addProgress(whole, whole).seconds_left, addProgress(whole, unknown).seconds_left]).toEqual([16, undefined])
  })
})
