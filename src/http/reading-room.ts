/**
 * Bodies that take much memory while they are read, one after the other: an isolate answers many requests at once and has 128 MB for all of them. A request
 * waits its turn before its body, or a file inside of it, is read. What that will take is guessed by its type and length. The turns are kept by the isolate, so they are no limit of
 * the deployment: other isolates have their own.
 */
import { type FileType, fileTypeOf } from '../contract/file-types'
import { isolateMemory } from '../isolate-memory'
import { MIB, mediaType } from './body'
import type { Ctx } from './context'
import { Problem } from './problem'

const ROOM = 72 * MIB
const SMALL = 256 * 1024 // bytes of a body that waits for nobody
const LARGEST = 16 * MIB // of a body that does not say how large it is
const STEP = 25 // ms between two looks: a promise of another request is not waited for
const PATIENCE = 20_000 // ms
const FORGOTTEN = 60_000 // ms after which a turn is over: of a request whose caller has gone nothing more is heard

const CONTAINERS: ReadonlySet<FileType> = new Set(['docx', 'pptx', 'xlsx', 'epub'])
const UNPACKED = 48 * MIB // 16 of parts, one of them as text, and what it becomes

/** Bytes it may take at its height; 0: little. */
export function weightOf(type: string, length: number): number {
  const kind = fileTypeOf(type)
  if (kind === 'pdf' || type === 'application/zip') return ROOM
  if (kind && CONTAINERS.has(kind)) return Math.min(ROOM, length + UNPACKED)
  return length <= SMALL ? 0 : Math.min(ROOM, 4 * length) // as text, and as what is made of it
}

export interface ReadingRoom {
  /** Undefined: there is no room now. The function gives it back. */
  enter(weight: number, now: number): (() => void) | undefined
}

/** What is let in is lent of what objects of the isolate remember. */
export function readingRoom(memory = isolateMemory): ReadingRoom {
  const inside = new Map<symbol, { readonly weight: number; readonly until: number; readonly giveBack: () => void }>()
  const leave = (turn: symbol): void => {
    inside.get(turn)?.giveBack()
    inside.delete(turn)
  }
  return {
    enter(weight, now) {
      for (const [turn, { until }] of inside) if (until <= now) leave(turn)
      const taken = [...inside.values()].reduce((sum, one) => sum + one.weight, 0)
      if (inside.size > 0 && taken + weight > ROOM) return undefined
      const turn = Symbol()
      inside.set(turn, { weight, until: now + FORGOTTEN, giveBack: memory.lend(weight, FORGOTTEN) })
      return () => leave(turn)
    },
  }
}

const room = readingRoom()

/** Does it when there is room for it. `weight` 0: at once. */
export async function inTurn<T>(weight: number, work: () => Promise<T>): Promise<T> {
  if (weight === 0) return work()
  const since = Date.now()
  for (;;) {
    const leave = room.enter(weight, Date.now())
    if (leave) {
      try {
        return await work()
      } finally {
        leave()
      }
    }
    if (Date.now() - since > PATIENCE)
      throw new Problem('unavailable', 'Other large files are being read. Try again in a moment.', { retryAfter: 5 })
    await new Promise((resolve) => setTimeout(resolve, STEP))
  }
}

/** Of the body that a request is about to send. */
export function weightOfBody(c: Ctx): number {
  return weightOf(mediaType(c), Number(c.req.header('content-length') ?? LARGEST))
}
