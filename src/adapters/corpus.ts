/** Reaches the object of a corpus. The platform's RPC types are too deep for the compiler; the port says the same on one page. */
import { everyPartitionUid, isMadeDivided, jurisdictionOf } from '../corpus-uid'
import { partitionedConversations } from '../flows/partitions/conversations'
import { partitionedCorpus } from '../flows/partitions/corpus'
import { partitionedOutbound } from '../flows/partitions/outbound'
import { partitionedSeeing } from '../flows/partitions/seeing'
import type { ConversationObject } from '../ports/conversations'
import type { KeyUsageObject } from '../ports/key-usage'
import type { MetricsObject } from '../ports/metrics'
import type { CorpusObject } from '../ports/object'
import type { OutboundObject } from '../ports/outbound'
import type { ReplicaName, ReplicaObject, ReplicatedObject } from '../ports/replication'
import type { ReportsObject } from '../ports/reports'
import type { SeeingObject } from '../ports/seeing'
import { CORPUS_CALLS } from './corpus-calls'
import { ofPartitions, perhapsDivided } from './divided'
import { type Repeat, reached } from './reached'
import { CONVERSATIONS, OUTBOUND, SEEING } from './repeats'

/** The part of a namespace that is used here. */
export interface Namespace {
  /** `locationHint` only matters for the first call: the object is created there, or nearby. */
  getByName(name: string, options?: { readonly locationHint?: string }): unknown
  jurisdiction?(jurisdiction: string): Namespace
}

const AS_WHOLE = 'asWhole' // of the object: it is called as that of a corpus in partitions, which has no documents

/** The corpus's own object, as the others of a corpus in partitions know it: if it was made without any, it refuses to be called otherwise. */
function wholeOf<T>(calls: { readonly [name: string]: Repeat }, namespace: Namespace, uid: string, locationHint?: string): T {
  return reached<T>(calls, () => stubOf(namespace, uid, locationHint), isMadeDivided(uid) ? undefined : AS_WHOLE)
}

/** A partitioned corpus is called in the same way: its uid says how many partitions there are, or the catalogue and its object do. */
export function corpusOf(namespace: Namespace, uid: string, locationHint?: string): CorpusObject {
  const objectOf = (own: string): CorpusObject => reached<CorpusObject>(CORPUS_CALLS, () => stubOf(namespace, own, locationHint))
  const alone = objectOf(uid)
  const divided = () => {
    const whole = wholeOf<CorpusObject>(CORPUS_CALLS, namespace, uid, locationHint)
    const objectsOf = (parts: readonly string[]) => partitionedCorpus({ uid, whole, parts: parts.map(objectOf), objectOf })
    return ofPartitions(uid, CORPUS_CALLS, objectsOf, whole.layout)
  }
  /** Partitions that are being filled are removed with it. */
  const reconcile: CorpusObject['reconcile'] = (corpus) =>
    everyPartitionUid(uid).length > 0
      ? partitionedCorpus({ uid, whole: alone, parts: [], objectOf }).reconcile(corpus)
      : alone.reconcile(corpus)
  return perhapsDivided(uid, CORPUS_CALLS, { ...alone, reconcile }, divided, alone.layout)
}

/** The same object, as outbound traffic uses it. */
export function outboundOf(namespace: Namespace, uid: string): OutboundObject {
  const objectOf = (own: string) => reached<OutboundObject>(OUTBOUND, () => stubOf(namespace, own))
  const divided = () => {
    const whole = wholeOf<OutboundObject>(OUTBOUND, namespace, uid)
    const { tellPartitions } = corpusOf(namespace, uid)
    const objectsOf = (parts: readonly string[]) =>
      partitionedOutbound(whole, parts.map(objectOf), { parts: parts.map((part) => corpusOf(namespace, part)), tellPartitions })
    return ofPartitions(uid, OUTBOUND, objectsOf, layoutOf(namespace, uid))
  }
  return perhapsDivided(uid, OUTBOUND, objectOf(uid), divided, layoutOf(namespace, uid))
}

const layoutOf = (namespace: Namespace, uid: string) => () => reached<CorpusObject>(CORPUS_CALLS, () => stubOf(namespace, uid)).layout()

/** The same object, as it keeps conversations. */
export function conversationsOf(namespace: Namespace, uid: string): ConversationObject {
  const alone = reached<ConversationObject>(CONVERSATIONS, () => stubOf(namespace, uid))
  const objectsOf = (parts: readonly string[]) =>
    partitionedConversations(
      wholeOf<ConversationObject>(CONVERSATIONS, namespace, uid),
      parts.map((part) => corpusOf(namespace, part)),
    )
  const layout = layoutOf(namespace, uid)
  return perhapsDivided(uid, CONVERSATIONS, alone, () => ofPartitions(uid, CONVERSATIONS, objectsOf, layout), layout)
}

/** The same object, as monitoring uses it. */
export function seeingOf(namespace: Namespace, uid: string): SeeingObject {
  const objectOf = (own: string): SeeingObject => reached<SeeingObject>(SEEING, () => stubOf(namespace, own))
  const layout = layoutOf(namespace, uid)
  const objectsOf = (parts: readonly string[]) => partitionedSeeing(wholeOf<SeeingObject>(SEEING, namespace, uid), parts.map(objectOf))
  return perhapsDivided(uid, SEEING, objectOf(uid), () => ofPartitions(uid, SEEING, objectsOf, layout), layout)
}

const REPLICATED: { readonly [call in keyof ReplicatedObject]: Repeat } = {
  follow: 'again',
  copy: 'again',
  leave: 'again',
  promote: 'again',
}

/** The same object, as its replicas use it. */
export function replicatedOf(namespace: Namespace, uid: string): ReplicatedObject {
  return reached<ReplicatedObject>(REPLICATED, () => stubOf(namespace, uid))
}

const REPORTS: { readonly [call in keyof ReportsObject]: Repeat } = {
  takeReports: 'again',
  reserveFor: 'again',
}

/** The same object, as its partitions use it. */
export function reportsOf(namespace: Namespace, uid: string): ReportsObject {
  return reached<ReportsObject>(REPORTS, () => stubOf(namespace, uid))
}

const REPLICA: { readonly [call in keyof ReplicaObject]: Repeat } = {
  retrieve: 'once', // the writer is asked instead
  poke: 'once',
  forget: 'again',
}

export function replicaOf(namespace: Namespace, { uid, number }: ReplicaName, locationHint?: string): ReplicaObject {
  return reached<ReplicaObject>(REPLICA, () => stubOf(namespace, `${uid}-${number}`, locationHint))
}

/** The same name is a different object in another jurisdiction. */
function stubOf(namespace: Namespace, uid: string, locationHint?: string): unknown {
  const jurisdiction = jurisdictionOf(uid)
  const within = jurisdiction && namespace.jurisdiction ? namespace.jurisdiction(jurisdiction) : namespace
  return locationHint ? within.getByName(uid, { locationHint }) : within.getByName(uid)
}

const KEY_USAGE: { readonly [call in keyof KeyUsageObject]: Repeat } = {
  admit: 'once', // a repetition is counted twice
  reserve: 'again',
  settle: 'again', // a second one finds no reservation
  today: 'again',
}

/** What one key uses in a day. */
export function keyUsageOf(namespace: Namespace, key: string): KeyUsageObject {
  return reached<KeyUsageObject>(KEY_USAGE, () => namespace.getByName(key))
}

const METRICS: { readonly [call in keyof MetricsObject]: Repeat } = {
  add: 'once', // a repetition is counted twice
  read: 'again',
}
const DEPLOYMENT = 'deployment' // one object for all isolates

export function metricsOf(namespace: Namespace): MetricsObject {
  return reached<MetricsObject>(METRICS, () => namespace.getByName(DEPLOYMENT))
}
