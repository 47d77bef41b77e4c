/** The object of a corpus, as everything else calls it. */
import type { DocumentChunks } from '../contract/chunks'
import type { DecisionView, Outcome, Wish } from '../contract/decisions'
import type { Document } from '../contract/documents'
import type { EntityDetails } from '../contract/entities'
import type { CorpusHealth } from '../contract/health'
import type { Job, JobKind } from '../contract/jobs'
import type { Page } from '../contract/pages'
import type { Probes } from '../contract/probes'
import type { CommitReceipt } from '../contract/receipts'
import type { Asker } from '../core/access/labels'
import type { NeighbourhoodRequest } from '../core/access/neighbourhood'
import type { ListedNode, Neighbourhood } from '../core/graph/listed'
import type { EdgeKind, Json } from '../core/graph/types'
import type { EmbeddingModel, EmbeddingSettings } from '../core/settings'
import type { NameOperation } from '../core/strategies/archrag/entity-merge'
import type { Classification } from '../core/strategies/gorag/classify'
import type { LabelView } from '../core/strategies/gorag/gorag'
import type { LearnInput } from '../core/strategies/gorag/learn'
import type { Language } from '../core/text/languages'
import type { Location, Outline } from '../core/text/outline'
import type { Actor, AuditEntry, AuditEvent, AuditPlace } from './audit'
import type { BackupMark, BackupPage, BackupPlace, RestoreOutcome, RestorePart, RestoreState, Withdrawals } from './backup'
import type { ChangesFound, ChangesRequest } from './changes'
import type { CorpusConfig, CorpusRef, CorpusView } from './corpus'
import type { AccessChange, AccessChanged, ChunkCorrection, DocumentInput } from './documents'
import type { Accepted, Corrected } from './jobs'
import type { AnswerToKeep, KeptAnswer, NotKept, Recall } from './kept-answers'
import type { LabelContent } from './labels'
import type { MigrationState, MoveRefusal } from './migration'
import type { PartitionAnswer, PartitionEvidence, PartitionRequest, PartitionShown } from './partition'
import type { JustPinned, PinnedProbes, ProbeInput } from './probes'
import type { RecoveryEstimate, RecoveryRefusal, RecoveryState } from './recovery'
import type { Filters, Quote, RetrieveRequest, RetrieveResult, SavedFilter } from './retrieval'
import type { Hold, StagesSpent, UsageView } from './spending'
import type { Round, TaskResult, Turn } from './tasks'
import type { Link, Seeable, Seen } from './visibility'

/** open: it is served · closed: deleted, all is kept · clearing: what it has is being removed · empty: nothing is left, or never was */
export type Reconciled = 'open' | 'closed' | 'clearing' | 'empty'

/** By which pictures are described: is it switched on, in which language, within what, and what was made of these bytes before. */
export interface DescribingTerms extends Pick<CorpusConfig, 'budget' | 'prices'> {
  readonly isOn: boolean
  /** Of recordings: are they transcribed? */
  readonly isHeard: boolean
  readonly language: Language | null
  /** The document's text and outline, where they were made of these bytes. */
  readonly known: { readonly text: string; readonly outline: Outline } | null
  /** The same where they were made of others, or of parts: pages of them may be the same. */
  readonly parts?: { readonly text: string; readonly outline: Outline }
}

/**
 * The Durable Object of one corpus, addressed by uid. The only writer. Answers are values, never custom errors.
 * Every writing call is idempotent under its key; a call that fails half-way has changed nothing (one transaction).
 * `asker`: for whom something is read; absent: an asker without principals.
 * `by`: who is entered into the audit log for it, in the same transaction; absent: no entry.
 */
export interface CorpusObject {
  /** Returns the embedding model it has, whatever `config` says of it: once it is made that changes by a migration alone. */
  configure(config: CorpusConfig, by?: Actor): Promise<EmbeddingSettings>
  view(asker?: Asker): Promise<CorpusView | null>
  accept(
    request: {
      readonly kind: JobKind
      readonly upserts: readonly DocumentInput[]
      readonly deletes: readonly string[]
      readonly ifMatch?: number
      /** Names of the event that brought this: taken in together with it, once. */
      readonly events?: readonly string[]
      /** Of a part of a request: the id of the job, which its other parts have, too. */
      readonly job?: string
    },
    by?: Actor,
  ): Promise<Accepted>
  maintain(
    kind: 'reindex' | 'consolidate' | 'rebuild' | 'languages',
    options: { readonly strategies?: readonly string[]; readonly job?: string },
    by?: Actor,
  ): Promise<Accepted>
  /** How far it is being moved to another embedding model, and what that would come to. */
  migration(): Promise<MigrationState | null>
  /** Moves it, in place; a job. */
  migrate(to: EmbeddingModel, by?: Actor): Promise<Accepted | MoveRefusal>
  /** Rows for a backup, behind a place of the same state; null: from the beginning. */
  backupPage(from: { readonly place: BackupPlace; readonly mark: BackupMark } | null): Promise<BackupPage>
  /** A part of a backup, into a corpus that is empty or has what came before it. Repeated it changes nothing. */
  restore(part: RestorePart, by?: Actor): Promise<RestoreOutcome>
  /** What was deleted, and whose access was changed, since a time (ms). */
  withdrawals(since: number): Promise<Withdrawals>
  /** What setting it back to a time (ms) would mean, or why it cannot be. Changes nothing. */
  recoveryEstimate(time: number): Promise<(RecoveryEstimate & { readonly kind: 'estimate' }) | RecoveryRefusal>
  /** Looks into the catalogue whether it is to be set back, and gets as far with it as it can now. May be called by anyone at any time; null: it never was. */
  recover(): Promise<RecoveryState | null>
  /** Null: it came out of no backup. */
  restoreState(): Promise<RestoreState | null>
  /** Looks into the catalogue whether the corpus is deleted, and does what that asks for. May be called by anyone at any time. */
  reconcile(corpus: CorpusRef): Promise<Reconciled>
  job(id: string, waitMs: number): Promise<Job | null>
  jobs(cursor: string | null, limit: number): Promise<Page<Job>>
  /** Of commits, oldest first; the cursor is a version. */
  receipts(cursor: string | null, limit: number): Promise<Page<CommitReceipt>>
  /** `changed`: others are pinned than the revision `ifMatch` names, and nothing was written. */
  putProbes(
    probes: readonly ProbeInput[],
    bounds: Pick<PinnedProbes, 'k' | 'tolerance'> & { readonly asker?: Asker },
    ifMatch?: string,
    by?: Actor,
  ): Promise<JustPinned | 'changed'>
  probes(asker?: Asker): Promise<Probes>
  health(): Promise<CorpusHealth | null>
  cancel(id: string, by?: Actor): Promise<Job | null>
  retry(id: string, by?: Actor): Promise<Job | null>
  documents(cursor: string | null, limit: number, asker?: Asker): Promise<Page<Document>>
  document(id: string, asker?: Asker): Promise<Document | null>
  /** A page of its chunks, from an ordinal on; the cursor is the last one's. Null: there is none that the asker may see. */
  chunks(id: string, place: { readonly from: number; readonly limit: number }, asker?: Asker): Promise<DocumentChunks | null>
  /** Another text in place of a chunk's, by a job. Null: there is no such document that the asker may see. */
  correctChunk(correction: ChunkCorrection, asker?: Asker, by?: Actor): Promise<Corrected | null>
  /** What new versions changed, the latest first. Null: there is no such document that the asker may see. */
  changes(request: ChangesRequest, asker?: Asker): Promise<ChangesFound | null>
  /** `hash`: SHA-256 of the bytes that are to be this document. Null: there is no corpus. */
  describing(document: string | null, hash: string): Promise<DescribingTerms | null>
  /** For a document that the asker may read: other labels, or off or on; in force at the version returned. Null: there is none that the asker may see. */
  setAccess(id: string, change: AccessChange, asker?: Asker, by?: Actor): Promise<AccessChanged | null>
  /** For a document that the asker may read: taken in again as in this language; null: as in the one its text tells. Null: there is none that the asker may see. */
  setLanguage(id: string, language: Language | null, asker?: Asker, by?: Actor): Promise<Accepted | null>
  /** Those of these things that the asker may see, each as they may see it. */
  seen(things: Seeable, asker?: Asker): Promise<Seen>
  retrieve(request: RetrieveRequest): Promise<RetrieveResult>
  /** Of a partition: what a question to the whole corpus reads of it, and what was found in it as it is shown. */
  readPartition(request: PartitionRequest): Promise<PartitionAnswer>
  showPartition(request: PartitionEvidence): Promise<PartitionShown>
  /** Saved filters by name; documents that the asker may not read are not named in them. */
  filters(asker?: Asker): Promise<readonly SavedFilter[]>
  putFilter(name: string, filters: Filters, by?: Actor): Promise<SavedFilter | 'too_many'>
  /** Another name for it; null: it is deleted. `taken`: another filter has that name. */
  changeFilter(name: string, to: string | null, by?: Actor): Promise<'done' | 'missing' | 'taken'>
  /** An answer that was given before, at the version that is served; or that there is none; or one is kept (null). */
  keptAnswer(asked: Recall | AnswerToKeep): Promise<KeptAnswer | NotKept | null>
  /** Where each quote stands; null where it is not what the document says there. */
  verify(quotes: readonly Quote[]): Promise<readonly (Location | null)[]>
  /** Which of these could be set aside within the budget, and now are. One that could not keeps what it had. */
  reserve(holds: readonly Hold[]): Promise<readonly boolean[]>
  /** Counts what work cost, and ends what was set aside for it. */
  charge(stages: StagesSpent, holds?: readonly string[], by?: Actor): Promise<void>
  usage(cursor: string | null, limit: number, asker?: Asker): Promise<UsageView>
  /** `thinkingTokens`: those a reply of the runner's model may take beyond its room. */
  openTasks(runner: string, limit: number, turn?: Turn, thinkingTokens?: number): Promise<Round>
  /** Refused (`lost`) if the lease has expired. */
  commit(
    runner: string,
    results: readonly TaskResult[],
  ): Promise<{ readonly kind: 'committed'; readonly left: number } | { readonly kind: 'lost' }>
  /** The runner ends though work is left: another may begin at once. Nothing happens where it holds no lease. */
  release(runner: string): Promise<void>
  /** Labels and classification (GORAG). Synchronous: what returned is in force. */
  putLabel(label: LabelContent, by?: Actor): Promise<LabelView>
  labels(cursor: string | null, limit: number): Promise<Page<LabelView>>
  dropLabel(id: string, by?: Actor): Promise<boolean>
  /** `embedded`, here and of labels and probes: id of the model that made the vectors. Refused where the corpus has those of another. */
  classify(input: { readonly text: string; readonly vector?: Int8Array; readonly embedded?: string }): Promise<Classification>
  /** Null where nothing is learned: below the confidence, labelled already, or no such label. */
  learn(input: Omit<LearnInput, 'at'>, by?: Actor): Promise<string | null>
  /** One learned text, or all learned at or after a time (milliseconds since the epoch). False: there was nothing to undo. */
  unlearn(which: { readonly id: string } | { readonly since: number }, by?: Actor): Promise<boolean>
  /** Which entities were taken for one thing by likeness, and parted: the audit. */
  nameOperations(cursor: string | null, limit: number, asker?: Asker): Promise<Page<NameOperation>>
  /** Undoes what has merged the two, a person or a rule. Null: from all it was merged with. */
  partEntities(a: string, b: string | null, by?: Actor): Promise<Outcome>
  /** What people decide about names and relations; in force when it returns. About nothing that the asker may not see. */
  decide(wish: Wish, asker?: Asker, by?: Actor): Promise<Outcome>
  undecide(n: number, by?: Actor): Promise<Outcome>
  /** Decisions in effect, oldest first. */
  decisions(cursor: string | null, limit: number, asker?: Asker): Promise<Page<DecisionView>>
  /** Pinned entities as the asker may see them, by id. */
  pinned(asker?: Asker): Promise<readonly ListedNode[]>
  /**
   * A visit of upkeep, whether or not it is due: consolidates where enough has changed, writes what was left for later, forgets old jobs.
   * Sets the alarm, if it was lost. False: there is no corpus here.
   */
  tend(): Promise<boolean>
  /** What the read model has no rows of, around these nodes: which document contains a chunk, what it mentions, who mentions an entity. At most so many. */
  links(ids: readonly string[], limit: number, asker?: Asker): Promise<readonly Link[]>
  /** The neighbourhood of a node as the asker may see it; `all`: everything is visible, and the read model knows it. Null: no such node for them. */
  /** Null: there is none that the asker may see. */
  entity(id: string, asker?: Asker): Promise<EntityDetails | null>
  around(from: NeighbourhoodRequest, asker?: Asker): Promise<Neighbourhood | null | 'all'>
  /** The `data` of a derived node (by its id) or an edge (by source, kind and target) that the read model could not hold. Undefined: it is gone. */
  dataOf(row: string | { readonly kind: EdgeKind; readonly source: string; readonly target: string }): Promise<Json | undefined>
  /** The audit log, newest first. */
  audit(place: AuditPlace): Promise<readonly AuditEntry[]>
  /** Enters what is about this corpus and is not kept here: before it is done, so that nothing is missing. */
  noteAudit(events: readonly AuditEvent[], by: Actor): Promise<void>
  /** Sends what the outbox holds to the sinks; returns how much is left. */
  drain(): Promise<{ readonly left: number }>
}
