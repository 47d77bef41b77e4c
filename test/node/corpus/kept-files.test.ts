/** How many files a corpus keeps: the text is accepted in any case. */
import { afterEach, describe, expect, it } from 'vitest'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { documents } from '../../../durable-objects/corpus/ingest/documents'
import { expireFiles, hasUnkeptFiles } from '../../../durable-objects/corpus/ingest/kept-file'
import { checkRoomForShadowGraph } from '../../../durable-objects/corpus/ingest/limits'
import { metaKeys, writeMeta } from '../../../durable-objects/corpus/tables/meta'
import { MAX_FILES } from '../../../src/contract/document-limits'
import type { DocumentInput } from '../../../src/ports/documents'
import { mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

const worlds: World[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.close()
})

function begun() {
  const world = mortalWorld([], { models: 'none' })
  worlds.push(world)
  const mortal = world.wake()
  const bill = noBill()
  const put = async (id: string, file: Uint8Array, text = `A heron waits at ${id}.`) => {
    const input: DocumentInput = { id, text, title: '', url: null, metadata: {}, file }
    const { kind } = accept(mortal.context, { kind: 'ingest', upserts: [input], deletes: [] })
    await finish(mortal, world, bill)
    return kind
  }
  const sizes = () => documents(mortal.context, null, 100).data.map(({ document, file }) => [document, file?.bytes ?? 0])
  return { ...mortal, put, sizes }
}

const bytes = (length: number): Uint8Array => new Uint8Array(length).fill(37)

describe('files of a corpus', () => {
  it('[H2138] are kept up to 2 GiB in all: beyond that a document is accepted without its file, and one that goes makes room', async () => {
    const { context, put, sizes } = begun()
    const { sql } = context
    expect(await put('a', bytes(600))).toBe('accepted')
    writeMeta(sql, metaKeys.fileBytes, MAX_FILES - 500) // as if others were kept
    expect(await put('b', bytes(501))).toBe('accepted')
    expect(await put('c', bytes(500))).toBe('accepted')
    expect(sizes()).toEqual([
      ['a', 600],
      ['b', 0],
      ['c', 500],
    ])
    expect(await put('a', bytes(600), 'An owl hunts.')).toBe('accepted')
    expect(await put('b', bytes(501))).toBe('unchanged')
    expect(sizes()).toEqual([
      ['a', 0],
      ['b', 501],
      ['c', 500],
    ])
  })

  it('[H2138] are left out where they would fill the storage to more than three quarters, and count for nothing when a graph is derived again', async () => {
    const { context, put, sizes } = begun()
    const held = { bytes: 1_000_000 }
    const limits = { documents: 10, chunks: 10, bytes: 4_000_000 }
    Object.assign(context, { limits, sql: { ...context.sql, size: () => held.bytes } })
    expect(await put('a', bytes(1_500_000))).toBe('accepted')
    held.bytes = 2_500_000
    expect(await put('b', bytes(1_500_000))).toBe('accepted')
    expect(sizes()).toEqual([
      ['a', 1_500_000],
      ['b', 0],
    ])
    const { sql } = context
    const needed = 2_500_000 + 0.6 * 1_000_000
    expect(checkRoomForShadowGraph({ ...context, sql, limits: { ...limits, bytes: needed } })).toBeUndefined()
    expect(checkRoomForShadowGraph({ ...context, sql, limits: { ...limits, bytes: needed - 1 } })).toMatchObject({ kind: 'full' })
  })

  it('[H2136] that are kept no more go a thousand at a time', async () => {
    const { context, put } = begun()
    await put('a', bytes(10))
    const { sql, config } = context
    for (let n = 1000; n < 2500; n++) sql.run('INSERT INTO file (revision, part, bytes) VALUES (?, 0, ?)', n, bytes(10))
    writeMeta(sql, metaKeys.fileBytes, 15_010)
    expect(hasUnkeptFiles(context)).toBe(false)
    Object.assign(context, { config: { ...config, settings: { ...config.settings, files: { keep: false } } } })
    const left = () => sql.one<{ n: number }>('SELECT count(*) AS n FROM file')?.n
    const seen = [left()]
    while (hasUnkeptFiles(context)) {
      expireFiles(context)
      seen.push(left())
    }
    expect(seen).toEqual([1501, 501, 0])
  })
})
