/** What is sent and what comes back, as the service describes it. Only types: the client does not contain zod. */
export type { Alerts, AlertTest, NewAlertRules } from '../contract/alerts'
export type { AuditEntry, DeploymentEntry } from '../contract/audit'
export type { BackupHead, Restored } from '../contract/backups'

import type { BackupPart } from './backup-parts'

export interface RestoreOptions {
  readonly signal?: AbortSignal
  /** The corpus the backup is of: its later deletions and changes of access hold. */
  readonly replay?: string | undefined
}

export interface WholeRestoreOptions extends RestoreOptions {
  /** After each part. */
  readonly taken?: (part: BackupPart) => void
  /** Nothing was restored under this name before, so nothing is asked about that. */
  readonly isNew?: boolean
}

export type { Change, Changes } from '../contract/changes'
export type { ModelList } from '../contract/chat'
export type { ChunkCorrection, CorrectedChunk, DocumentChunk, DocumentChunks } from '../contract/chunks'
export type { Conversation, ConversationHead, KeptTurn } from '../contract/conversations'
export type { Corpus, Deleted, NewCorpus, RepartitionEstimate, Undeleted } from '../contract/corpora'
export type { AddedEntity, DecisionStatus, DecisionView as Decision, NewEntity, NewRelation, NewSplit } from '../contract/decisions'
export type { Health, MasterKey, Readiness } from '../contract/deployment'
export type { Batch, Document, NewBatch, NewDocument, Patched, Put } from '../contract/documents'
export type { Delivery, Endpoint, MadeEndpoint, NewEndpoint, NewSecret } from '../contract/endpoints'
export type { EntityDetails } from '../contract/entities'
export type { Cost, Estimate, ToEstimate } from '../contract/estimates'
export type { EventType } from '../contract/events'
export type { NewFilter, SavedFilter } from '../contract/filters'
export type { Edge, Layers, Neighbourhood, Node, Nodes } from '../contract/graph'
export type { GuidanceProposal, ProposeGuidance } from '../contract/guidance-proposal'
export type { CorpusHealth } from '../contract/health'
export type { Hook, MadeHook, Mapping, NewHook, Preset, SignatureForm } from '../contract/hooks'
export type { Imported } from '../contract/imports'
export type { Accepted, Count, Job, Progress, Receipt } from '../contract/jobs'
export type { Key, KeyLimits, KeyRotation, MintedKey, NewKey, OwnKey } from '../contract/keys'
export type { Classified, Label, NewLabel, ToClassify } from '../contract/labels'
export type { Migration, MigrationRequest } from '../contract/migrations'
export type { NameOperation } from '../contract/names'
export type { OntologyProposal, ProposeOntology } from '../contract/ontology-proposal'
export type { Page, Paging } from '../contract/pages'
export type { Finding, NewProbes, Pinned, Probe, Probes } from '../contract/probes'
export type { LoggedQuestion, NewFeedback, QuestionReport } from '../contract/query-log'
export type {
  AskEvent,
  Citation,
  ClaimSupport,
  CompareResult,
  Comparison,
  Evidence,
  Nearest,
  QueryResult,
  Question,
  Search,
  SearchResult,
  Usage,
} from '../contract/questions'
export type { CommitReceipt } from '../contract/receipts'
export type {
  SeveralEvent,
  SeveralQueryResult,
  SeveralQuestion,
  SeveralSearch,
  SeveralSearchResult,
} from '../contract/several'
/**
 * Of an export of Slack or Notion, or a zipped folder of GraphRAG or LightRAG: `type: 'application/zip'`; of GraphML: `application/graphml+xml`;
 * with labels for the documents. `name`: of the file, with which ids begin that are not given.
 */
export interface ImportedAs {
  readonly type?: 'application/x-ndjson' | 'application/zip' | 'application/graphml+xml'
  readonly name?: string
  readonly access?: readonly string[]
}
export type { NewSource, Source, SourceCredential, SourceItem } from '../contract/sources'
export type { Amounts, CorpusUsage, CostRow, KeysUsage, KeyUsage, Spent } from '../contract/usage'

/** Of which days (`2026-11-22`, of UTC), of which corpus, from which page on. */
export interface CostRange {
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly corpus?: string | undefined
  readonly cursor?: string | undefined
}
export type { NewRecovery, Recovery, RecoveryEstimate } from '../contract/recoveries'
