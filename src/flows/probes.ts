/** Pins questions to a corpus: each is embedded once, so that the schedule and the gate can ask it without a model. */
import type { CorpusObject, Models, ProbesView } from '../ports'
import { embedTexts } from './embed'

interface Pinned {
  readonly probes: readonly { readonly query: string; readonly expect: readonly string[] }[]
  readonly k: number
  readonly tolerance: number
}

/** Rejects with the model's fault while it is out: probes without vectors would judge half of what a corpus does. */
export async function pinProbes(deps: { readonly corpus: CorpusObject; readonly models: Models }, pinned: Pinned): Promise<ProbesView> {
  const { probes, ...bounds } = pinned
  const { vectors, spent, calls } = await embedTexts(
    deps.models,
    probes.map((probe) => probe.query),
  )
  const view = await deps.corpus.putProbes(
    probes.map((probe, i) => ({ ...probe, ...(vectors[i] ? { vector: vectors[i] } : {}) })),
    bounds,
  )
  if (calls > 0) await deps.corpus.charge({ embed: { ...spent, calls } })
  return view
}
