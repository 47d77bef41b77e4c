/**
 * Asks the probes of a corpus in partitions over all of them, from its own object: each soon after it is pinned, and all again when the corpus
 * has settled at another version, an hour after the last time at the earliest. A probe that not all partitions answered is asked again later.
 */
import { partitionsOf } from '../../../src/corpus-uid'
import type { AskProbe } from '../../../src/ports/probes'
import { pinnedProbes, probeToAsk, storeFinding } from '../quality-gate/probes'
import type { CorpusContext } from '../store'
import { metaKeys, readMeta, writeMeta } from '../tables/meta'
import { readProbe } from '../tables/probe'
import { SURVEY_PAUSE } from './survey'

const RETRY = 300_000 // ms until a probe is asked again that could not be

type Own = Pick<CorpusContext, 'sql' | 'config' | 'now'>

/** Null: none is due. */
export function probesDueAt({ sql, config }: Pick<Own, 'sql' | 'config'>): number | null {
  if (partitionsOf(config.uid) === 1 || !probeToAsk({ sql }, Number.MAX_SAFE_INTEGER)) return null
  const { at = 0, version = -1, notBefore = 0 } = readMeta(sql, metaKeys.probing) ?? {}
  if (probeToAsk({ sql }, at)) return notBefore
  return (readMeta(sql, metaKeys.settledVersion) ?? -1) > version ? Math.max(notBefore, at + SURVEY_PAUSE) : null
}

/** Until a time (ms). */
export async function askProbes(context: Own & Pick<CorpusContext, 'atomically'>, ask: AskProbe | undefined, until: number): Promise<void> {
  const { sql, config, now, atomically } = context
  const due = probesDueAt(context)
  if (!ask || due === null || due > now()) return
  const settled = readMeta(sql, metaKeys.settledVersion) ?? -1
  const before = readMeta(sql, metaKeys.probing)
  const begins = !probeToAsk(context, before?.at ?? 0)
  const round = begins || !before ? { at: now(), version: settled } : { at: before.at, version: before.version }
  writeMeta(sql, metaKeys.probing, round)
  for (let probe = probeToAsk(context, round.at); probe && now() < until; probe = probeToAsk(context, round.at)) {
    const { n, query } = probe
    const found = await ask({ config, probe, k: pinnedProbes(context).k }).catch(() => null)
    if (found === null) return writeMeta(sql, metaKeys.probing, { ...round, notBefore: now() + RETRY })
    atomically(() => {
      if (readProbe(sql, n)?.query === query) storeFinding(context, { n, query, expect: [] }, { at: now(), found })
    })
  }
}
