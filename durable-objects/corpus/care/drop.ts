/**
 * Forgets a whole corpus: its vectors, its rows in the read model, and last everything in the object itself. Every step may be repeated;
 * until the last one the job is still there, so that a crash or a sink that is down only delays it.
 */
import type { DerivedKind } from '../../../src/core/graph/types'
import { passageId } from '../../../src/core/ids'
import type { Ledger } from '../store'
import type { Sinks } from '../told/drain'
import { unfinished } from '../work/jobs'

const CALL = 1000 // ids per call to the index
const INDEXED: readonly DerivedKind[] = ['entity', 'keyword', 'label', 'summary', 'community']

export function dropping(ledger: Ledger): boolean {
  return unfinished(ledger.sql).some((job) => job.kind === 'drop')
}

/** Tells the sinks. When it returns, the object's own storage may be deleted. */
export async function dropEverywhere(ledger: Ledger, sinks: Sinks): Promise<void> {
  let ids: string[] = []
  const flush = async (least: number): Promise<void> => {
    while (ids.length >= least && ids.length > 0) await sinks.index.remove(ids.splice(0, CALL))
  }
  for (const kind of ['chunk', ...INDEXED] as const) {
    for (let after = ''; ; ) {
      const page = ledger.graph.page(kind, after, 200)
      const last = page.at(-1)
      if (last === undefined) break
      ids = [...ids, ...(kind === 'chunk' ? page.flatMap((id) => passagesOf(ledger, id)) : page)]
      await flush(CALL)
      after = last
    }
  }
  await flush(1)
  while ((await sinks.readModel.drop(ledger.config)) > 0);
}

function passagesOf(ledger: Ledger, chunk: string): string[] {
  return (ledger.graph.chunk(chunk)?.passages ?? []).map((_, ordinal) => passageId(chunk, ordinal))
}
