/**
 * A corpus is created or changed: what its record becomes, and what is refused. Its object is configured before the catalogue lists
 * it.
 */

import type { corpusSchema } from '../contract/corpora'
import { type OwnSettings, withOwn } from '../core/settings'
import { isJoint, jointStrategies } from '../core/strategies/joint'
import { defaultStrategies, optionalStrategies, strategies } from '../core/strategies/registry'
import { dedicatedOf, isInPartitions, jurisdictionOf, newUid, partitionsOf } from '../corpus-uid'
import { vectorizeLimits } from '../platform-limits'
import { auditDefaults } from '../ports/audit'
import type { CorpusRecord } from '../ports/catalogue'
import type { CorpusConfig } from '../ports/corpus'
import type { CorpusObject } from '../ports/object'
import { callAs } from './acting'
import { actorOf, type Ctx, enteredAction } from './context'
import { configOf } from './corpus-config'
import { problemOf } from './failures'
import { isoTime } from './iso-time'
import { notFound, Problem } from './problem'
import { faultsOf } from './schema-faults'
import { mergeSettings } from './settings'
import type { Wired } from './wired'

const MAX_CORPORA = vectorizeLimits.maxNamespaces // each has one

/** What was remembered about it is no longer valid. */
export function forgetCached(c: Ctx, { uid, name }: Pick<CorpusRecord, 'uid' | 'name'>): void {
  for (const known of [name, uid]) c.get('caches').corpora.forget(known)
}

export type CorpusInput = ReturnType<typeof corpusSchema.parse>
type Saved = { readonly record: CorpusRecord; readonly isNew: boolean } | null

/**
 * Creates or changes; null if another request has just created it, so that it must be changed. `only`: the uid that the corpus must
 * have.
 */
export async function saveCorpus(c: Ctx, name: string, input: CorpusInput, only: string | undefined): Promise<Saved> {
  const world = c.get('world')
  const by = actorOf(c)
  const before = await world.catalogue.corpus(name, only)
  if (only !== undefined && before?.uid !== only) throw notFound('corpus')
  if (!before) await refuseRecoverable(world, name)
  const asRequested = recordAfter(world, name, before, input)
  if (!before && (await world.catalogue.hasCorpora(MAX_CORPORA))) throw tooMany()
  const asMade = before ? asRequested : { ...asRequested, ...(await storesFor(world, input)) }
  const object = callAs(world.corpus(asMade.uid, asMade.locationHint), by)
  if (!before) await world.audit.add({ ...by, at: world.now(), action: enteredAction(c), subject: name, outcome: 'asked' })
  const own = await configureObject(object, configOf(world, asMade))
  if (!own) return null
  const record = { ...asMade, settings: withOwn(asMade.settings, own) } // it may have been moved to another model meanwhile, or have lost a document
  if (before ? await world.catalogue.change(record) : await world.catalogue.create(record)) return { record, isNew: !before }
  // Deleted meanwhile, or another corpus has the name and this uid is unknown.
  await object.reconcile(record.database === undefined ? { uid: record.uid } : { uid: record.uid, database: record.database })
  return null
}

/** Null: it has been deleted meanwhile. */
async function configureObject(object: CorpusObject, config: CorpusConfig): Promise<OwnSettings | null> {
  try {
    return await object.configure(config)
  } catch (error) {
    if (problemOf(error).code === 'corpus_not_found') return null
    throw error
  }
}

/** While a corpus can be undeleted, its name is kept for it: a script that creates what is missing must not make it unrecoverable. */
async function refuseRecoverable({ deletions }: Wired, name: string): Promise<void> {
  const until = (await deletions.find(name))?.deletion.until ?? null
  if (until === null) return
  const detail =
    'A deleted corpus has this name and can still be undeleted (POST …:undelete). To create another, first delete it permanently (DELETE …?at_once=true).'
  throw new Problem('corpus_deleted', detail, { members: { gone_at: isoTime(until) } })
}

/** A new corpus's database, and its uid, which says whether it shares its stores. */
async function storesFor({ pool }: Wired, input: CorpusInput): Promise<Pick<CorpusRecord, 'uid' | 'database'>> {
  const { jurisdiction, partitions } = input
  if (!input.dedicated) return { uid: newUid({ jurisdiction, partitions }), database: await databaseFor(pool, jurisdiction) }
  const own = await pool.chooseDedicated(jurisdiction)
  if (own) return { uid: newUid({ jurisdiction, partitions, dedicated: own.number }), database: own.database }
  const detail =
    'This deployment has no database with an index to spare for a dedicated corpus. Add a pair to wrangler.toml and deploy (docs/deploy.md, "Dedicated stores").'
  throw new Problem('no_database', detail, { errors: [{ path: 'dedicated', message: 'no dedicated database and index are free' }] })
}

async function databaseFor(pool: Wired['pool'], jurisdiction: string | undefined): Promise<string> {
  const database = await pool.choose(jurisdiction)
  if (database !== null) return database
  const detail = 'Every database of this deployment is full. Add one to wrangler.toml and deploy (docs/deploy.md, "Room").'
  throw new Problem('no_database', detail, { members: { limit: pool.limit, of: 'database_bytes' } })
}

function tooMany(): Problem {
  const detail = `This deployment has ${MAX_CORPORA} corpora, which is the number of namespaces of its vector index. Delete one, or create another deployment.`
  return new Problem('too_many_corpora', detail, { members: { limit: MAX_CORPORA, of: 'corpora' } })
}

/** A new one has no uid yet: that comes with its stores. */
function recordAfter(world: Wired, name: string, before: CorpusRecord | null, input: CorpusInput): CorpusRecord {
  if (before) refuseMove(before, input)
  const partitions = before ? partitionsOf(before.uid) : (input.partitions ?? 1)
  if (before ? isInPartitions(before.uid) : partitions > 1) refuseUndivided(input)
  refuseReplicas(world, before, input)
  const settings = mergeSettings(before?.settings ?? null, input.settings, world.models)
  if (!settings.success) {
    const errors = settings.error.issues.flatMap(faultsOf)
    throw new Problem('invalid', 'These settings cannot be combined; see `errors`.', { errors })
  }
  return {
    uid: before?.uid ?? '',
    name,
    strategies: input.strategies ? requireAvailable(input.strategies) : (before?.strategies ?? defaultsFor(partitions)),
    settings: settings.data,
    budget: input.budget === undefined ? (before?.budget ?? {}) : budgetOf(input.budget),
    public: input.public ?? before?.public ?? false,
    undeleteSeconds: input.undelete_seconds ?? before?.undeleteSeconds ?? 0,
    created: before?.created ?? world.now(),
    ...(before?.database === undefined ? {} : { database: before.database }),
    ...(before?.exampleRemovals === undefined ? {} : { exampleRemovals: before.exampleRemovals }),
    ...locationOf(before?.locationHint ?? input.location_hint),
    ...inheritedOf(input.default_access === undefined ? before?.defaultAccess : (input.default_access ?? undefined)),
    ...auditOf(before, input.audit),
  }
}

/** Null: as every corpus has it. */
function auditOf(before: CorpusRecord | null, input: CorpusInput['audit']): Pick<CorpusRecord, 'audit'> {
  if (input === null) return {}
  if (input === undefined) return before?.audit ? { audit: before.audit } : {}
  const { days, reads, questions, question_days, conversation_days } = { ...auditDefaults, ...before?.audit, ...input }
  return { audit: { days, reads, questions, question_days, conversation_days } }
}

const locationOf = (locationHint: string | undefined) => (locationHint === undefined ? {} : { locationHint })

const inheritedOf = (defaultAccess: readonly string[] | undefined) => (defaultAccess === undefined ? {} : { defaultAccess })

/** The location of a corpus was fixed when it was created; giving the same again changes nothing. */
function refuseMove(before: CorpusRecord, input: CorpusInput): void {
  const fixed = {
    jurisdiction: jurisdictionOf(before.uid),
    location_hint: before.locationHint,
    partitions: partitionsOf(before.uid),
    dedicated: dedicatedOf(before.uid) !== undefined,
  }
  const errors = (['jurisdiction', 'location_hint', 'partitions', 'dedicated'] as const)
    .filter((name) => input[name] !== undefined && input[name] !== fixed[name])
    .map((path) => ({ path, message: `${HOW[path] ?? 'was fixed when the corpus was created'}: ${fixed[path] ?? 'none'}` }))
  if (errors.length > 0)
    throw new Problem('invalid', 'A corpus stays where it was created. Create another one, and import an export of this one.', { errors })
}

const HOW: { readonly [path: string]: string } = { partitions: 'is changed by `:repartition`; it has' }

/** What a corpus in partitions cannot have. */
function refuseUndivided({ strategies = [], settings }: CorpusInput): void {
  const alone = strategies.filter((name) => !isJoint(name))
  const errors = [
    ...alone.map((name) => ({
      path: 'strategies',
      message: `${name} works only in an unpartitioned corpus; with partitions there are ${jointStrategies.join(', ')}`,
    })),
    ...((settings?.extraction?.examples ?? []).length === 0
      ? []
      : [{ path: 'settings.extraction.examples', message: 'no model takes names from the texts of a corpus in partitions' }]),
  ]
  if (errors.length > 0)
    throw new Problem('invalid', 'A corpus in partitions does not support this (docs/partitions.md); see `errors`.', { errors })
}

/** Replicas are requested where there can be none. */
function refuseReplicas({ hasReplication = false }: Wired, before: CorpusRecord | null, input: CorpusInput): void {
  const count = input.settings?.replicas?.count ?? 0
  if (count === 0) return
  const jurisdiction = before ? jurisdictionOf(before.uid) : input.jurisdiction
  const isDivided = before ? isInPartitions(before.uid) : (input.partitions ?? 1) > 1
  const message = !hasReplication
    ? 'must be 0: this deployment has no REPLICATION bucket (docs/replicas.md)'
    : isDivided
      ? 'must be 0: a corpus in partitions has none'
      : jurisdiction !== undefined
        ? `must be 0: the REPLICATION bucket may be outside the jurisdiction ${jurisdiction}`
        : undefined
  if (message === undefined) return
  throw new Problem('invalid', 'This corpus cannot have replicas; see `errors`.', {
    errors: [{ path: 'settings.replicas.count', message }],
  })
}

/** With partitions, what costs each chunk more is switched on by name. */
const defaultsFor = (partitions: number): readonly string[] =>
  partitions > 1 ? defaultStrategies.filter((name) => isJoint(name) && !strategies.get(name)?.trees) : defaultStrategies

function requireAvailable(names: readonly string[]): string[] {
  const lacking = names.filter((name) => !optionalStrategies.includes(name))
  if (lacking.length === 0) return [...new Set(names)]
  const errors = lacking.map((name) => ({ path: 'strategies', message: `${name} is not available in this version` }))
  throw new Problem('strategy_unavailable', 'Some of these strategies are not available; see `errors`.', { errors })
}

function budgetOf(input: CorpusInput['budget']): CorpusRecord['budget'] {
  const { tokens, usd } = input ?? {}
  return { ...(tokens == null ? {} : { tokens }), ...(usd == null ? {} : { usd }) }
}
