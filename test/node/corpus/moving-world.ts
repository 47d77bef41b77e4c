/** A corpus whose number of partitions is changed, driven by hand. */
import { expect } from 'vitest'
import { repartitionOf } from '../../../durable-objects/corpus/division/state'
import { accept } from '../../../durable-objects/corpus/ingest/accept'
import { acceptWithAudit } from '../../../durable-objects/corpus/ingest/accept-with-audit'
import { document } from '../../../durable-objects/corpus/ingest/documents'
import { beginArriving, follow } from '../../../durable-objects/corpus/repartition/part'
import { workOnRepartition } from '../../../durable-objects/corpus/repartition/whole'
import { contextOf } from '../../../durable-objects/corpus/store'
import { partOf } from '../../../src/core/joint/part-of'
import { newUid, uidsOfSet } from '../../../src/corpus-uid'
import { CLOSED, MOVED } from '../../../src/partition-layout'
import type { MoveAnswer, MoveOrder } from '../../../src/ports/repartition'
import { Death, type Mortal, mortalWorld, type World } from './mortal-object'
import { finish, noBill } from './working'

interface Doc {
  readonly text: string
  readonly access: readonly string[]
}

export interface Part {
  readonly world: World
  mortal: Mortal
  isEmpty: boolean
}

/** A corpus with documents, and objects for both sets of partitions. `OLD` 1: it was made without any. */
export async function dividedWorld(OLD: number, NEW: number, strategies: readonly string[] = []) {
  const uid = newUid({ partitions: OLD })
  const clock = { now: 1_000_000 }
  const partAt = (own: string): Part => {
    const world = mortalWorld(strategies, {}, { uid: own, clock })
    return { world, mortal: world.wake(), isEmpty: false }
  }
  const whole = partAt(uid)
  const own = uidsOfSet(uid, { set: 0, count: OLD })
  const old = OLD === 1 ? [whole] : own.map(partAt)
  const coming = uidsOfSet(uid, { set: 1, count: NEW }).map(partAt)
  const parts = new Map([
    ...own.map((one, i) => [one, old[i]] as const),
    ...uidsOfSet(uid, { set: 1, count: NEW }).map((own, i) => [own, coming[i]] as const),
  ])
  const docs = new Map<string, Doc>()
  const bill = noBill()
  const reports = { takeReports: async () => undefined, reserveFor: () => Promise.reject(new Error('there is no budget')) }
  const settle = async (which: readonly Part[], paid = noBill()): Promise<void> => {
    for (const part of which) {
      while (!part.isEmpty) {
        const { world, mortal } = part
        try {
          await finish({ ...mortal, sinks: { ...mortal.sinks, whole: () => reports } }, world, paid)
          break
        } catch (error) {
          if (!(error instanceof Death)) throw error
          part.mortal = world.wake()
        }
      }
    }
  }
  const home = (id: string) => (old[partOf(id, OLD)] as Part).mortal.context
  /** A write, as a caller makes it; false: refused. */
  const write = (id: string, what: 'put' | 'delete' | 'access', text = ''): boolean => {
    const known = docs.get(id)
    const context = home(id)
    try {
      if (what === 'put') {
        acceptWithAudit(
          context,
          { key: 'k', door: 'http' },
          { kind: 'ingest', upserts: [{ id, text, title: '', url: null, metadata: { of: id } }], deletes: [] },
        )
        if (known?.text !== text) docs.set(id, { text, access: known?.access ?? [] })
      } else if (what === 'delete') {
        accept(context, { kind: 'delete', upserts: [], deletes: [id] })
        docs.delete(id)
      } else if (known) {
        accept(context, {
          kind: 'ingest',
          upserts: [{ id, text: known.text, title: '', url: null, metadata: { of: id }, access: [text] }],
          deletes: [],
        })
        docs.set(id, { ...known, access: [text] })
      }
      return true
    } catch (error) {
      if (![CLOSED, MOVED].includes((error as Error).message)) throw error
      return false
    }
  }
  const obey = (own: string, order: MoveOrder): MoveAnswer => {
    const part = parts.get(own)
    if (!part || part.isEmpty) return { kind: 'empty' }
    const { context } = part.mortal
    if (order.kind === 'begin') {
      beginArriving(context, order)
      return { kind: 'done' }
    }
    if (order.kind === 'remove') {
      part.isEmpty = true
      return { kind: 'done' }
    }
    return structuredClone(follow(context, structuredClone(order)))
  }
  /** What the new partitions have. */
  const held = () =>
    new Map(
      coming.flatMap(({ mortal: { context } }) =>
        context.graph.page('document', '', 1000).map((id) => {
          const shown = document(context, id, 'all')
          return [id, { text: shown?.text ?? '', version: shown?.content_version ?? 0, access: shown?.access ?? [] }] as const
        }),
      ),
    )
  /** Of its content, as the partition says that it was in. */
  const versionAt = (id: string) => document(home(id), id, 'all')?.content_version
  return {
    ...{ uid, clock, versionAt, home, old, coming, docs, bill, settle, write, obey, held },
    own: whole,
    get whole() {
      return whole.mortal.context
    },
  }
}

export const sorted = (docs: ReadonlyMap<string, Doc & { readonly version: number | undefined }>) =>
  [...docs].sort(([a], [b]) => (a < b ? -1 : 1))

export type Divided = Awaited<ReturnType<typeof dividedWorld>>

/** Drives it to its end; `move` may interfere with each order. */
export async function run(
  it: Divided,
  move: (uid: string, order: MoveOrder) => MoveAnswer,
  between: () => Promise<void> = async () => undefined,
): Promise<void> {
  const partition = (own: string) => ({ move: async (order: MoveOrder) => move(own, order) })
  const pause = async (): Promise<void> => {
    it.clock.now += 100
  }
  const sinks = {
    get index() {
      return it.own.mortal.sinks.index
    },
    get readModel() {
      return it.own.mortal.sinks.readModel
    },
  }
  const reread = () => void Object.assign(it.whole, contextOf(it.whole))
  const parts = { partition, record: async () => undefined, pause, sinks, reread }
  for (let turn = 0; repartitionOf(it.whole)?.step !== 'done'; turn++) {
    expect(turn).toBeLessThan(400)
    await workOnRepartition(it.whole, parts, Number.MAX_SAFE_INTEGER).catch((error: Error) => {
      if (error instanceof Death) it.own.mortal = it.own.world.wake()
      else if (error.message !== 'lost') throw error
    })
    await it.settle(it.old)
    await it.settle(it.coming, it.bill)
    await between()
    it.clock.now += 2000
  }
}
