/**
 * Bodies that take much memory while they are read, one after the other: an isolate answers many requests at once and has 128 MB for
 * all of them. A request waits its turn before its body is read, and keeps it until its texts have been read (reading-turn.ts). The
 * memory needed is estimated by type and length. Turns belong to the isolate, so they do not limit the deployment: other isolates
 * have their own.
 *
 * No wait is endless. A turn that shows no activity for a minute, or whose body arrives slowly, goes to the first request that needs
 * the room: a slow sender keeps nobody waiting for long, and is not hurried while nobody waits.
 */
import { type FileType, fileTypeOf } from '../contract/file-types'
import { isolateMemory } from '../isolate-memory'
import { isArchive } from './archives'
import { KIB, MIB } from './body'
import { Problem } from './problem'
import type { Turn } from './turn'

const ROOM = 72 * MIB
const SMALL = 256 * KIB // size of a body that does not wait
const STEP = 25 // ms between two checks: a request cannot wait for another request's promise
const PATIENCE = 20_000 // ms
const FORGOTTEN = 60_000 // ms after which a turn is over: a request whose caller has left gives no further sign
const SOON = 10_000 // ms that every body has for arriving
const SLOW = (256 * KIB) / 1000 // bytes per millisecond, from then on: the largest body in a minute

const CONTAINERS: ReadonlySet<FileType> = new Set(['docx', 'pptx', 'xlsx', 'epub'])
const UNPACKED = 48 * MIB // 16 of parts, one of them as text, and the resulting text

/** Must it be read while no other of its kind is? */
export function isDeep(type: string): boolean {
  const kind = fileTypeOf(type)
  return kind === 'pdf' || isArchive(type) || (kind !== undefined && CONTAINERS.has(kind))
}

/** Bytes it may need at its peak; 0: little. */
export function weightOf(type: string, length: number): number {
  const kind = fileTypeOf(type)
  if (kind === 'pdf' || isArchive(type)) return ROOM
  if (kind && CONTAINERS.has(kind)) return Math.min(ROOM, length + UNPACKED)
  return length <= SMALL ? 0 : Math.min(ROOM, 4 * length) // as text, and as the result
}

export interface ReadingRoom {
  /** Undefined: there is no room now. `deep`: it must be read while no other such body is. */
  enter(weight: number, now: number, deep?: boolean): Turn | undefined
}

interface Inside {
  readonly weight: number
  readonly isDeep: boolean
  readonly until: number
  /** While its body arrives: since when, and how much of it has arrived. */
  readonly coming?: { readonly since: number; readonly bytes: number } | undefined
  readonly giveBack: () => void
}

const isOver = ({ until }: Inside, now: number): boolean => until <= now
const isSlow = ({ coming }: Inside, now: number): boolean =>
  coming !== undefined && now - coming.since >= SOON && coming.bytes < (now - coming.since) * SLOW

/** The admitted memory is borrowed from what objects of the isolate remember. */
export function readingRoom(memory = isolateMemory): ReadingRoom {
  const inside = new Map<symbol, Inside>()
  const put = (turn: symbol, now: number, one: Pick<Inside, 'weight' | 'isDeep' | 'coming'>): void => {
    inside.get(turn)?.giveBack()
    inside.set(turn, { ...one, until: now + FORGOTTEN, giveBack: memory.lend(one.weight, FORGOTTEN) })
  }
  const leave = (turn: symbol): void => {
    inside.get(turn)?.giveBack()
    inside.delete(turn)
  }
  const hasRoom = (weight: number): boolean =>
    inside.size === 0 || [...inside.values()].reduce((sum, one) => sum + one.weight, weight) <= ROOM // if nothing else is read, there is room for anything
  const makeRoom = (weight: number, now: number): boolean => {
    for (const mayGo of [isOver, isSlow]) for (const [turn, one] of inside) if (!hasRoom(weight) && mayGo(one, now)) leave(turn)
    return hasRoom(weight)
  }
  return {
    enter(weight, now, deep = false) {
      if (!makeRoom(weight, now)) return undefined
      const turn = Symbol()
      put(turn, now, { weight, isDeep: deep })
      return {
        arrived(bytes, at) {
          const own = inside.get(turn)
          if (!own) return false
          const coming = { since: own.coming?.since ?? at, bytes: (own.coming?.bytes ?? 0) + bytes }
          if (own.until - at < FORGOTTEN / 2) put(turn, at, { ...own, coming })
          else inside.set(turn, { ...own, coming })
          return true
        },
        complete(at) {
          const own = inside.get(turn)
          if (own) put(turn, at, { ...own, coming: undefined })
        },
        deepen(more, at) {
          for (const [other, one] of inside) {
            if (other === turn || !one.isDeep) continue
            if (!isOver(one, at) && !isSlow(one, at)) return false
            leave(other)
          }
          put(turn, at, { weight: Math.max(weight, more), isDeep: true })
          return true
        },
        shallow(at) {
          if (inside.has(turn)) put(turn, at, { weight, isDeep: deep })
        },
        leave: () => leave(turn),
      }
    },
  }
}

const room = readingRoom()

/** Does it when there is room for it. `weight` 0: at once. */
export async function inTurn<T>(weight: number, work: () => Promise<T>, deep = false): Promise<T> {
  if (weight === 0) return work()
  const turn = await turnFor(weight, deep)
  try {
    return await work()
  } finally {
    turn.leave()
  }
}

export const turnFor = (weight: number, deep = false): Promise<Turn> => patiently((now) => room.enter(weight, now, deep))

/** Runs it while no other of its kind runs, within a turn that is held. */
export async function deeper<T>(turn: Turn, weight: number, work: () => Promise<T>): Promise<T> {
  await patiently((now) => turn.deepen(weight, now) || undefined)
  try {
    return await work()
  } finally {
    turn.shallow(Date.now())
  }
}

/** Holding a turn meanwhile cannot cause a deadlock: a turn with a deep file waits for nothing. */
async function patiently<T>(attempt: (now: number) => T | undefined): Promise<T> {
  const since = Date.now()
  for (;;) {
    const found = attempt(Date.now())
    if (found !== undefined) return found
    if (Date.now() - since > PATIENCE)
      throw new Problem('unavailable', 'Other large files are being read. Try again in a moment.', { retryAfter: 5 })
    await new Promise((resolve) => setTimeout(resolve, STEP))
  }
}
