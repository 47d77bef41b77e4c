/** Documents of a corpus whose settings divide them otherwise than before. */
import { afterEach, describe, expect, it } from 'vitest'
import { commitRound, openTasks } from '../../../durable-objects/corpus/indexing/runner'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { findJob } from '../../../durable-objects/corpus/jobs/jobs'
import { retryJob } from '../../../durable-objects/corpus/maintenance/job-actions'
import { restartMaintenance, startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { isPending, writeConfig } from '../../../durable-objects/corpus/pending-config'
import { listChunks } from '../../../durable-objects/corpus/query/chunks'
import { contextOf } from '../../../durable-objects/corpus/store'
import { readNewestRevision } from '../../../durable-objects/corpus/tables/revision'
import type { Settings } from '../../../src/core/settings'
import { divide } from '../../../src/core/text/divide'
import type { DocumentInput } from '../../../src/ports/documents'
import { type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const byLength = { chunk: 100, overlap: 0, passage: 33 } as const
const byTopic = { ...byLength, method: 'topic' } as const
const GULLS = 'The gull flew over the harbour with a gull. A harbour is where a gull sleeps. No gull leaves its harbour.'
const BREAD = 'A baker bakes bread from flour with a baker. The flour becomes bread at night. No baker sells his flour.'
const TEXT = Array.from({ length: 15 }, (_, i) => (i % 2 === 0 ? GULLS : BREAD)).join(' ')
const input = (id: string, text = TEXT): DocumentInput => ({
  id,
  text,
  title: id,
  url: null,
  metadata: {},
})

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function opened(chunking: Settings['chunking'] = byLength): { readonly world: World; readonly mortal: Mortal } {
  const world = mortalWorld([], { chunking, models: 'none' })
  worlds.push(world)
  return { world, mortal: world.wake() }
}

async function put(world: World, mortal: Mortal, upserts: readonly DocumentInput[]): Promise<string> {
  const accepted = accept(mortal.context, { kind: 'batch', upserts, deletes: [] })
  if (accepted.kind === 'accepted') await finish(mortal, world, noBill())
  return accepted.kind
}

async function configure(world: World, mortal: Mortal, chunking: Settings['chunking']): Promise<void> {
  const { context } = mortal
  const next = { ...context.config, settings: { ...context.config.settings, chunking } }
  context.atomically(() => writeConfig(context, context.config, next))
  Object.assign(context, contextOf(context))
  if (isPending(context) && !restartMaintenance(context)) startMaintenance(context, 'reindex')
  await finish(mortal, world, noBill())
}

const chunksOf = ({ context }: Mortal, id: string) => listChunks(context, id, { from: 0, limit: 50 })?.data.map((one) => one.text)
const dividedBy = (one: DocumentInput, chunking: Settings['chunking']) => divide(one, chunking).chunks.map((chunk) => chunk.text)

describe('a corpus whose chunk settings change', () => {
  it('[X1633] keeps the chunks of what it has, and divides anew what is put again, though its text is the same', async () => {
    const { world, mortal } = opened()
    const [old, coming] = [input('old'), input('coming')]
    expect(dividedBy(old, byTopic)).not.toEqual(dividedBy(old, byLength))
    await put(world, mortal, [old])
    await configure(world, mortal, byTopic)
    await put(world, mortal, [coming])
    expect([chunksOf(mortal, 'old'), chunksOf(mortal, 'coming')]).toEqual([dividedBy(old, byLength), dividedBy(coming, byTopic)])
    expect([await put(world, mortal, [coming]), await put(world, mortal, [old])]).toEqual(['unchanged', 'accepted'])
    expect(chunksOf(mortal, 'old')).toEqual(dividedBy(old, byTopic))
    expect([document(mortal.context, 'old')?.content_version, await put(world, mortal, [old])]).toEqual([2, 'unchanged'])
  })

  it('[X1633] does nothing anew where only other settings change', async () => {
    const { world, mortal } = opened(byTopic)
    await put(world, mortal, [input('a')])
    await configure(world, mortal, { ...byTopic })
    expect(await put(world, mortal, [input('a')])).toBe('unchanged')
  })

  it('[X1633] a version that failed is tried again as documents are divided by then', async () => {
    const { world, mortal } = opened()
    const { context } = mortal
    const accepted = accept(context, { kind: 'ingest', upserts: [input('a')], deletes: [] })
    const { tasks = [] } = openTasks(context, 'first', 10) ?? {}
    const refused = tasks.map(({ id, node, input: of }) => ({ node, input: of, kind: 'unusable' as const, reason: 'form' as const, id }))
    const results = refused.map(({ id, ...reply }) => ({ id, reply, spent: { in: 0, out: 0, embedded: 0 }, calls: {} }))
    commitRound(context, 'first', results)
    await finish(mortal, world, noBill())
    expect(readNewestRevision(context.sql, 'a')?.state).toBe('failed')
    await configure(world, mortal, byTopic)
    const job = findJob(context.sql, accepted.kind === 'accepted' ? accepted.job : '')
    expect(job && retryJob(context, job)).toBe(true)
    await finish(mortal, world, noBill())
    expect(chunksOf(mortal, 'a')).toEqual(dividedBy(input('a'), byTopic))
  })

  it('[X1633] keeps labels and the switch of what is divided anew', async () => {
    const { world, mortal } = opened()
    await put(world, mortal, [{ ...input('a'), access: ['group:crew'], active: false }])
    await configure(world, mortal, byTopic)
    expect(await put(world, mortal, [input('a')])).toBe('accepted')
    const shown = document(mortal.context, 'a', ['group:crew'])
    expect([shown?.access, shown?.active, document(mortal.context, 'a')]).toEqual([['group:crew'], false, null])
  })
})
