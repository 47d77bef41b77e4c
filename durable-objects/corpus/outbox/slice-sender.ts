/**
 * Sends slices to a sink that may refuse one: a slice that is refused because of its contents is halved until the bad item is isolated; that is set aside,
 * counted and reported by its code, so that it holds up nothing else. What an outage refuses keeps its place. The sweep notices what was set aside and
 * sends it again.
 */
import { VectorFault } from '../../../src/vector-faults'
import type { CorpusContext } from '../store'
import { deleteMeta, metaKeys, readMeta, writeMeta } from '../tables/meta'
import type { RefusedVectors, SinkFault, SinkName } from '../tables/meta-values'

const OUTAGE_REFUSALS = 8 // single items refused in a row, and none accepted: the items are not the cause
const MAX_TRIES = 8 // times a slice fails in one place without a reason before its contents are blamed, if the sink is up

export interface SliceSender {
  send<T>(items: readonly T[], call: (items: readonly T[]) => Promise<void>): Promise<void>
  /** Records what was set aside. */
  close(): void
}

/** `probe`: a call that only an outage refuses. */
export function sliceSender(context: CorpusContext, probe: () => Promise<void>): SliceSender {
  const isStuck = (faultOf(context, 'index')?.tries ?? 0) >= MAX_TRIES
  let accepted = 0
  const refused: number[] = []
  const isOwnFault = async (error: unknown): Promise<boolean> => {
    if (!(error instanceof VectorFault)) return false
    if (error.isRefusal) return true
    return (
      isStuck &&
      (await probe().then(
        () => true,
        () => false,
      ))
    )
  }
  const send = async <T>(items: readonly T[], call: (items: readonly T[]) => Promise<void>): Promise<void> => {
    if (items.length === 0) return
    try {
      await call(items)
      accepted += items.length
    } catch (error) {
      if (!(await isOwnFault(error))) throw error
      if (items.length === 1) {
        refused.push(error instanceof VectorFault ? error.code : 0)
        if (accepted === 0 && refused.length >= OUTAGE_REFUSALS) {
          refused.length = 0
          throw error
        }
        return
      }
      const half = Math.ceil(items.length / 2)
      await send(items.slice(0, half), call)
      await send(items.slice(half), call)
    }
  }
  return { send, close: () => noteRefused(context, refused) }
}

function noteRefused(context: CorpusContext, codes: readonly number[]): void {
  const code = codes.at(-1)
  if (code === undefined) return
  const before = refusedOf(context)?.count ?? 0
  writeMeta(context.sql, metaKeys.refusedVectors, { count: before + codes.length, code, at: context.now() })
  console.warn(JSON.stringify({ event: 'vectors_refused', corpus: context.config.uid, count: codes.length, code }))
}

export function refusedOf(context: Pick<CorpusContext, 'sql'>): RefusedVectors | undefined {
  return readMeta(context.sql, metaKeys.refusedVectors)
}

/** A sink's last failure, until something has been sent since. */
export function faultOf(context: Pick<CorpusContext, 'sql'>, sink: SinkName): SinkFault | undefined {
  return readMeta(context.sql, metaKeys.faults[sink])
}

/** Logged once for each place and code: an outage lasts many alarms. */
export function noteFault(context: CorpusContext, sink: SinkName, error: unknown, place: string): void {
  const code = error instanceof VectorFault ? error.code : 0
  const before = faultOf(context, sink)
  const same = before?.place === place && before.code === code
  const fault: SinkFault = { code, at: context.now(), tries: same ? before.tries + 1 : 1, place }
  writeMeta(context.sql, metaKeys.faults[sink], fault)
  if (!same) console.warn(JSON.stringify({ event: 'sink_failed', corpus: context.config.uid, sink, code }))
}

export function clearFault(context: Pick<CorpusContext, 'sql'>, sink: SinkName): void {
  if (faultOf(context, sink)) deleteMeta(context.sql, metaKeys.faults[sink])
}
