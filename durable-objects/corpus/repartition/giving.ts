/** Documents go from the partitions that a corpus has to those that it will have: one order at a time, so that a later one is never overtaken. */
import { partOf } from '../../../src/core/joint/part-of'
import { uidsOfSet } from '../../../src/corpus-uid'
import type { MoveAnswer, MovedDocument, MoveOrder, MoveState, MovingObject } from '../../../src/ports/repartition'
import { advance, repartitionOf } from '../division/state'
import { isIntegrating } from '../jobs/integration-state'
import type { CorpusContext } from '../store'
import type { Repartition } from '../tables/repartition'
import { follow } from './part'

export type PartitionAt = (uid: string) => Pick<MovingObject, 'move'>

export interface Move {
  readonly context: CorpusContext
  readonly partition: PartitionAt
  readonly state: Repartition
}

/** Another step has begun meanwhile, by a call or another instance. */
export class Overtaken extends Error {}
/** The new partitions cannot hold the corpus. */
export class NoRoom extends Error {}

export const oldUids = ({ context, state }: Move): readonly string[] => uidsOfSet(context.config.uid, state.from)
export const newUids = ({ context, state }: Move): readonly string[] => uidsOfSet(context.config.uid, state.to)

/** Is the corpus's own object the one that has its documents? */
export const isAlone = ({ state }: Move): boolean => state.from.count === 1

/** While it applies a large change, its documents are partly as they were and partly as they will be. */
export const isAmidst = (move: Move): boolean => isAlone(move) && isIntegrating(move.context)

/** What it tells itself needs no call. */
export async function order(move: Move, uid: string, what: MoveOrder): Promise<MoveAnswer> {
  const isOwn = uid === move.context.config.uid && what.kind !== 'begin'
  const answer = isOwn ? follow(move.context, what) : await move.partition(uid).move(what)
  if (answer.kind === 'refused') throw new NoRoom()
  return answer
}

export async function stateAt(move: Move, uid: string): Promise<MoveState> {
  const answer = await order(move, uid, { kind: 'state' })
  if (answer.kind !== 'state') throw new Error(`repartition: ${answer.kind} instead of a state`)
  return answer.state
}

export async function statesOf(move: Move, uids: readonly string[]): Promise<readonly MoveState[]> {
  return Promise.all(uids.map((uid) => stateAt(move, uid)))
}

/** A page of documents that are read for the first time. */
export async function giveNext(move: Move, place: NonNullable<Repartition['place']>): Promise<void> {
  const uids = oldUids(move)
  const found = await read(move, uids[place.part] ?? '', place.after)
  await give(move, found.documents, found.gone)
  const next =
    found.next !== null ? { ...place, after: found.next } : place.part + 1 < uids.length ? { part: place.part + 1, after: '' } : null
  const { documents } = repartitionOf(move.context) ?? move.state
  advance(move.context, move.state, { place: next, documents: { ...documents, done: documents.done + found.documents.length } })
}

/** What has changed since it was read. False: nothing has. */
export async function giveChanges(move: Move): Promise<boolean> {
  let any = false
  for (const uid of oldUids(move)) {
    const { documents, gone, changes } = await read(move, uid, null)
    if (changes.length === 0) continue
    any = true
    await give(move, documents, gone)
    await order(move, uid, { kind: 'taken', changes })
  }
  return any
}

async function read(move: Move, uid: string, after: string | null) {
  const answer = await order(move, uid, { kind: 'read', after })
  if (answer.kind !== 'documents') throw new Error(`repartition: ${answer.kind} instead of documents`)
  return answer
}

async function give(move: Move, documents: readonly MovedDocument[], gone: readonly string[]): Promise<void> {
  const { count } = move.state.to
  const comings = Map.groupBy(documents, ({ input }) => partOf(input.id, count))
  const goings = Map.groupBy(gone, (id) => partOf(id, count))
  for (const part of new Set([...comings.keys(), ...goings.keys()])) {
    const n = nextOrder(move)
    const answer = await order(move, newUids(move)[part] ?? '', {
      kind: 'put',
      n,
      documents: comings.get(part) ?? [],
      deletes: goings.get(part) ?? [],
    })
    if (answer.kind === 'empty') throw new Error('repartition: a partition is not there')
  }
}

/** Numbered before it is sent: one that comes late has a lower number than the next. */
function nextOrder({ context, state }: Move): number {
  const n = (repartitionOf(context)?.orders ?? 0) + 1
  if (!advance(context, state, { orders: n })) throw new Overtaken()
  return n
}
