/** What moving the corpus to another embedding model will cost, before it is started, and its progress. Read from a sample of chunks: their ids are hashes. */
import type { Spent } from '../../../src/contract/usage'
import type { DerivedKind } from '../../../src/core/graph/types'
import { countTokens } from '../../../src/core/text/tokens'
import type { MigrationState } from '../../../src/ports/migration'
import { requestedConfig } from '../pending-config'
import { probeCount } from '../quality-gate/probes'
import { chunkTexts, movesUnits } from '../shadow-graph/move'
import type { CorpusContext } from '../store'
import { readMoveUnderway } from '../tables/job'
import { metaKeys, readMeta } from '../tables/meta'
import { listTotals } from '../tables/spending'
import type { MaintenanceProgress } from './job-progress'

const SAMPLE = 50 // chunks, and nodes of each kind
const DERIVED: readonly DerivedKind[] = ['entity', 'keyword', 'summary', 'community']
const REWRITTEN: ReadonlySet<string> = new Set(['summarize', 'report'])

export function migrationState(context: CorpusContext): MigrationState {
  const underway = readMoveUnderway(context.sql)
  const progress = underway?.progress ? (JSON.parse(underway.progress) as MaintenanceProgress) : undefined
  const { texts, tokens } = embedded(context)
  const pace = readMeta(context.sql, metaKeys.progress)?.pace.text
  return {
    job: underway?.id ?? null,
    step: (progress?.step as MigrationState['step']) ?? null,
    settings: requestedConfig(context).settings,
    served: context.config.settings,
    texts,
    tokens,
    seconds: pace === undefined ? null : Math.ceil((pace * texts) / 1000),
    rewritten: rewritten(context),
  }
}

interface Amount {
  readonly texts: number
  readonly tokens: number
}

function embedded(context: CorpusContext): Amount {
  const { graph } = context
  const units = movesUnits(context)
  const sample = graph.page('chunk', '', SAMPLE).flatMap((id) => {
    const chunk = graph.chunk(id)
    return chunk ? [chunkTexts(chunk, { passages: true, units })] : []
  })
  const sampled = sample.flat().reduce((sum, text) => sum + countTokens(text), 0)
  const nodes = DERIVED.map((kind) => nodesOf(context, kind))
  const chunks: Amount = {
    texts: graph.count('passage') + (units ? graph.count('unit') : 0),
    tokens: (sampled / Math.max(1, sample.length)) * graph.count('chunk'),
  }
  const all = [chunks, ...nodes, { texts: probeCount(context), tokens: 0 }]
  const sum = (of: keyof Amount): number => Math.round(all.reduce((total, one) => total + one[of], 0))
  return { texts: sum('texts'), tokens: sum('tokens') }
}

/** How many of a kind have a vector. */
function nodesOf({ graph }: CorpusContext, kind: DerivedKind): Amount {
  const sample = graph.page(kind, '', SAMPLE).flatMap((id) => graph.node(id) ?? [])
  const own = sample.filter((node) => node.vector)
  const share = graph.count(kind) / Math.max(1, sample.length)
  return { texts: own.length * share, tokens: own.reduce((sum, node) => sum + node.tokens, 0) * share }
}

function rewritten({ sql }: CorpusContext): Spent {
  const rows = listTotals(sql).filter((row) => REWRITTEN.has(row.stage))
  const sum = (of: 'read' | 'written' | 'embedded'): number => rows.reduce((total, row) => total + row[of], 0)
  return { in: sum('read'), out: sum('written'), embedded: sum('embedded') }
}
