/** The Durable Object of one corpus: the only writer of its graph. Only RPC and wiring: each call is in `corpus/calls/`, by subject. It calls no model. */
import type { Env } from '../src/env'
import type { CorpusObject } from '../src/ports/object'
import type { OutboundObject } from '../src/ports/outbound'
import { callsOf } from './corpus/calls/calls'
import { asOne } from './corpus/division/as-one'
import { CorpusHost } from './corpus/host'
import type { HostSinks } from './corpus/host-parts'
import { WatchedObject } from './watched-object'

type Calls = CorpusObject & OutboundObject
type Args<Name extends keyof Calls> = Parameters<Calls[Name]>
export function corpusObject(sinks: (env: Env) => HostSinks) {
  return class Corpus extends WatchedObject implements CorpusObject, OutboundObject {
    readonly #host = new CorpusHost({
      ctx: this.ctx,
      env: this.env,
      sinks: sinks(this.env),
      reconcile: (corpus) => this.own.reconcile(corpus),
    })
    protected readonly own = callsOf(this.#host)
    readonly #calls = asOne(this.#host, this.own)
    protected readonly watched = this.#calls
    override async alarm(invocation?: AlarmInvocationInfo): Promise<void> {
      await this.#host.alarm.run(invocation?.retryCount ?? 0, (until) => this.own.work(until))
    }
    /** The whole graph in canonical lines, to be hashed and compared. O(corpus). */
    lines(): Iterable<string> {
      return this.#host.store.graph.lines()
    }
    configure(...args: Args<'configure'>) {
      return this.#calls.configure(...args)
    }
    view(...args: Args<'view'>) {
      return this.#calls.view(...args)
    }
    reconcile(...args: Args<'reconcile'>) {
      return this.#calls.reconcile(...args)
    }
    maintain(...args: Args<'maintain'>) {
      return this.#calls.maintain(...args)
    }
    migration(...args: Args<'migration'>) {
      return this.#calls.migration(...args)
    }
    migrate(...args: Args<'migrate'>) {
      return this.#calls.migrate(...args)
    }
    health(...args: Args<'health'>) {
      return this.#calls.health(...args)
    }
    receipts(...args: Args<'receipts'>) {
      return this.#calls.receipts(...args)
    }
    putProbes(...args: Args<'putProbes'>) {
      return this.#calls.putProbes(...args)
    }
    probes(...args: Args<'probes'>) {
      return this.#calls.probes(...args)
    }
    tend(...args: Args<'tend'>) {
      return this.#calls.tend(...args)
    }
    audit(...args: Args<'audit'>) {
      return this.#calls.audit(...args)
    }
    noteAudit(...args: Args<'noteAudit'>) {
      return this.#calls.noteAudit(...args)
    }
    backupPage(...args: Args<'backupPage'>) {
      return this.#calls.backupPage(...args)
    }
    restore(...args: Args<'restore'>) {
      return this.#calls.restore(...args)
    }
    withdrawals(...args: Args<'withdrawals'>) {
      return this.#calls.withdrawals(...args)
    }
    restoreState(...args: Args<'restoreState'>) {
      return this.#calls.restoreState(...args)
    }
    drain(...args: Args<'drain'>) {
      return this.#calls.drain(...args)
    }
    accept(...args: Args<'accept'>) {
      return this.#calls.accept(...args)
    }
    documents(...args: Args<'documents'>) {
      return this.#calls.documents(...args)
    }
    document(...args: Args<'document'>) {
      return this.#calls.document(...args)
    }
    describing(...args: Args<'describing'>) {
      return this.#calls.describing(...args)
    }
    setLanguage(...args: Args<'setLanguage'>) {
      return this.#calls.setLanguage(...args)
    }
    setAccess(...args: Args<'setAccess'>) {
      return this.#calls.setAccess(...args)
    }
    verify(...args: Args<'verify'>) {
      return this.#calls.verify(...args)
    }
    job(...args: Args<'job'>) {
      return this.#calls.job(...args)
    }
    jobs(...args: Args<'jobs'>) {
      return this.#calls.jobs(...args)
    }
    cancel(...args: Args<'cancel'>) {
      return this.#calls.cancel(...args)
    }
    retry(...args: Args<'retry'>) {
      return this.#calls.retry(...args)
    }
    openTasks(...args: Args<'openTasks'>) {
      return this.#calls.openTasks(...args)
    }
    commit(...args: Args<'commit'>) {
      return this.#calls.commit(...args)
    }
    release(...args: Args<'release'>) {
      return this.#calls.release(...args)
    }
    retrieve(...args: Args<'retrieve'>) {
      return this.#calls.retrieve(...args)
    }
    seen(...args: Args<'seen'>) {
      return this.#calls.seen(...args)
    }
    entity(...args: Args<'entity'>) {
      return this.#calls.entity(...args)
    }
    around(...args: Args<'around'>) {
      return this.#calls.around(...args)
    }
    reserve(...args: Args<'reserve'>) {
      return this.#calls.reserve(...args)
    }
    charge(...args: Args<'charge'>) {
      return this.#calls.charge(...args)
    }
    usage(...args: Args<'usage'>) {
      return this.#calls.usage(...args)
    }
    putLabel(...args: Args<'putLabel'>) {
      return this.#calls.putLabel(...args)
    }
    labels(...args: Args<'labels'>) {
      return this.#calls.labels(...args)
    }
    dropLabel(...args: Args<'dropLabel'>) {
      return this.#calls.dropLabel(...args)
    }
    classify(...args: Args<'classify'>) {
      return this.#calls.classify(...args)
    }
    learn(...args: Args<'learn'>) {
      return this.#calls.learn(...args)
    }
    unlearn(...args: Args<'unlearn'>) {
      return this.#calls.unlearn(...args)
    }
    nameOperations(...args: Args<'nameOperations'>) {
      return this.#calls.nameOperations(...args)
    }
    decide(...args: Args<'decide'>) {
      return this.#calls.decide(...args)
    }
    undecide(...args: Args<'undecide'>) {
      return this.#calls.undecide(...args)
    }
    decisions(...args: Args<'decisions'>) {
      return this.#calls.decisions(...args)
    }
    pinned(...args: Args<'pinned'>) {
      return this.#calls.pinned(...args)
    }
    partEntities(...args: Args<'partEntities'>) {
      return this.#calls.partEntities(...args)
    }
    filters(...args: Args<'filters'>) {
      return this.#calls.filters(...args)
    }
    putFilter(...args: Args<'putFilter'>) {
      return this.#calls.putFilter(...args)
    }
    changeFilter(...args: Args<'changeFilter'>) {
      return this.#calls.changeFilter(...args)
    }
    endpoints(...args: Args<'endpoints'>) {
      return this.#calls.endpoints(...args)
    }
    addEndpoint(...args: Args<'addEndpoint'>) {
      return this.#calls.addEndpoint(...args)
    }
    renewEndpoint(...args: Args<'renewEndpoint'>) {
      return this.#calls.renewEndpoint(...args)
    }
    endpointSecrets(...args: Args<'endpointSecrets'>) {
      return this.#calls.endpointSecrets(...args)
    }
    replaceSecrets(...args: Args<'replaceSecrets'>) {
      return this.#calls.replaceSecrets(...args)
    }
    removeEndpoint(...args: Args<'removeEndpoint'>) {
      return this.#calls.removeEndpoint(...args)
    }
    deliveries(...args: Args<'deliveries'>) {
      return this.#calls.deliveries(...args)
    }
    redeliver(...args: Args<'redeliver'>) {
      return this.#calls.redeliver(...args)
    }
    claimDelivery(...args: Args<'claimDelivery'>) {
      return this.#calls.claimDelivery(...args)
    }
    closeDelivery(...args: Args<'closeDelivery'>) {
      return this.#calls.closeDelivery(...args)
    }
    sources(...args: Args<'sources'>) {
      return this.#calls.sources(...args)
    }
    source(...args: Args<'source'>) {
      return this.#calls.source(...args)
    }
    addSource(...args: Args<'addSource'>) {
      return this.#calls.addSource(...args)
    }
    removeSource(...args: Args<'removeSource'>) {
      return this.#calls.removeSource(...args)
    }
    sourceItems(...args: Args<'sourceItems'>) {
      return this.#calls.sourceItems(...args)
    }
    askSource(...args: Args<'askSource'>) {
      return this.#calls.askSource(...args)
    }
    claimSource(...args: Args<'claimSource'>) {
      return this.#calls.claimSource(...args)
    }
    closeSource(...args: Args<'closeSource'>) {
      return this.#calls.closeSource(...args)
    }
  }
}
