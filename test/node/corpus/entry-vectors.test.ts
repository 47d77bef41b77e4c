/** Units and names as entry points: in the index, beside it, and for whom. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { dropSlice } from '../../../durable-objects/corpus/maintenance/drop'
import { restartMaintenance, startMaintenance } from '../../../durable-objects/corpus/maintenance/maintain'
import { isPending, writeConfig } from '../../../durable-objects/corpus/pending-config'
import { retrieve } from '../../../durable-objects/corpus/query/retrieve'
import { type CorpusContext, contextOf } from '../../../durable-objects/corpus/store'
import { nameIdOf } from '../../../src/core/builders/entry-vectors'
import type { Settings } from '../../../src/core/settings'
import { defaultSettings } from '../../../src/core/strategies/default-settings'
import type { DocumentInput } from '../../../src/ports/documents'
import type { QuestionedName, RetrieveRequest } from '../../../src/ports/retrieval'
import { begun, closeAll, letters, name, put, shown } from './letters'
import type { Mortal, World } from './mortal-object'
import { embed, finish, noBill } from './working'

afterEach(closeAll)

const anchored = (anchors: 'names' | 'vectors'): Partial<Settings> => ({ cluerag: { ...defaultSettings.cluerag, anchors } })

async function grown(documents: readonly DocumentInput[], anchors: 'names' | 'vectors' = 'vectors') {
  const { world, mortal } = begun(['cluerag'], {}, anchored(anchors))
  put(mortal, documents)
  await finish(mortal, world, noBill())
  return { world, mortal, context: mortal.context }
}

/** What the index should show: every passage, and where walks begin by vectors every unit and every name. */
function expected({ graph }: CorpusContext, byVectors: boolean): string[] {
  const chunks = graph.page('chunk', '', 1000).flatMap((id) => graph.chunk(id) ?? [])
  const units = byVectors ? chunks.flatMap((chunk) => chunk.units.map((unit) => unit.id)) : []
  const names = byVectors ? graph.page('entity', '', 1000).map(nameIdOf) : []
  return [...chunks.flatMap((chunk) => chunk.passages.map((one) => one.id)), ...units, ...names].map((id) => `mortal:${id}`).sort()
}

const inOrder = (world: World): string[] => [...shown(world)].sort()

/** Where a walk begins, as the Worker asks; `near` as the index answers, or nothing where it does not. */
async function anchorsOf(
  { context, sinks }: Mortal,
  text: string,
  {
    said = [],
    asker,
    down = false,
  }: { readonly said?: readonly string[]; readonly asker?: readonly string[]; readonly down?: boolean } = {},
): Promise<readonly string[]> {
  const hits = async (kind: string, vector: Int8Array, k: number) =>
    (await sinks.index.query(context.config.uid, vector, { kind, k })).map((hit) => ({ ...hit }))
  const vector = embed(text)
  const names = await Promise.all(
    said.map(async (one): Promise<QuestionedName> => {
      const own = embed(one)
      return { text: one, vector: own, ...(down ? {} : { near: await hits('name', own, 20) }) }
    }),
  )
  const near: RetrieveRequest['near'] = down ? {} : { unit: await hits('unit', vector, 24), passage: await hits('passage', vector, 100) }
  const request = {
    strategy: 'cluerag',
    text,
    vector,
    near,
    names,
    topK: 5,
    budget: 1000,
    trace: true,
    options: {},
    ...(asker ? { asker } : {}),
  }
  const found = retrieve(context, request)
  if (found.kind !== 'evidence') throw new Error(found.kind)
  return (found.trace as unknown as { readonly anchors: readonly string[] }).anchors.map((id) => context.graph.node(id)?.text ?? '')
}

describe('entry vectors', () => {
  it('[Q261] the index holds every unit and every name while they are there, and none of them in another corpus', async () => {
    const { world, mortal, context } = await grown(letters(12))
    expect(inOrder(world)).toEqual(expected(context, true))
    accept(context, { kind: 'delete', upserts: [], deletes: letters(6).map((one) => one.id) })
    await finish(mortal, world, noBill())
    expect(inOrder(world)).toEqual(expected(context, true))
    const other = await grown(letters(12), 'names')
    expect(inOrder(other.world)).toEqual(expected(other.context, false))
  })

  it('[Q261] the setting takes effect with the graph derived anew: they come, and go again; and a rebuild sends them all', async () => {
    const { world, mortal, context } = await grown(letters(10), 'names')
    for (const anchors of ['vectors', 'names', 'vectors'] as const) {
      const next = { ...context.config, settings: { ...context.config.settings, ...anchored(anchors) } }
      context.atomically(() => writeConfig(context, context.config, next))
      Object.assign(context, contextOf(context))
      if (isPending(context) && !restartMaintenance(context)) startMaintenance(context, 'reindex')
      await finish(mortal, world, noBill())
      Object.assign(context, contextOf(context))
      expect(inOrder(world)).toEqual(expected(context, anchors === 'vectors'))
    }
    ;(world.index.rows as Map<string, object>).clear()
    startMaintenance(context, 'rebuild')
    await finish(mortal, world, noBill())
    expect(inOrder(world)).toEqual(expected(context, true))
  })

  it('[Q261] a corpus that is forgotten leaves none of it', async () => {
    const { world, mortal, context } = await grown(letters(60))
    accept(context, { kind: 'delete', upserts: [], deletes: ['letter-1'] })
    startMaintenance(context, 'drop')
    let said = 'more'
    for (let i = 0; i < 50 && said !== 'gone'; i++) said = await dropSlice(context, mortal.sinks, world.clock.now)
    expect([said, [...world.index.rows.values()]]).toEqual(['gone', []])
  })

  it('[Q260] a walk begins at the nearest names and units, from the index and without it', async () => {
    const { mortal } = await grown(letters(12))
    const unit = 'Captain Ku met Pilot Deba and wrote of it on day 4.'
    for (const down of [false, true]) {
      expect(await anchorsOf(mortal, 'Whom does it concern?', { said: [`captain ${name(3).toLowerCase()}`], down })).toContain(
        `Captain ${name(3)}`,
      )
      expect(await anchorsOf(mortal, `: ${unit}`, { down })).toEqual(expect.arrayContaining([`Captain ${name(4)}`]))
    }
  })

  it('[Q262] an asker begins at what they may read, though the index’s nearest are others’', async () => {
    const secret = letters(30).map((one) => ({ ...one, access: ['group:a'] }))
    const open: DocumentInput = { id: 'open', text: 'Ada Wren keeps the lamp.', title: '', url: null, metadata: {}, access: [] }
    const { mortal } = await grown([...secret, open])
    const said = [`captain ${name(3).toLowerCase()}`]
    const question = 'Captain Go met Pilot Deba and wrote of it on day 3.'
    expect(await anchorsOf(mortal, question, { said, asker: ['group:a'] })).toContain(`Captain ${name(3)}`)
    for (const down of [false, true]) {
      const seen = await anchorsOf(mortal, question, { said, asker: [], down })
      expect(seen.every((one) => one === 'Ada Wren')).toBe(true)
      expect(seen).toContain('Ada Wren')
    }
  })
})
