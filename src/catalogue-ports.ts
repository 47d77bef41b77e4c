/**
 * What the HTTP face needs besides `ports.ts`: the catalogue, what was answered before, the graph as D1 holds it, and the platform's
 * limiter and converter. Implemented in `src/adapters`; nothing here computes.
 */
import type { Actor, AuditSettings } from './audit-ports'
import type { ListedEdge, ListedNode, Neighbourhood } from './core/graph/listed'
import type { Settings } from './core/settings'
import type { Mapping } from './hooks/events'
import type { Preset } from './hooks/signature'
import type { DailyLimits } from './key-usage-ports'
import type { CommitReceipt, CorpusObject, CorpusRef, Json, RowPage, RowTable, StoredPage } from './ports'

export type Scope = 'read' | 'write' | 'admin'

export interface CorpusRecord {
  readonly uid: string
  readonly name: string
  readonly strategies: readonly string[]
  readonly settings: Settings
  readonly budget: { readonly tokens?: number; readonly usd?: number }
  readonly public: boolean
  /** Milliseconds since the epoch. */
  readonly created: number
  /** Binding of the database its rows are in; it never changes. Absent: the control database. */
  readonly database?: string
  /** Where its object was asked to be made. */
  readonly locationHint?: string
  /** Absent: the defaults. */
  readonly audit?: AuditSettings
  /** Labels that stand for those of a document that has none. Absent: such a document is for every reader. */
  readonly defaultAccess?: readonly string[]
  /** For so long it can be undeleted. Absent: not at all. */
  readonly undeleteSeconds?: number
}

export interface KeyRecord {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, hex. */
  readonly hash: string
  /** Secrets that were replaced, newest first. */
  readonly previous: readonly ReplacedHash[]
  readonly scopes: readonly Scope[]
  /** Null: all corpora, also those to come. */
  readonly corpora: readonly Grant[] | null
  readonly created: number
  /** Whom its bearer speaks for: what documents' labels are compared with (docs/access.md). */
  readonly principals: readonly string[]
  /** May a request with this key say for whom it asks? */
  readonly accessChoose: boolean
  /** Null: it does not expire. */
  readonly expires: number | null
  /** As last written down, which is done now and then. Null: never. */
  readonly used: number | null
  /** What it may use in a day. Absent: as much as it likes. */
  readonly limits?: DailyLimits
}

export interface ReplacedHash {
  readonly hash: string
  /** Milliseconds since the epoch: until then it is good beside the new one. */
  readonly until: number
}

/** A corpus a key opens. Its uid decides: another corpus of the same name is another corpus. */
export interface Grant {
  readonly name: string
  readonly uid: string
  /** False while it is being forgotten. */
  readonly isThere: boolean
}

export interface KeyRotation {
  readonly at: number
  /** The hash it must still have, and the new one. */
  readonly from: string
  readonly to: string
  readonly previous: readonly ReplacedHash[]
}

/** Of what is done to keys and to whole corpora. */
export interface DeploymentAudit {
  /** Before it is done, so that nothing is missing. */
  add(entry: NewDeploymentEntry): Promise<void>
  /** Newest first. */
  entries(before: { readonly at: number; readonly id: string } | null, limit: number): Promise<readonly DeploymentEntry[]>
  forget(before: number): Promise<void>
}

export interface NewDeploymentEntry extends Actor {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `key.create`, `key.limit`, `key.rotate`, `key.revoke`, `corpus.create`, `corpus.delete`, `corpus.undelete` */
  readonly action: string
  /** The key's id, or the corpus's name. */
  readonly subject: string
  readonly outcome: string
}

export interface DeploymentEntry extends NewDeploymentEntry {
  readonly id: string
}

export interface Keys {
  key(id: string): Promise<KeyRecord | null>
  /** By id, from an id on (exclusive): of those that open none but these corpora, or (null) of all. */
  keys(within: readonly string[] | null, after: string, limit: number): Promise<readonly KeyRecord[]>
  /** `by`: who is entered into the audit log for it, with it. */
  mint(record: KeyRecord, by: Actor): Promise<void>
  /** False if there is no such key, or its hash is another than `from` by now. */
  rotate(id: string, change: KeyRotation, by: Actor): Promise<boolean>
  /** False if there is no such key. Null: no limits. */
  limit(id: string, limits: DailyLimits | null, at: number, by: Actor): Promise<boolean>
  /** Unless a use since `unlessSince` is known. */
  noteUse(id: string, at: number, unlessSince: number): Promise<void>
  /** False if there is no such key. */
  revoke(id: string, at: number, by: Actor): Promise<boolean>
}

export type Dropped = CorpusRef & { readonly state: 'recoverable' | 'clearing' | 'cleared' }

export interface Catalogue {
  /** The living corpus of this name. `seeing`: who asks sees public corpora and the one of this uid alone, and any other costs what a name that is free costs. */
  corpus(name: string, seeing?: string): Promise<CorpusRecord | null>
  /** Living corpora by name, from a name on (exclusive), of these uids or (null) all. */
  corpora(uids: readonly string[] | null, after: string, limit: number): Promise<readonly CorpusRecord[]>
  /** Are there as many corpora as this, or more? Reads as many rows at most. */
  hasCorpora(count: number): Promise<boolean>
  /** False if the name is taken. */
  create(record: CorpusRecord): Promise<boolean>
  /** False if it is not living any more. */
  change(record: CorpusRecord): Promise<boolean>
  /** The deleted corpus of this name that this job clears away. */
  dropped(name: string, job: string): Promise<Dropped | null>
}

/** By when corpora with something due should have been heard of: whoever is overdue has lost its alarm. */
export interface Watch {
  /** Null: nothing is due any more. */
  expect(uid: string, by: number | null): Promise<void>
  /** Some that are overdue. They are expected by `until` from now on, so that one that cannot be woken does not keep the others waiting. */
  overdue(now: number, until: number, limit: number): Promise<readonly string[]>
}

export interface HookRecord {
  readonly id: string
  /** Of its corpus. */
  readonly uid: string
  readonly preset: Preset
  readonly mapping: Mapping | null
  /** Newest first. Sealed; `until` (ms) ends the overlap of one that was replaced, null: in use. */
  readonly secrets: readonly { readonly sealed: string; readonly until: number | null }[]
  readonly created: number
  /** Labels given to the documents it brings. Empty: none. */
  readonly access: readonly string[]
}

/** Webhooks that come in. */
export interface Hooks {
  /** Null also where its corpus is deleted. */
  hook(id: string): Promise<HookRecord | null>
  hooks(uid: string, after: string, limit: number): Promise<readonly HookRecord[]>
  /** False where its corpus is deleted. */
  add(record: HookRecord): Promise<boolean>
  rotate(id: string, secrets: HookRecord['secrets']): Promise<void>
  /** False if the corpus has no such hook. */
  remove(uid: string, id: string): Promise<boolean>
}

export interface Answered {
  readonly body: string
  /** Null while the first request is still in flight. */
  readonly status: number | null
  readonly response: string | null
}

/** Answers to requests that carried an Idempotency-Key. Ids and contents are opaque here. */
export interface Answers {
  /** Reserves the id; else says what is there. */
  begin(id: string, body: string, now: number, expires: number): Promise<Answered | 'begun'>
  finish(id: string, status: number, response: string, expires: number): Promise<void>
  /** The request changed nothing: it may be tried again. */
  release(id: string): Promise<void>
  /** Forgets what has expired. */
  sweep(now: number): Promise<void>
}

export type ExportedRow =
  | {
      readonly type: 'document'
      readonly id: string
      readonly title: string
      readonly url: string | null
      readonly metadata: Json
      readonly chunks: Json
      /** Labels. Absent: none. */
      readonly access?: readonly string[]
    }
  | {
      readonly type: 'chunk'
      readonly id: string
      readonly title: string
      readonly text: string
      readonly tokens: number
      readonly own: number
    }
  | { readonly type: 'label'; readonly label: string; readonly description: string; readonly examples: readonly string[] }
  | ({ readonly type: 'node' } & ListedNode)
  | ({ readonly type: 'edge' } & ListedEdge)
  | ({ readonly type: 'receipt' } & CommitReceipt)

/** The databases corpora are read from. */
export interface DataPool {
  /** The least filled, and of those about equally filled the one with the fewest corpora. Null: each holds `limit` bytes or more. */
  choose(jurisdiction?: string): Promise<string | null>
  /** Bytes a database may hold before it takes nothing more. */
  readonly limit: number
}

/** The read model's other side. */
export interface Listings {
  /** Everything up to this version is in D1. */
  version(corpus: CorpusRef): Promise<number>
  /** By id, from an id on (exclusive). `q`: entities whose name contains it, whatever its case. */
  nodes(
    corpus: CorpusRef,
    where: { readonly kind: string; readonly layer?: number; readonly q?: string },
    page: { readonly after: string; readonly limit: number },
  ): Promise<readonly ListedNode[]>
  /** How many nodes of a kind each layer has. */
  layers(corpus: CorpusRef, kind: string): Promise<readonly { readonly layer: number; readonly count: number }[]>
  /** Around a node, both ways along every edge; without a node, the top of the graph. Null: no such node. `links` gives the edges that have no rows. */
  around(
    corpus: CorpusRef,
    from: { readonly node: string | null; readonly depth: number; readonly limit: number },
    links: CorpusObject['links'],
  ): Promise<Neighbourhood | null>
  /** Rows as they stand there, for an export. */
  page(corpus: CorpusRef, table: RowTable, from: RowPage): Promise<StoredPage>
}

/**
 * The text of a PDF, pages apart by a blank line, and what it calls itself (empty: nothing). `no_text`: it holds pictures alone. `too_large`: more
 * pages, text or work than is read.
 */
export type Conversion =
  | { readonly kind: 'converted'; readonly text: string; readonly title: string }
  | { readonly kind: 'unreadable'; readonly why: 'encrypted' | 'no_text' | 'broken' | 'too_large' }

export type Converter = (file: { readonly bytes: Uint8Array }) => Promise<Conversion>

/** True while the caller may go on. */
export type Limiter = (key: string) => Promise<boolean>

/** Says whom a signed token of the deployment's identity provider names. */
export interface Identity {
  /** None where the request carries no token. refused: it carries one that is not good · unavailable: it cannot be checked now */
  principals(header: (name: string) => string | undefined): Promise<readonly string[] | 'refused' | 'unavailable'>
}
