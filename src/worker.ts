/**
 * The composition root: which adapter stands behind which port, and what the platform calls. No decision of the domain is made here.
 */
import { corpusObject } from '../durable-objects/corpus'
import { embeddingModelsFrom, withIndexOf } from '../durable-objects/corpus/outbox/embedding-index'
import { replicaObject } from '../durable-objects/replica'
import { version } from '../package.json'
import { answers } from './adapters/catalogue/answers'
import { deploymentAudit } from './adapters/catalogue/audit'
import { bucketRoutes } from './adapters/catalogue/bucket-routes'
import { catalogue } from './adapters/catalogue/catalogue'
import { deletions } from './adapters/catalogue/deletions'
import { hooks } from './adapters/catalogue/hooks'
import { keys } from './adapters/catalogue/keys'
import { recoveries } from './adapters/catalogue/recoveries'
import { resealStore } from './adapters/catalogue/reseal'
import { watch } from './adapters/catalogue/watch'
import {
  conversationsOf,
  corpusOf,
  keyUsageOf,
  metricsOf,
  outboundOf,
  replicaOf,
  replicatedOf,
  reportsOf,
  seeingOf,
} from './adapters/corpus'
import { dataPool } from './adapters/data-pool'
import { databasesOf } from './adapters/databases'
import { governorOf } from './adapters/governor'
import { identityFrom } from './adapters/identity'
import { indexesOf } from './adapters/indexes'
import { oauthFrom } from './adapters/oauth'
import { internet, outbound } from './adapters/outbound'
import { deletionsOfPartitions, indexOfPartitions } from './adapters/partitions'
import { createTally, questionCalls } from './adapters/question-calls'
import { bucketsOf } from './adapters/r2'
import { listings } from './adapters/read-model/listings'
import { readModel } from './adapters/read-model/publish'
import { type Replicas, replicas } from './adapters/replicas'
import { replicationLog } from './adapters/replication-log'
import { tracingFrom } from './adapters/tracing'
import { describerFrom, judgeFrom, modelPlacesFrom, modelsFrom, seerFrom, transcriberFrom } from './adapters/workers-ai-config'
import type { Env } from './env'
import { describing } from './flows/describe-file'
import { meteredModels } from './flows/metered-models'
import { askProbe } from './flows/partitions/probes'
import { resealUntil } from './flows/reseal'
import { sweep } from './flows/sweep'
import { masterKeys, vault } from './hooks/seal'
import { createApp } from './http/app'
import { createCounts, metersOf, secondsOf } from './metrics/meters'
import { consume } from './outbound/consume'
import { deliver } from './outbound/deliver'
import type { Meters } from './ports/metrics'
import type { Models } from './ports/models'
import type { ProbeAsked } from './ports/probes'
import { openScan } from './reading/pdf/scan-pages'
import { flawOf, pictureTypeOf } from './reading/pictures'
import { readFile } from './reading/read-file'
import { heardAsProse, recordingTypeOf, soundOfVideo } from './reading/recordings'
import { isBucketEvent, tellBuckets } from './sources/bucket-events'
import { refetch } from './sources/refetch'
import { robots } from './sources/robots'

export { Governor } from '../durable-objects/governor'
export { KeyUsage } from '../durable-objects/key-usage'
export { Metrics } from '../durable-objects/metrics'
export { Ingest } from './ingest'

export const Corpus = corpusObject((env) => ({
  index: indexesOf(env, env.VECTORIZE),
  previousIndex: previousIndexOf(env),
  readModel: readModel(databasesOf(env)),
  outbound: outbound(env.OUTBOUND),
  watch: watch(databasesOf(env).control),
  deletions: deletionsOfPartitions(deletions(databasesOf(env).control), (uid) => corpusOf(env.CORPUS, uid)),
  recoveries: recoveries(databasesOf(env).control),
  catalogue: catalogue(databasesOf(env).control),
  whole: (uid) => reportsOf(env.CORPUS, uid),
  partition: (uid) => corpusOf(env.CORPUS, uid),
  corpus: (uid) => corpusOf(env.CORPUS, uid),
  moving: (uid) => corpusOf(env.CORPUS, uid),
  askProbe: (asked) => askProbe({ corpus: corpusOf(env.CORPUS, asked.config.uid), index: indexOfPartitions(indexFor(env, asked)) }, asked),
  replication: env.REPLICATION ? { log: replicationLog(env.REPLICATION), replica: (name) => replicaOf(env.REPLICA, name) } : null,
}))

export const Replica = replicaObject((env) => ({
  log: env.REPLICATION ? replicationLog(env.REPLICATION) : null,
  writer: (uid) => replicatedOf(env.CORPUS, uid),
}))

let known: Replicas | undefined // of this isolate, with what it knows of each

const replicasOf = (env: Env): Replicas => {
  known ??= replicas({
    replica: (name, locationHint) => replicaOf(env.REPLICA, name, locationHint),
    now,
    lot: Math.random,
    after: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
  return known
}

const indexFor = (env: Env, { config: { settings } }: ProbeAsked) =>
  withIndexOf(settings, embeddingModelsFrom(env), { index: indexesOf(env, env.VECTORIZE), previousIndex: previousIndexOf(env) }).index

const previousIndexOf = (env: Env) => (env.VECTORIZE_PREVIOUS ? indexesOf(env, env.VECTORIZE_PREVIOUS, '_PREVIOUS') : null)

const tally = createTally() // of this isolate
const counts = createCounts() // of this isolate
const RESEALING = 60_000 // ms after which the rest is left to the next trigger
const now = () => Date.now()
const later = (context: Pick<ExecutionContext, 'waitUntil'>) => (work: Promise<unknown>) => context.waitUntil(work)

const app = createApp((env: Env, context) => {
  const databases = databasesOf(env)
  const before = previousIndexOf(env)
  const calls = questionCalls({ tally, governor: () => governorOf(env.GOVERNOR), later: later(context), now })
  const meters = metersFor(env)
  const metered = (models: Models, writer?: string): Models => (meters ? meteredModels(models, meters, now, writer) : models)
  const judge = judgeFrom(env, calls)
  return {
    version,
    adminKey: env.ADMIN_KEY ?? '',
    models: metered(modelsFrom(env, calls)),
    judge: judge && metered(judge, 'judge'),
    modelPlaces: modelPlacesFrom(env),
    index: indexOfPartitions(indexesOf(env, env.VECTORIZE)),
    previousIndex: before && indexOfPartitions(before),
    corpus(uid, locationHint, followers) {
      const corpus = corpusOf(env.CORPUS, uid, locationHint)
      return env.REPLICATION && followers && followers.count > 0 ? replicasOf(env).before(corpus, uid, followers) : corpus
    },
    hasReplication: env.REPLICATION !== undefined,
    outbound: (uid) => outboundOf(env.CORPUS, uid),
    seeing: (uid) => seeingOf(env.CORPUS, uid),
    conversations: (uid) => conversationsOf(env.CORPUS, uid),
    meters,
    metrics: () => metricsOf(env.METRICS_OBJECT),
    tracing: tracingFrom(env, meters, version),
    keyUsage: (id) => keyUsageOf(env.KEY_USAGE, id),
    network: networkOf(env),
    catalogue: catalogue(databases.control),
    keys: keys(databases.control),
    deletions: deletions(databases.control),
    recoveries: recoveries(databases.control),
    audit: deploymentAudit(databases.control),
    answers: answers(databases.control),
    pool: dataPool(databases, env),
    listings: listings(databases),
    hooks: hooks(databases.control),
    buckets: bucketsOf(env),
    bucketRoutes: bucketRoutes(databases.control),
    vault: vault(...masterKeys(env)),
    reseal: resealStore(databases.control),
    identity: identityOf(env),
    limit: async (key) => (await env.PUBLIC_LIMIT.limit({ key })).success,
    limitFailed: async (key) => (await env.KEY_LIMIT.limit({ key })).success,
    convert: readFile,
    describer: describerFrom(env, calls),
    seer: seerFrom(env, calls),
    transcriber: transcriberFrom(env, calls),
    oauth: oauthFrom(env, context),
    now,
    later: later(context),
  }
})

let identity: { readonly of: string; readonly is: ReturnType<typeof identityFrom> } | undefined // of this isolate, with the keys it remembers

function identityOf(env: Env) {
  const { IDENTITY_ISSUER, IDENTITY_AUDIENCE, IDENTITY_JWKS_URL, IDENTITY_CLAIMS } = env
  const of = JSON.stringify([IDENTITY_ISSUER, IDENTITY_AUDIENCE, IDENTITY_JWKS_URL, IDENTITY_CLAIMS])
  if (identity?.of !== of) identity = { of, is: identityFrom(env, { fetch: (url, init) => fetch(url, init), now }) }
  return identity.is
}

const metersFor = (env: Env): Meters | null => (env.METRICS === 'on' ? metersOf(counts, () => metricsOf(env.METRICS_OBJECT), now) : null)
const networkOf = (env: Env) => internet(env.OUTBOUND_TARGETS === 'anywhere')
const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const agent = `Loam/${version}`
const rules = robots(agent) // what sites said is remembered by the isolate

export default {
  fetch: app.fetch,
  async queue(batch, env) {
    const network = networkOf(env)
    const webhookVault = vault(...masterKeys(env))
    const routes = bucketRoutes(databasesOf(env).control)
    const reader = { buckets: bucketsOf(env), network, robots: rules, agent, vault: webhookVault, now, wait }
    const beside: Promise<unknown>[] = []
    const later = (work: Promise<unknown>) => void beside.push(work)
    const slots = questionCalls({ tally, governor: () => governorOf(env.GOVERNOR), later, now })
    const [seer, describer] = [seerFrom(env, slots), describerFrom(env, slots)]
    const looking = { pictureTypeOf, flawOf, openScan }
    const hearing = { transcriber: transcriberFrom(env, slots), recordingTypeOf, soundOfVideo, heardAsProse }
    const converting = (uid: string) =>
      describing(readFile, { corpus: corpusOf(env.CORPUS, uid), seer, describer, hearing, looking, later })
    const meters = metersFor(env)
    if (meters) {
      for (const { timestamp } of batch.messages)
        meters.observe('loam_queue_wait_seconds', { queue: 'outbound' }, secondsOf(now() - timestamp.getTime()))
    }
    const done = await consume(
      {
        corpus: (uid) => outboundOf(env.CORPUS, uid),
        carry: {
          delivery: (corpus, id) => deliver({ network, vault: webhookVault, corpus, agent, now }, id),
          fetch: (corpus, id, uid) =>
            refetch({ ...reader, convert: converting(uid), route: (to) => routes.put({ ...to, uid }) }, corpus, id),
        },
      },
      batch.messages.filter(({ body }) => !isBucketEvent(body)),
    )
    const heard = batch.messages.filter(({ body }) => isBucketEvent(body))
    const told = heard.length > 0 ? { told: await tellBuckets({ routes, corpus: (uid) => outboundOf(env.CORPUS, uid) }, heard) } : {}
    await Promise.all(beside)
    console.log(JSON.stringify({ event: 'carried', ...done, ...told }))
    await meters?.report()
  },
  async scheduled(_controller, env) {
    const databases = databasesOf(env)
    const { control } = databases
    const { woken, failed } = await sweep({
      deletions: deletions(control),
      recoveries: recoveries(control),
      readModel: readModel(databases),
      answers: answers(control),
      audit: deploymentAudit(control),
      watch: watch(control),
      corpus: (uid) => corpusOf(env.CORPUS, uid),
      now: () => Date.now(),
    })
    console.log(JSON.stringify({ event: 'swept', woken, failed }))
    const webhookVault = vault(...masterKeys(env))
    if (!webhookVault) return
    const outbound = (uid: string) => outboundOf(env.CORPUS, uid)
    await resealUntil({ vault: webhookVault, store: resealStore(control), outbound, now }, now() + RESEALING)
  },
} satisfies ExportedHandler<Env>
