/** The object of a corpus, as all other code calls it. */
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
import type { Weighed } from '../core/builders/decide'
import type { ListedNode, Neighbourhood } from '../core/graph/listed'
import type { EdgeKind, Json } from '../core/graph/types'
import type { EmbeddingModel, OwnSettings } from '../core/settings'
import type { NameOperation } from '../core/strategies/archrag/entity-merge'
import type { Classification } from '../core/strategies/gorag/classify'
import type { LabelView } from '../core/strategies/gorag/gorag'
import type { LearnInput } from '../core/strategies/gorag/learn'
import type { Language } from '../core/text/languages'
import type { Location, Outline } from '../core/text/outline'
import type { AboveObject } from './above'
import type { Actor, AuditEntry, AuditEvent, AuditPlace } from './audit'
import type { BackupMark, BackupPage, BackupPlace, BackupStart, RestoreOutcome, RestorePart, RestoreState, Withdrawals } from './backup'
import type { ChangesFound, ChangesRequest } from './changes'
import type { CorpusConfig, CorpusRef, CorpusView } from './corpus'
import type { DecidingObject } from './deciding'
import type { AccessChange, AccessChanged, ChunkCorrection, DocumentInput, FilePart, FilePlace } from './documents'
import type { Accepted, Corrected } from './jobs'
import type { AnswerToKeep, KeptAnswer, NotKept, Recall } from './kept-answers'
import type { LabelContent } from './labels'
import type { MigrationState, ModelMovingObject, MoveRefusal } from './migration'
import type { PartitionAnswer, PartitionEvidence, PartitionRequest, PartitionShown } from './partition'
import type { JustPinned, PinnedProbes, ProbeInput } from './probes'
import type { RecoveryEstimate, RecoveryRefusal, RecoveryState } from './recovery'
import type { MovingObject } from './repartition'
import type { Filters, Quote, RetrieveRequest, RetrieveResult, SavedFilter } from './retrieval'
import type { Hold, StagesSpent, UsageView } from './spending'
import type { Round, TaskResult, Turn } from './tasks'
import type { Link, Seeable, Seen } from './visibility'

/**
 * open: it is served · closed: deleted, everything is kept · clearing: its contents are being removed · empty: nothing is left, or never
 * was
 */
export type Reconciled = 'open' | 'closed' | 'clearing' | 'empty'

/**
 * What pictures are described with: whether that is switched on, in which language, within what limits, and what was made of these bytes
 * before.
 */
export interface DescribingTerms extends Pick<CorpusConfig, 'budget' | 'prices'> {
  readonly isOn: boolean
  /** For recordings: are they transcribed? */
  readonly isHeard: boolean
  readonly language: Language | null
  /** The document's text and outline, if they were made from these bytes. */
  readonly known: { readonly text: string; readonly outline: Outline } | null
  /** The same if they were made from other bytes, or from parts: some of their pages may be the same. */
  readonly parts?: { readonly text: string; readonly outline: Outline }
}

/**
 * The Durable Object of one corpus, addressed by uid. The only writer. Results are values, never custom errors. Every writing call is
 * idempotent under its key; a call that fails half-way has changed nothing (one transaction). `asker`: on whose behalf something is read;
 * absent: an asker without principals. `by`: who is recorded in the audit log, in the same transaction; absent: no entry.
 */
export interface CorpusObject extends DecidingObject, AboveObject, MovingObject, ModelMovingObject {
  /** Returns what it decides itself. */
  configure(config: CorpusConfig, by?: Actor): Promise<OwnSettings>
  view(asker?: Asker): Promise<CorpusView | null>
  accept(
    request: {
      readonly kind: JobKind
      readonly upserts: readonly DocumentInput[]
      readonly deletes: readonly string[]
      readonly ifMatch?: number
      /** Names of the event that brought this: both are accepted together, once. */
      readonly events?: readonly string[]
      /** For a part of a request: the id of the job that its parts share. */
      readonly job?: string
    },
    by?: Actor,
  ): Promise<Accepted>
  maintain(
    kind: 'reindex' | 'consolidate' | 'rebuild' | 'languages',
    options: { readonly strategies?: readonly string[]; readonly job?: string },
    by?: Actor,
  ): Promise<Accepted>
  /** How far its move to another embedding model is, and what a move would involve. */
  migration(): Promise<MigrationState | null>
  /** Moves it in place; a job. */
  migrate(to: EmbeddingModel, by?: Actor): Promise<Accepted | MoveRefusal>
  /** Of all objects of the corpus, partitions first; null: work is under way. */
  backupStarts(): Promise<readonly BackupStart[] | null>
  /** Rows for a backup, after a position in the same state; null: from the beginning. `object`: which one of a corpus in partitions. */
  backupPage(from: { readonly place: BackupPlace; readonly mark: BackupMark } | null, object?: number): Promise<BackupPage>
  /** A part of a backup, into a corpus that is empty or contains the parts before it. Repeating it changes nothing. */
  restore(part: RestorePart, by?: Actor): Promise<RestoreOutcome>
  /** What was deleted, and whose access was changed, since a time (ms). */
  withdrawals(since: number): Promise<Withdrawals>
  /** What restoring it to a time (ms) would mean, or why it cannot be done. Changes nothing. */
  recoveryEstimate(time: number): Promise<(RecoveryEstimate & { readonly kind: 'estimate' }) | RecoveryRefusal>
  /**
   * Checks in the catalogue whether it must be restored to a moment, and does as much of that as it can now. Anyone may call it at any
   * time; null: it never had to be.
   */
  recover(): Promise<RecoveryState | null>
  /** Null: it was not restored from a backup. */
  restoreState(): Promise<RestoreState | null>
  /** Checks in the catalogue whether the corpus is deleted, and acts accordingly. Anyone may call it at any time. */
  reconcile(corpus: CorpusRef): Promise<Reconciled>
  job(id: string, waitMs: number): Promise<Job | null>
  jobs(cursor: string | null, limit: number): Promise<Page<Job>>
  /** Receipts of commits, oldest first; the cursor is a version. `partition`: in a partitioned corpus, the one whose receipts are listed. */
  receipts(cursor: string | null, limit: number, partition?: number): Promise<Page<CommitReceipt>>
  /** `changed`: the pinned probes are no longer those of revision `ifMatch`, and nothing was written. */
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
  /** `prefix`: those whose ids begin with it. */
  documents(cursor: string | null, limit: number, asker?: Asker, prefix?: string): Promise<Page<Document>>
  document(id: string, asker?: Asker): Promise<Document | null>
  /** A part of the file it was read from. `none`: no file is kept. Null: there is no such document that the asker may see. */
  documentFile(id: string, place: FilePlace, asker?: Asker): Promise<FilePart | 'none' | null>
  /** A page of its chunks, from an ordinal on; the cursor is the last one's. Null: there is none that the asker may see. */
  chunks(id: string, place: { readonly from: number; readonly limit: number }, asker?: Asker): Promise<DocumentChunks | null>
  /** Replaces a chunk's text, by a job. Null: there is no such document that the asker may see. */
  correctChunk(correction: ChunkCorrection, asker?: Asker, by?: Actor): Promise<Corrected | null>
  /** What new versions changed, latest first. Null: there is no such document that the asker may see. */
  changes(request: ChangesRequest, asker?: Asker): Promise<ChangesFound | null>
  /** `hash`: SHA-256 of the bytes that will become this document. Null: there is no corpus. */
  describing(document: string | null, hash: string): Promise<DescribingTerms | null>
  /**
   * For a document that the asker may read: changes its labels, or switches it off or on; in force at the version returned. Null: there is
   * none that the asker may see.
   */
  setAccess(id: string, change: AccessChange, asker?: Asker, by?: Actor): Promise<AccessChanged | null>
  /**
   * For a document that the asker may read: indexes it again in this language; null: in the one detected from its text. Null: there is none
   * that the asker may see.
   */
  setLanguage(id: string, language: Language | null, asker?: Asker, by?: Actor): Promise<Accepted | null>
  /** Those of these things that the asker may see, each in the form they may see. */
  seen(things: Seeable, asker?: Asker): Promise<Seen>
  retrieve(request: RetrieveRequest): Promise<RetrieveResult>
  /** For a partition: what a question to the whole corpus reads from it, and what was found in it, ready to be shown. */
  readPartition(request: PartitionRequest): Promise<PartitionAnswer>
  showPartition(request: PartitionEvidence): Promise<PartitionShown>
  /** Saved filters by name; they do not name documents that the asker may not read. */
  filters(asker?: Asker): Promise<readonly SavedFilter[]>
  putFilter(name: string, filters: Filters, by?: Actor): Promise<SavedFilter | 'too_many'>
  /** Renames it; null: deletes it. `taken`: another filter has that name. */
  changeFilter(name: string, to: string | null, by?: Actor): Promise<'done' | 'missing' | 'taken'>
  /** An answer given before, at the served version; or that there is none; or keeps one (null). */
  keptAnswer(asked: Recall | AnswerToKeep): Promise<KeptAnswer | NotKept | null>
  /** The position of each quote; null if the document does not contain it there. */
  verify(quotes: readonly Quote[]): Promise<readonly (Location | null)[]>
  /** Which of these could be set aside within the budget, and now are. One that did not fit keeps its earlier reservation. */
  reserve(holds: readonly Hold[]): Promise<readonly boolean[]>
  /** Records what work cost, and ends its reservation. */
  charge(stages: StagesSpent, holds?: readonly string[], by?: Actor): Promise<void>
  usage(cursor: string | null, limit: number, asker?: Asker): Promise<UsageView>
  /** `thinkingTokens`: those that a reply of the runner's model may take beyond its limit. */
  openTasks(runner: string, limit: number, turn?: Turn, thinkingTokens?: number): Promise<Round>
  /** Refused (`lost`) if the lease has expired. */
  commit(
    runner: string,
    results: readonly TaskResult[],
  ): Promise<{ readonly kind: 'committed'; readonly left: number } | { readonly kind: 'lost' }>
  /** The runner ends although work is left: another may begin at once. Nothing happens if it holds no lease. */
  release(runner: string): Promise<void>
  /** Labels and classification (GORAG). Synchronous: the change is in force when the call returns. */
  putLabel(label: LabelContent, by?: Actor): Promise<LabelView>
  labels(cursor: string | null, limit: number): Promise<Page<LabelView>>
  dropLabel(id: string, by?: Actor): Promise<boolean>
  /**
   * `embedded`, here and for labels and probes: id of the model that made the vectors. Refused if the corpus uses another model's vectors.
   */
  classify(input: { readonly text: string; readonly vector?: Int8Array; readonly embedded?: string }): Promise<Classification>
  /** Null if nothing is learned: too little confidence, already labelled, or no such label. */
  learn(input: Omit<LearnInput, 'at'>, by?: Actor): Promise<string | null>
  /** Unlearns one learned text, or all learned at or after a time (milliseconds since the epoch). False: there was nothing to undo. */
  unlearn(which: { readonly id: string } | { readonly since: number }, by?: Actor): Promise<boolean>
  /** The audit of entities: which were merged by similarity, and which were split. */
  nameOperations(cursor: string | null, limit: number, asker?: Asker): Promise<Page<NameOperation>>
  /** Undoes whatever merged the two, a person or a rule. Null: from everything it was merged with. */
  partEntities(a: string, b: string | null, by?: Actor): Promise<Outcome>
  /**
   * People's decisions about names and relations; in force when it returns. They cannot concern anything that the asker may not see.
   * The object of a corpus in partitions, which has no texts, is given what they say instead of who asks.
   */
  decide(wish: Wish, asker?: Asker | Weighed, by?: Actor): Promise<Outcome>
  undecide(n: number, by?: Actor): Promise<Outcome>
  /** Decisions in effect, oldest first. */
  decisions(cursor: string | null, limit: number, asker?: Asker): Promise<Page<DecisionView>>
  /** Pinned entities as the asker may see them, by id. */
  pinned(asker?: Asker): Promise<readonly ListedNode[]>
  /**
   * Performs maintenance, whether or not it is due: consolidates where enough has changed, writes what was postponed, forgets old jobs.
   * Sets the alarm if it was lost. False: there is no corpus here.
   */
  tend(): Promise<boolean>
  /**
   * Edges that have no rows in the read model, around these nodes: which document contains a chunk, what it mentions, who mentions an
   * entity. At most so many.
   */
  links(ids: readonly string[], limit: number, asker?: Asker): Promise<readonly Link[]>
  /** The neighbourhood of a node as the asker may see it; `all`: everything is visible, and the read model knows it. Null: no such node for them. */
  /** Null: there is none that the asker may see. */
  entity(id: string, asker?: Asker): Promise<EntityDetails | null>
  around(from: NeighbourhoodRequest, asker?: Asker): Promise<Neighbourhood | null | 'all'>
  /**
   * The `data` of a derived node (by its id) or an edge (by source, kind and target) that was too large for the read model. Undefined: it
   * is gone.
   */
  dataOf(row: string | { readonly kind: EdgeKind; readonly source: string; readonly target: string }): Promise<Json | undefined>
  /** The audit log, newest first. */
  audit(place: AuditPlace): Promise<readonly AuditEntry[]>
  /** Records an action that concerns this corpus and is kept elsewhere: before it happens, so that none is missing. */
  noteAudit(events: readonly AuditEvent[], by: Actor): Promise<void>
  /** Sends the outbox's contents to the sinks; returns how much is left. */
  drain(): Promise<{ readonly left: number }>
}
