/** The Durable Object of one corpus: the only writer of its graph. RPC and wiring alone: each call stands in `corpus/calls/`, by subject. It calls no model. */
import type { Env } from '../src/env'
import type { CorpusObject } from '../src/ports/object'
import type { OutboundObject } from '../src/ports/outbound'
import { corpusCalls } from './corpus/calls/corpus'
import { documentsCalls } from './corpus/calls/documents'
import { jobsCalls } from './corpus/calls/jobs'
import { labelsCalls } from './corpus/calls/labels'
import { questionsCalls } from './corpus/calls/questions'
import { seeingCalls } from './corpus/calls/seeing'
import { sourcesCalls } from './corpus/calls/sources'
import { webhooksCalls } from './corpus/calls/webhooks'
import { CorpusHost, type HostSinks } from './corpus/host'
import { WatchedObject } from './watched-object'

type Calls = CorpusObject & OutboundObject
type Args<Name extends keyof Calls> = Parameters<Calls[Name]>

/** `sinks` says who stands behind the ports: the composition root decides. */
export function corpusObject(sinks: (env: Env) => HostSinks) {
  return class Corpus extends WatchedObject implements CorpusObject, OutboundObject {
    readonly #host = new CorpusHost({ ctx: this.ctx, env: this.env, sinks: sinks(this.env), reconcile: (corpus) => this.reconcile(corpus) })
    readonly #corpus = corpusCalls(this.#host)
    readonly #documents = documentsCalls(this.#host)
    readonly #jobs = jobsCalls(this.#host)
    readonly #questions = questionsCalls(this.#host)
    readonly #labels = labelsCalls(this.#host)
    readonly #webhooks = webhooksCalls(this.#host)
    readonly #sources = sourcesCalls(this.#host)
    protected readonly watched = seeingCalls(this.#host)
    override async alarm(invocation?: AlarmInvocationInfo): Promise<void> {
      await this.#host.alarm.run(invocation?.retryCount ?? 0, (until) => this.#host.work(until))
    }
    /** The whole graph in canonical lines, to be hashed and compared. O(corpus). */
    lines(): Iterable<string> {
      return this.#host.store.graph.lines()
    }
    configure(...args: Args<'configure'>) {
      return this.#corpus.configure(...args)
    }
    view(...args: Args<'view'>) {
      return this.#corpus.view(...args)
    }
    reconcile(...args: Args<'reconcile'>) {
      return this.#corpus.reconcile(...args)
    }
    maintain(...args: Args<'maintain'>) {
      return this.#corpus.maintain(...args)
    }
    migration(...args: Args<'migration'>) {
      return this.#corpus.migration(...args)
    }
    migrate(...args: Args<'migrate'>) {
      return this.#corpus.migrate(...args)
    }
    health(...args: Args<'health'>) {
      return this.#corpus.health(...args)
    }
    receipts(...args: Args<'receipts'>) {
      return this.#corpus.receipts(...args)
    }
    putProbes(...args: Args<'putProbes'>) {
      return this.#corpus.putProbes(...args)
    }
    probes(...args: Args<'probes'>) {
      return this.#corpus.probes(...args)
    }
    tend(...args: Args<'tend'>) {
      return this.#corpus.tend(...args)
    }
    audit(...args: Args<'audit'>) {
      return this.#corpus.audit(...args)
    }
    noteAudit(...args: Args<'noteAudit'>) {
      return this.#corpus.noteAudit(...args)
    }
    backupPage(...args: Args<'backupPage'>) {
      return this.#corpus.backupPage(...args)
    }
    restore(...args: Args<'restore'>) {
      return this.#corpus.restore(...args)
    }
    withdrawals(...args: Args<'withdrawals'>) {
      return this.#corpus.withdrawals(...args)
    }
    restoreState(...args: Args<'restoreState'>) {
      return this.#corpus.restoreState(...args)
    }
    drain(...args: Args<'drain'>) {
      return this.#corpus.drain(...args)
    }
    accept(...args: Args<'accept'>) {
      return this.#documents.accept(...args)
    }
    documents(...args: Args<'documents'>) {
      return this.#documents.documents(...args)
    }
    document(...args: Args<'document'>) {
      return this.#documents.document(...args)
    }
    setAccess(...args: Args<'setAccess'>) {
      return this.#documents.setAccess(...args)
    }
    verify(...args: Args<'verify'>) {
      return this.#documents.verify(...args)
    }
    job(...args: Args<'job'>) {
      return this.#jobs.job(...args)
    }
    jobs(...args: Args<'jobs'>) {
      return this.#jobs.jobs(...args)
    }
    cancel(...args: Args<'cancel'>) {
      return this.#jobs.cancel(...args)
    }
    retry(...args: Args<'retry'>) {
      return this.#jobs.retry(...args)
    }
    openTasks(...args: Args<'openTasks'>) {
      return this.#jobs.openTasks(...args)
    }
    commit(...args: Args<'commit'>) {
      return this.#jobs.commit(...args)
    }
    release(...args: Args<'release'>) {
      return this.#jobs.release(...args)
    }
    retrieve(...args: Args<'retrieve'>) {
      return this.#questions.retrieve(...args)
    }
    seen(...args: Args<'seen'>) {
      return this.#questions.seen(...args)
    }
    links(...args: Args<'links'>) {
      return this.#questions.links(...args)
    }
    around(...args: Args<'around'>) {
      return this.#questions.around(...args)
    }
    dataOf(...args: Args<'dataOf'>) {
      return this.#questions.dataOf(...args)
    }
    reserve(...args: Args<'reserve'>) {
      return this.#questions.reserve(...args)
    }
    charge(...args: Args<'charge'>) {
      return this.#questions.charge(...args)
    }
    usage(...args: Args<'usage'>) {
      return this.#questions.usage(...args)
    }
    putLabel(...args: Args<'putLabel'>) {
      return this.#labels.putLabel(...args)
    }
    labels(...args: Args<'labels'>) {
      return this.#labels.labels(...args)
    }
    dropLabel(...args: Args<'dropLabel'>) {
      return this.#labels.dropLabel(...args)
    }
    classify(...args: Args<'classify'>) {
      return this.#labels.classify(...args)
    }
    learn(...args: Args<'learn'>) {
      return this.#labels.learn(...args)
    }
    unlearn(...args: Args<'unlearn'>) {
      return this.#labels.unlearn(...args)
    }
    nameOperations(...args: Args<'nameOperations'>) {
      return this.#labels.nameOperations(...args)
    }
    decide(...args: Args<'decide'>) {
      return this.#labels.decide(...args)
    }
    undecide(...args: Args<'undecide'>) {
      return this.#labels.undecide(...args)
    }
    decisions(...args: Args<'decisions'>) {
      return this.#labels.decisions(...args)
    }
    pinned(...args: Args<'pinned'>) {
      return this.#labels.pinned(...args)
    }
    partEntities(...args: Args<'partEntities'>) {
      return this.#labels.partEntities(...args)
    }
    filters(...args: Args<'filters'>) {
      return this.#questions.filters(...args)
    }
    putFilter(...args: Args<'putFilter'>) {
      return this.#questions.putFilter(...args)
    }
    dropFilter(...args: Args<'dropFilter'>) {
      return this.#questions.dropFilter(...args)
    }
    endpoints(...args: Args<'endpoints'>) {
      return this.#webhooks.endpoints(...args)
    }
    addEndpoint(...args: Args<'addEndpoint'>) {
      return this.#webhooks.addEndpoint(...args)
    }
    renewEndpoint(...args: Args<'renewEndpoint'>) {
      return this.#webhooks.renewEndpoint(...args)
    }
    endpointSecrets(...args: Args<'endpointSecrets'>) {
      return this.#webhooks.endpointSecrets(...args)
    }
    replaceSecrets(...args: Args<'replaceSecrets'>) {
      return this.#webhooks.replaceSecrets(...args)
    }
    removeEndpoint(...args: Args<'removeEndpoint'>) {
      return this.#webhooks.removeEndpoint(...args)
    }
    deliveries(...args: Args<'deliveries'>) {
      return this.#webhooks.deliveries(...args)
    }
    redeliver(...args: Args<'redeliver'>) {
      return this.#webhooks.redeliver(...args)
    }
    claimDelivery(...args: Args<'claimDelivery'>) {
      return this.#webhooks.claimDelivery(...args)
    }
    closeDelivery(...args: Args<'closeDelivery'>) {
      return this.#webhooks.closeDelivery(...args)
    }
    sources(...args: Args<'sources'>) {
      return this.#sources.sources(...args)
    }
    source(...args: Args<'source'>) {
      return this.#sources.source(...args)
    }
    addSource(...args: Args<'addSource'>) {
      return this.#sources.addSource(...args)
    }
    removeSource(...args: Args<'removeSource'>) {
      return this.#sources.removeSource(...args)
    }
    sourceItems(...args: Args<'sourceItems'>) {
      return this.#sources.sourceItems(...args)
    }
    askSource(...args: Args<'askSource'>) {
      return this.#sources.askSource(...args)
    }
    claimSource(...args: Args<'claimSource'>) {
      return this.#sources.claimSource(...args)
    }
    closeSource(...args: Args<'closeSource'>) {
      return this.#sources.closeSource(...args)
    }
  }
}
