/** Pins questions to a corpus: each is embedded once, so that the schedule and the gate can ask it without a model. */
import type { CorpusObject, Models, ProbesView } from '../ports'
import { embedTexts } from './embed'

interface Pinned {
  readonly probes: readonly { readonly query: string; readonly expect: readonly string[] }[]
  readonly k: number
  readonly tolerance: number
}

interface Deps {
  readonly corpus: CorpusObject
  readonly models: Models
}

/**
 * Rejects with the model's fault while it is out: probes without vectors would judge half of what a corpus does. `changed`: others are
 * pinned than the revision `ifMatch` names. That is looked at before anything is paid for, and settled by the object, which pins.
 */
export async function pinProbes({ corpus, models }: Deps, pinned: Pinned, ifMatch?: string): Promise<ProbesView | 'changed'> {
  if (ifMatch !== undefined && (await corpus.probes()).revision !== ifMatch) return 'changed'
  const { probes, ...bounds } = pinned
  const { vectors, spent, calls } = await embedTexts(
    models,
    probes.map((probe) => probe.query),
  )
  const view = await corpus.putProbes(
    probes.map((probe, i) => ({ ...probe, ...(vectors[i] ? { vector: vectors[i] } : {}) })),
    bounds,
    ifMatch,
  )
  if (calls > 0) await corpus.charge({ embed: { ...spent, calls } })
  return view
}
