/** Corpora: made, changed, seen. An object is configured before the catalogue names it. */
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { corpusSchema } from '../../contract/corpora'
import type { Asker } from '../../core/access/labels'
import { optionalStrategies } from '../../core/strategies/registry'
import { jurisdictionOf, newUid } from '../../corpus-uid'
import { pricesOf } from '../../flows/prices'
import { vectorizeLimits } from '../../platform-limits'
import { auditDefaults } from '../../ports/audit'
import type { CorpusRecord } from '../../ports/catalogue'
import type { CorpusConfig, CorpusView } from '../../ports/corpus'
import type { Deletion, Listed } from '../../ports/deletion'
import type { CorpusObject } from '../../ports/object'
import { NAME, noCorpus, noScope, signedIn, within } from '../access'
import { acting } from '../acting'
import { askerOf } from '../asker'
import { json } from '../body'
import { actorOf, type Ctx, type Http, type Wired } from '../context'
import { page, placeOf } from '../cursor'
import { problemOf } from '../failures'
import { repeatable } from '../idempotency'
import { may, names, uidsSeen } from '../principal'
import { Problem } from '../problem'
import { takes } from '../query'
import { completed, settingsView, withInput } from '../settings'

const DEFAULTS: readonly string[] = ['erarag', 'cluerag', 'ketrag'] // as far as they exist
const MAX_CORPORA = vectorizeLimits.maxNamespaces // each has one
const LISTED = 20 // corpora of a page, each asked for its state

/** Without a right to the name, whether it is taken is not told. A key that names its corpora changes these, and makes none. */
const mayMake = createMiddleware<Http>(async (c, next) => {
  const name = c.req.param('corpus') ?? ''
  const principal = c.get('principal')
  if (!principal || !names(principal, name)) throw noCorpus()
  if (!may(principal, 'admin')) throw noScope(['admin'])
  if (!NAME.test(name)) {
    const errors = [{ path: 'corpus', message: 'up to 63 of a-z, 0-9 and -, beginning with a letter or digit' }]
    throw new Problem('invalid', 'A corpus cannot have this name.', { errors })
  }
  await next()
})

export const corporaRoutes = new Hono<Http>()
  .get('/v1/corpora', takes('cursor', 'limit', 'deleted'), signedIn, async (c) => {
    const { after, limit } = placeOf(c, LISTED)
    const world = c.get('world')
    const principal = c.get('principal')
    if (!principal || !may(principal, 'read')) throw noScope(['read'])
    const { data, next_cursor } = page(await recordsOf(c, uidsSeen(principal), after, limit + 1), limit, placeIn)
    const asker = await askerOf(c)
    return c.json({ data: await Promise.all(data.map((record) => listed(world, record, asker))), next_cursor })
  })
  .get('/v1/corpora/:corpus{[^/:]+}', within('read'), async (c) => c.json(await seen(c.get('world'), c.get('corpus'), await askerOf(c))))
  .put('/v1/corpora/:corpus{[^/:]+}', signedIn, mayMake, repeatable(), async (c) => {
    const name = c.req.param('corpus')
    const asked = await json(c, corpusSchema)
    const world = c.get('world')
    const seenUid = c.get('principal')?.corpora?.get(name)
    const { record, made } = (await attempt(c, name, asked, seenUid)) ?? (await attempt(c, name, asked, seenUid)) ?? taken()
    forget(c, record)
    return c.json(await seen(world, record, await askerOf(c)), made ? 201 : 200, made ? { location: `/v1/corpora/${name}` } : {})
  })

/** With `deleted=true` those that are deleted and not yet cleared away, too; for who may undelete them. */
function recordsOf(c: Ctx, uids: readonly string[] | null, after: string, limit: number): Promise<readonly Listed[]> {
  const { catalogue, deletions } = c.get('world')
  const principal = c.get('principal')
  const withDeleted = c.req.query('deleted') === 'true' && principal && may(principal, 'admin')
  const [name = '', uid = ''] = after.split(' ')
  return withDeleted ? deletions.list(uids, [name, uid], limit) : catalogue.corpora(uids, name, limit)
}

/** A deleted corpus may have the name of another: the uid tells which of them came last. */
const placeIn = ({ name, uid }: Listed): string => `${name} ${uid}`

type Asked = ReturnType<typeof corpusSchema.parse>

export function forget(c: Ctx, { uid, name }: Pick<CorpusRecord, 'uid' | 'name'>): void {
  for (const known of [name, uid]) c.get('caches').corpora.forget(known)
}

type Attempted = { readonly record: CorpusRecord; readonly made: boolean } | null

/** Makes or changes; null where another request has just made it, which is then to be changed. `only`: the uid of the corpus it must be. */
async function attempt(c: Ctx, name: string, asked: Asked, only: string | undefined): Promise<Attempted> {
  const world = c.get('world')
  const by = actorOf(c)
  const before = await world.catalogue.corpus(name, only)
  if (only !== undefined && before?.uid !== only) throw noCorpus()
  if (!before) await refuseRecoverable(world, name)
  const asRequested = changed(world, name, before, asked)
  if (!before && (await world.catalogue.hasCorpora(MAX_CORPORA))) throw tooMany()
  const record = before ? asRequested : { ...asRequested, database: await databaseFor(world, asked.jurisdiction) }
  const object = acting(world.corpus(record.uid, record.locationHint), by)
  if (!before) await world.audit.add({ ...by, at: world.now(), action: 'corpus.create', subject: name, outcome: 'asked' })
  if (!(await configured(object, configOf(world, record)))) return null
  if (before ? await world.catalogue.change(record) : await world.catalogue.create(record)) return { record, made: !before }
  // Deleted meanwhile; or somebody else has the name, and nobody knows this uid.
  await object.reconcile(record.database === undefined ? { uid: record.uid } : { uid: record.uid, database: record.database })
  return null
}

/** False: it has been deleted meanwhile. */
async function configured(object: CorpusObject, config: CorpusConfig): Promise<boolean> {
  try {
    await object.configure(config)
    return true
  } catch (error) {
    if (problemOf(error).code === 'corpus_not_found') return false
    throw error
  }
}

/** While a corpus can be undeleted its name is kept for it: a script that makes what is missing must not make it irrecoverable. */
async function refuseRecoverable({ deletions }: Wired, name: string): Promise<void> {
  const until = (await deletions.find(name))?.deletion.until ?? null
  if (until === null) return
  const detail =
    'A deleted corpus has this name and can still be undeleted (POST …:undelete). To make another one, give it up first (DELETE …?at_once=true).'
  throw new Problem('corpus_deleted', detail, { members: { gone_at: new Date(until).toISOString() } })
}

async function databaseFor({ pool }: Wired, jurisdiction: string | undefined): Promise<string> {
  const database = await pool.choose(jurisdiction)
  if (database !== null) return database
  const detail = 'Every database of this deployment holds as much as it may. Add one to wrangler.toml and deploy (docs/deploy.md, "Room").'
  throw new Problem('no_database', detail, { members: { limit: pool.limit, of: 'database_bytes' } })
}

function tooMany(): Problem {
  const detail = `This deployment holds ${MAX_CORPORA} corpora, as many as its vector index has namespaces. Delete one, or make another deployment.`
  return new Problem('too_many_corpora', detail, { members: { limit: MAX_CORPORA, of: 'corpora' } })
}

function taken(): never {
  throw new Problem('conflict', 'This corpus is being made and deleted at the same time; try again.')
}

function changed(world: Wired, name: string, before: CorpusRecord | null, asked: Asked): CorpusRecord {
  if (before) refuseMove(before, asked)
  const settings = withInput(before?.settings ?? null, asked.settings, world.models)
  if (!settings.success) {
    const errors = settings.error.issues.map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }))
    throw new Problem('invalid', 'These settings do not go together; see `errors`.', { errors })
  }
  return {
    uid: before?.uid ?? newUid(asked.jurisdiction),
    name,
    strategies: asked.strategies
      ? available(asked.strategies)
      : (before?.strategies ?? DEFAULTS.filter((one) => optionalStrategies.includes(one))),
    settings: settings.data,
    budget: asked.budget === undefined ? (before?.budget ?? {}) : budgetOf(asked.budget),
    public: asked.public ?? before?.public ?? false,
    undeleteSeconds: asked.undelete_seconds ?? before?.undeleteSeconds ?? 0,
    created: before?.created ?? world.now(),
    ...(before?.database === undefined ? {} : { database: before.database }),
    ...locationOf(before?.locationHint ?? asked.location_hint),
    ...inheritedOf(asked.default_access === undefined ? before?.defaultAccess : (asked.default_access ?? undefined)),
    ...auditOf(before, asked.audit),
  }
}

/** Null: as every corpus has it. */
function auditOf(before: CorpusRecord | null, asked: Asked['audit']): Pick<CorpusRecord, 'audit'> {
  if (asked === null) return {}
  if (asked === undefined) return before?.audit ? { audit: before.audit } : {}
  const { days, reads } = { ...auditDefaults, ...before?.audit, ...asked }
  return { audit: { days, reads } }
}

const locationOf = (locationHint: string | undefined) => (locationHint === undefined ? {} : { locationHint })

const inheritedOf = (defaultAccess: readonly string[] | undefined) => (defaultAccess === undefined ? {} : { defaultAccess })

/** Where a corpus is was settled when it was made; naming it again changes nothing. */
function refuseMove(before: CorpusRecord, asked: Asked): void {
  const fixed = { jurisdiction: jurisdictionOf(before.uid), location_hint: before.locationHint }
  const errors = (['jurisdiction', 'location_hint'] as const)
    .filter((name) => asked[name] !== undefined && asked[name] !== fixed[name])
    .map((path) => ({ path, message: `was settled when the corpus was made: ${fixed[path] ?? 'none'}` }))
  if (errors.length > 0)
    throw new Problem('invalid', 'A corpus stays where it was made. Make another one, and import an export of this.', { errors })
}

function available(names: readonly string[]): string[] {
  const lacking = names.filter((name) => !optionalStrategies.includes(name))
  if (lacking.length === 0) return [...new Set(names)]
  const errors = lacking.map((name) => ({ path: 'strategies', message: `${name} is not available in this version` }))
  throw new Problem('strategy_unavailable', 'Not every strategy is available.', { errors })
}

function budgetOf(asked: Asked['budget']): CorpusRecord['budget'] {
  const { tokens, usd } = asked ?? {}
  return { ...(tokens == null ? {} : { tokens }), ...(usd == null ? {} : { usd }) }
}

/** What the object and the flows are told of a corpus. */
export function configOf({ models, judge }: Wired, record: CorpusRecord): CorpusConfig {
  const { uid, name, strategies, budget, database, defaultAccess } = record
  const config = { uid, name, strategies, settings: completed(record.settings), budget, prices: pricesOf(models, judge) }
  return {
    ...config,
    ...(database === undefined ? {} : { database }),
    ...inheritedOf(defaultAccess),
    ...(record.audit ? { audit: record.audit } : {}),
  }
}

async function seen(world: Wired, record: CorpusRecord, asker: Asker) {
  return viewOf(record, (await world.corpus(record.uid).view(asker)) ?? UNTOUCHED)
}

/** One corpus that cannot be asked hides no other. */
async function listed(world: Wired, record: Listed, asker: Asker) {
  if (record.deletion) return viewOf(record)
  try {
    return await seen(world, record, asker)
  } catch (error) {
    const { code } = problemOf(error)
    console.warn(JSON.stringify({ event: 'corpus_unavailable', corpus: record.uid, code }))
    return viewOf(record, { ...UNTOUCHED, status: 'unavailable' })
  }
}

/** A deleted corpus answers nothing, not even how much it holds. */
export function viewOf(record: Listed, state: State = { ...UNTOUCHED, status: deletionStatus(record) }) {
  const { status, tuning, progress, version, counts, usage } = state
  return {
    corpus: record.name,
    status,
    tuning,
    ...(progress ? { progress } : {}),
    version,
    counts,
    strategies: record.strategies,
    settings: settingsView(record.settings),
    dimensions: record.settings.dimensions,
    budget: record.budget,
    public: record.public,
    default_access: record.defaultAccess ?? null,
    audit: record.audit ?? auditDefaults,
    jurisdiction: jurisdictionOf(record.uid) ?? null,
    location_hint: record.locationHint ?? null,
    usage,
    undelete_seconds: record.undeleteSeconds ?? 0,
    created_at: new Date(record.created).toISOString(),
    ...(record.deletion ? deletionView(record.deletion) : {}),
  }
}

type State = Omit<CorpusView, 'status'> & { readonly status: string }

const deletionStatus = ({ deletion }: Listed): string => (deletion?.until == null ? 'deleting' : 'deleted')

function deletionView({ at, by, job, until }: Deletion) {
  const time = (ms: number): string => new Date(ms).toISOString()
  return { deleted_at: time(at), deleted_by: by, gone_at: until === null ? null : time(until), job }
}

const UNTOUCHED: CorpusView = { status: 'settled', tuning: false, version: 0, counts: {}, usage: { in: 0, out: 0, embedded: 0, usd: 0 } }
