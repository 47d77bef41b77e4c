/** A large change is applied in parts: memory holds the texts, vectors and changes of one part at a time, and none takes long. */
import type { Placed } from '../../../src/core/graph/types'
import type { Answer } from '../jobs/builders'
import { PART } from '../limits'
import { isBeingQueried, isThreadQueried } from '../query-load'
import type { CorpusContext } from '../store'
import type { Revision } from '../tables/revision'

// With 64, a batch of a hundred chunks would be applied in two parts, and a change applied in parts writes more than twice the rows: 213 instead of 86 per
// chunk.
const STEP = 32 // chunks of a part, once a change is applied in parts: by calculation a question that arrives meanwhile waits some 150 ms for one, once. Each part writes what stands above its chunks again: 72 files in 5,223 chunks took 63 s with 8, 45 with 32, 37 with 128
// A chunk is the smallest unit that builders take: about 20 ms with every strategy on.
const AT_ONCE_BESIDE_QUESTIONS = 2 // chunks: a larger change is applied in parts, which cost 30 ms more at the beginning and the end
const STEP_BESIDE_QUESTIONS = 1

type Asked = Pick<CorpusContext, 'config' | 'lastQuestion' | 'now' | 'part' | 'areOthersAsked'>

/** How many chunks one transaction may apply now. A larger change is applied in parts. */
export function maxAtOnce(context: Asked): number {
  const { part = PART } = context
  return goesGently(context) ? Math.min(part, AT_ONCE_BESIDE_QUESTIONS) : part
}

/** How many chunks a part may have. */
export function stepOf(context: Asked): number {
  const { part = PART } = context
  return Math.min(part, goesGently(context) ? STEP_BESIDE_QUESTIONS : STEP)
}

/** While it is asked, or another of its isolate. ArchRAG's communities depend on how a change is divided: not on what others are asked. */
function goesGently(context: Asked): boolean {
  return isBeingQueried(context) || (isThreadQueried(context) && !context.config.strategies.includes('archrag'))
}

/** A version that is added or removed, completely or as many of its chunks as one part may move. */
export interface Slice {
  readonly revision: Revision
  /** For a long document: where its chunks come from after this part. Absent: it is added or removed completely. */
  readonly chunks?: readonly Placed[]
  /** Those that come with this part. Absent: all. */
  readonly coming?: readonly Placed[]
  /** How many it loses in this part. */
  readonly going: number
}

export interface Part {
  readonly upserts: readonly Slice[]
  readonly deletes: readonly Slice[]
  readonly answers: readonly Answer[]
}

/** What is applied together. */
export interface Arrivals {
  readonly upserts: readonly Revision[]
  readonly deletes: readonly Revision[]
  /** The document's current chunks, if it exists, for an upsert. */
  readonly replaced: ReadonlyMap<string, readonly Placed[]>
}

/**
 * Removed texts come last: a text that other documents of the batch place again must not have been removed in between. At least one part.
 */
export function partsOf({ upserts, deletes, replaced }: Arrivals, answers: readonly Answer[], most = PART): Part[] {
  const coming = upserts.map((one) => slices(one, { now: placedOf(one), before: replaced.get(one.document) ?? [], most }))
  const going = deletes.map((one) => slices(one, { now: [], before: placedOf(one), most }))
  const [first = [], ...others] = grouped(coming.flat(), most)
  const [gone = [], ...more] = grouped(going.flat(), most)
  const parts: Part[] = [{ upserts: first, deletes: [], answers }, ...others.map((one) => ({ upserts: one, deletes: [], answers: [] }))]
  const last = parts.pop() as Part
  const room = last.upserts.length === 0 || weightOf(last.upserts) + weightOf(gone) <= most
  const end: Part[] = room ? [{ ...last, deletes: gone }] : [last, { upserts: [], deletes: gone, answers: [] }]
  return [...parts, ...end, ...more.map((one) => ({ upserts: [], deletes: one, answers: [] }))]
}

/**
 * A long document is replaced from its beginning: after each part its first chunks are the new ones, and the rest is as it was. No reader sees that state
 * (graph/snapshot.ts), and what is derived from a document does not depend on its earlier versions.
 */
function slices(revision: Revision, { now, before, most }: { now: readonly Placed[]; before: readonly Placed[]; most: number }): Slice[] {
  if (now.length + before.length <= most) return [{ revision, going: before.length }]
  const step = Math.max(1, now.length > 0 && before.length > 0 ? Math.floor(most / 2) : most)
  const out: Slice[] = []
  for (let at = step; at < Math.max(now.length, before.length); at += step) {
    out.push({
      revision,
      chunks: [...now.slice(0, at), ...before.slice(at)],
      coming: now.slice(at - step, at),
      going: before.slice(at - step, at).length,
    })
  }
  const last = out.length * step
  return [...out, { revision, coming: now.slice(last), going: before.slice(last).length }]
}

/** In order, each with no more chunks than a part may move. */
function grouped(all: readonly Slice[], most: number): Slice[][] {
  const out: Slice[][] = []
  let room = 0
  for (const slice of all) {
    const weight = weightOf([slice])
    const same = out.at(-1)?.some((one) => one.revision === slice.revision) // one part contains one version of a document
    if (weight > room || out.length === 0 || same) {
      out.push([])
      room = most
    }
    out.at(-1)?.push(slice)
    room -= weight
  }
  return out
}

/** Chunks added or removed. */
export function weightOf(all: readonly Slice[]): number {
  return all.reduce((sum, { revision, coming, going }) => sum + (coming ?? placedOf(revision)).length + going, 0)
}

export function placedOf(revision: Revision): Placed[] {
  return JSON.parse(revision.placed) as Placed[]
}
