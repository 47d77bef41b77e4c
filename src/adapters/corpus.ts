/** Reaches the object of a corpus. The platform's RPC types are too deep for the compiler; the port says the same on one page. */
import { jurisdictionOf, partitionSetOf } from '../corpus-uid'
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
import { ofPartitions } from './divided'
import { type Repeat, reached } from './reached'

/** The part of a namespace that is used here. */
export interface Namespace {
  /** `locationHint` only matters for the first call: the object is created there, or nearby. */
  getByName(name: string, options?: { readonly locationHint?: string }): unknown
  jurisdiction?(jurisdiction: string): Namespace
}

const OUTBOUND: { readonly [call in keyof OutboundObject]: Repeat } = {
  endpoints: 'again',
  addEndpoint: 'once',
  renewEndpoint: 'again',
  endpointSecrets: 'again',
  replaceSecrets: 'again', // a second one finds other secrets than it would replace, and another pass follows
  removeEndpoint: 'once',
  deliveries: 'again',
  redeliver: 'again',
  claimDelivery: 'once', // a claim is an attempt
  closeDelivery: 'once',
  sources: 'again',
  source: 'again',
  addSource: 'once',
  removeSource: 'once',
  sourceItems: 'again',
  askSource: 'again',
  claimSource: 'once',
  closeSource: 'again',
  plannedFor: 'again',
  provided: 'again',
}

/** A partitioned corpus is called in the same way: its uid says how many partitions there are. */
export function corpusOf(namespace: Namespace, uid: string, locationHint?: string): CorpusObject {
  const objectOf = (own: string): CorpusObject => reached<CorpusObject>(CORPUS_CALLS, () => stubOf(namespace, own, locationHint))
  const whole = objectOf(uid)
  if (!partitionSetOf(uid)) return whole
  const objectsOf = (parts: readonly string[]) => partitionedCorpus({ uid, whole, parts: parts.map(objectOf), objectOf })
  return ofPartitions(uid, CORPUS_CALLS, objectsOf, whole.layout)
}

/** The same object, as outbound traffic uses it. */
export function outboundOf(namespace: Namespace, uid: string): OutboundObject {
  const objectOf = (own: string) => reached<OutboundObject>(OUTBOUND, () => stubOf(namespace, own))
  const whole = objectOf(uid)
  if (!partitionSetOf(uid)) return whole
  const { tellPartitions } = corpusOf(namespace, uid)
  const objectsOf = (parts: readonly string[]) =>
    partitionedOutbound(whole, parts.map(objectOf), { parts: parts.map((part) => corpusOf(namespace, part)), tellPartitions })
  return ofPartitions(uid, OUTBOUND, objectsOf, layoutOf(namespace, uid))
}

const layoutOf = (namespace: Namespace, uid: string) => () => reached<CorpusObject>(CORPUS_CALLS, () => stubOf(namespace, uid)).layout()

const SEEING: { readonly [call in keyof SeeingObject]: Repeat } = {
  figures: 'again',
  costs: 'again',
  noteQuestion: 'again', // under its id
  questions: 'again',
  poorQuestions: 'again',
  rateQuestion: 'again',
  forgetQuestion: 'once',
  alerts: 'again',
  putAlerts: 'again',
  testAlert: 'once',
}

const CONVERSATIONS: { readonly [call in keyof ConversationObject]: Repeat } = {
  conversations: 'again',
  conversation: 'again',
  restsOn: 'again',
  earlierTurns: 'again',
  keepTurn: 'again', // under its id
  renameConversation: 'again',
  forgetConversations: 'once',
}

/** The same object, as it keeps conversations. */
export function conversationsOf(namespace: Namespace, uid: string): ConversationObject {
  const object = reached<ConversationObject>(CONVERSATIONS, () => stubOf(namespace, uid))
  if (!partitionSetOf(uid)) return object
  const objectsOf = (parts: readonly string[]) =>
    partitionedConversations(
      object,
      parts.map((part) => corpusOf(namespace, part)),
    )
  return ofPartitions(uid, CONVERSATIONS, objectsOf, layoutOf(namespace, uid))
}

/** The same object, as monitoring uses it. */
export function seeingOf(namespace: Namespace, uid: string): SeeingObject {
  const objectOf = (own: string): SeeingObject => reached<SeeingObject>(SEEING, () => stubOf(namespace, own))
  const whole = objectOf(uid)
  if (!partitionSetOf(uid)) return whole
  return ofPartitions(uid, SEEING, (parts) => partitionedSeeing(whole, parts.map(objectOf)), layoutOf(namespace, uid))
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
