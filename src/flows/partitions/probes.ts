/**
 * Probes of a partitioned corpus: its own object keeps them, with what was found. The partitions know which documents there are and who may
 * read them, and a probe is asked by the walk that answers questions.
 */
import type { Finding } from '../../contract/probes'
import type { Asker } from '../../core/access/labels'
import { findingAmong } from '../../core/evidence'
import { embeddingModelOf } from '../../core/settings'
import { isJoint } from '../../core/strategies/joint'
import { isEnabled, strategies } from '../../core/strategies/registry'
import type { Strategy } from '../../core/strategy'
import type { CorpusConfig } from '../../ports/corpus'
import type { CorpusObject } from '../../ports/object'
import type { ProbeAsked, ProbeFound } from '../../ports/probes'
import type { VectorIndex } from '../../ports/vector-index'
import { entriesFor } from '../entry-points'
import { seen } from './documents'
import type { Divided } from './part'

const ROOM = 100_000 // tokens: k bounds the results, not the budget

type PutProbes = CorpusObject['putProbes']

export async function putProbes({ whole, parts }: Divided, ...args: Parameters<PutProbes>): ReturnType<PutProbes> {
  const [probes, { asker, ...bounds }, ...rest] = args
  const pinned = await whole.putProbes(probes, { ...bounds, asker: 'all' }, ...rest)
  if (pinned === 'changed') return pinned
  const expected = [...new Set(probes.flatMap(({ expect }) => expect))]
  const known = await readableAmong(parts, expected, asker)
  return { ...pinned, missing: expected.filter((id) => !known.has(id)) }
}

/** As in one object: those whose documents all are the asker's to read; for who may read everything, all. */
export async function probes({ whole, parts }: Divided, asker?: Asker): ReturnType<CorpusObject['probes']> {
  const all = await whole.probes('all')
  const expected = [...new Set(all.probes.flatMap(({ expect }) => expect))]
  const known = await readableAmong(parts, expected, asker)
  const shown = all.probes.filter(({ expect }) => asker === 'all' || expect.every((id) => known.has(id)))
  return { ...all, probes: shown.map((one) => ({ ...one, missing: one.expect.filter((id) => !known.has(id)) })) }
}

async function readableAmong(parts: Divided['parts'], ids: readonly string[], asker: Asker | undefined): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  return new Set(Object.keys((await seen(parts, { documents: ids, withInactive: true, existing: true }, asker)).documents))
}

/** Strategies that depend on what builders derived. Null: not all partitions answered. */
export async function askProbe(
  { corpus, index }: { readonly corpus: Pick<CorpusObject, 'retrieve' | 'seen'>; readonly index: Pick<VectorIndex, 'query'> },
  { config, probe, k }: ProbeAsked,
): Promise<ProbeFound | null> {
  const { documents } = await corpus.seen({ documents: probe.expect, withInactive: true, existing: true }, 'all')
  const expected = probe.expect.filter((id) => documents[id] !== undefined)
  const found: { [strategy: string]: Finding } = {}
  const asked = [...strategies.values()].filter(
    ({ name, builders }) => expected.length > 0 && builders.length > 0 && isJoint(name) && isEnabled(name, config.strategies),
  )
  const model = embeddingModelOf(config.settings)
  for (const strategy of asked) {
    const near = await nearest(index, strategy, config, probe.vector)
    const result = await corpus.retrieve({
      strategy: strategy.name,
      text: probe.query,
      near,
      ...(probe.vector ? { vector: probe.vector, ...(model ? { embedded: model.id } : {}) } : {}),
      topK: k,
      budget: ROOM,
      trace: false,
      options: { scorer: probe.vector ? 'embedding' : 'lexical' },
      asker: 'all',
    })
    if (result.kind !== 'evidence' || result.skipped) return null
    found[strategy.name] = findingAmong(result.evidence, expected, k)
  }
  return found
}

async function nearest(index: Pick<VectorIndex, 'query'>, strategy: Strategy, config: CorpusConfig, vector: Int8Array | undefined) {
  if (!vector) return {}
  const wanted = entriesFor(strategy, { config }).filter(({ of }) => of !== 'names')
  return Object.fromEntries(
    await Promise.all(wanted.map(async ({ kind, k }) => [kind, await index.query(config.uid, vector, { kind, k })] as const)),
  )
}
