/**
 * Settings and strategies that shape the graph take effect with the graph that was made for them: until then, and if that graph is
 * rejected, the corpus is served unchanged. Everything else (budget, prices, whatever needs no builder) takes effect at once.
 */
import { canonicalJson } from '../../src/core/canonical-json'
import type { Json } from '../../src/core/graph/types'
import { type EmbeddingSettings, isSameEmbedding, keyOfRole, type Settings, withEmbeddingOf } from '../../src/core/settings'
import { declarationOf, enabledBuilders } from '../../src/core/strategies/registry'
import type { CorpusConfig } from '../../src/ports/corpus'
import type { CorpusContext, Store } from './store'
import { deleteAllEarlier, deleteAllRemoved } from './tables/earlier'
import { deleteMeta, hasMeta, metaKeys, readMeta, writeMeta } from './tables/meta'
import { readLastRevisionNumber } from './tables/revision'

/**
 * `before`: what is served. Only this decides whose vectors a corpus has: a caller's configuration may be older than a migration. Returns
 * whether a graph must be derived for what is requested now and was not before. Inside a transaction.
 */
export function writeConfig({ sql, graph }: Store, before: CorpusConfig | undefined, asked: CorpusConfig): boolean {
  const config = before ? { ...asked, settings: withEmbeddingOf(asked.settings, before.settings) } : asked
  const pending = readMeta(sql, metaKeys.pendingConfig)
  const isMoving = before !== undefined && pending !== undefined && !isSameEmbedding(pending.settings, before.settings)
  const isShaping = before !== undefined && graph.count('document') > 0 && rebuilds(before, config)
  const served = isShaping ? { ...config, strategies: usable(before, config), settings: before.settings } : config
  const requested = isMoving ? { ...config, settings: withEmbeddingOf(config.settings, pending.settings) } : config
  writeMeta(sql, metaKeys.config, served)
  if (before) noteDivision({ sql }, before.settings, served.settings)
  if (before?.settings.earlier?.days && !served.settings.earlier?.days) deleteAllEarlier(sql)
  if (before?.hasJudge && !served.hasJudge) deleteAllRemoved(sql)
  if (isShaping || isMoving) writeMeta(sql, metaKeys.pendingConfig, requested)
  else deleteMeta(sql, metaKeys.pendingConfig)
  return isMoving ? rebuilds(pending, requested) : isShaping
}

/** Documents are divided differently from now on; existing ones stay as they were divided until they are put again. Inside a transaction. */
export function noteDivision({ sql }: Pick<Store, 'sql'>, before: Settings, after: Settings): void {
  const { chunk, overlap, passage, method } = after.chunking
  const was = before.chunking
  if (was.chunk === chunk && was.overlap === overlap && was.passage === passage && was.method === method) return
  writeMeta(sql, metaKeys.dividedBefore, readLastRevisionNumber(sql))
}

/** Starts moving the corpus to another embedding model. Inside a transaction. */
export function writeMigration(context: CorpusContext, settings: EmbeddingSettings): void {
  const requested = requestedConfig(context)
  writeMeta(context.sql, metaKeys.pendingConfig, { ...requested, settings: withEmbeddingOf(requested.settings, settings) })
}

/** It stays with its current model. Other pending settings stay pending. */
export function dropMigration(context: CorpusContext): void {
  if (!isMigrating(context)) return
  const requested = requestedConfig(context)
  const kept = { ...requested, settings: withEmbeddingOf(requested.settings, context.config.settings) }
  if (rebuilds(context.config, kept)) writeMeta(context.sql, metaKeys.pendingConfig, kept)
  else deleteMeta(context.sql, metaKeys.pendingConfig)
}

/** Is it being moved to another embedding model? */
export function isMigrating(context: Pick<CorpusContext, 'sql' | 'config'>): boolean {
  const pending = readMeta(context.sql, metaKeys.pendingConfig)
  return pending !== undefined && !isSameEmbedding(pending.settings, context.config.settings)
}

/** Was something requested that is not in effect yet? */
export function isPending({ sql }: Pick<Store, 'sql'>): boolean {
  return hasMeta(sql, metaKeys.pendingConfig)
}

/** Settings that the graph does not depend on. */
const SERVING: ReadonlySet<string> = new Set([
  'reranker',
  'language',
  'answers',
  'pictures',
  'recordings',
  'earlier',
  'files',
  'replicas',
  'roleModels',
])

/** Do these settings shape the graph? Then it must be derived again. */
function rebuilds(before: CorpusConfig, after: CorpusConfig): boolean {
  const shape = ({ settings, strategies }: CorpusConfig): string => {
    // Speed does not change the result; an ontology, guidance and examples change what is requested, and the graph follows little by little
    // (prompt-renewals.ts).
    const { renewals: _, ontology: __, guidance: ___, language: ____, examples: _____, ...extraction } = settings.extraction
    const shaping = Object.fromEntries(
      Object.entries({ ...settings, extraction }).filter(([name]) => !SERVING.has(name) && !buildsNothing(name)),
    )
    const written = [...keyOfRole(settings, 'summarise'), ...keyOfRole(settings, 'describe')]
    return canonicalJson([shaping as Json, buildersOf(strategies), written])
  }
  return shape(before) !== shape(after)
}

/** The served strategies, and requested ones whose builders have already built. */
function usable(before: CorpusConfig, after: CorpusConfig): string[] {
  const built = new Set(buildersOf(before.strategies))
  const ready = after.strategies.filter((name) => buildersOf([name]).every((builder) => built.has(builder)))
  return [...new Set([...before.strategies, ...ready])]
}

/** Settings of a strategy that builds nothing from documents. */
function buildsNothing(name: string): boolean {
  const declared = declarationOf(name)
  return declared !== undefined && declared.strategy === undefined
}

function buildersOf(strategies: readonly string[]): string[] {
  return enabledBuilders(strategies)
    .map((one) => one.name)
    .sort()
}

/** The requested configuration of the corpus; while nothing is pending, the current one. */
export function requestedConfig(context: Pick<CorpusContext, 'sql' | 'config'>): CorpusConfig {
  return readMeta(context.sql, metaKeys.pendingConfig) ?? context.config
}

/** Does a builder of the served graph, or of the requested one, need a vector for every sentence? */
export function wantsUnits(context: CorpusContext): boolean {
  const requested = hasMeta(context.sql, metaKeys.pendingConfig) ? enabledBuilders(requestedConfig(context).strategies) : []
  return [...context.builders, ...requested].some((builder) => builder.unitVectors)
}
