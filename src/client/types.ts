/** What is sent and what comes back, inferred from the schemas the service validates with. Types alone: nothing of zod is in the client. */
import type { z } from 'zod'
import type { AskEvent } from '../flows/ask-types'
import type * as answers from '../http/schemas/answers'
import type * as ask from '../http/schemas/ask'
import type * as audit from '../http/schemas/audit'
import type * as corpora from '../http/schemas/corpora'
import type * as documents from '../http/schemas/documents'
import type * as findings from '../http/schemas/findings'
import type * as gate from '../http/schemas/gate'
import type * as hooks from '../http/schemas/hooks'
import type * as lines from '../http/schemas/import'
import type * as labels from '../http/schemas/labels'
import type { masterKey } from '../http/schemas/master-key'
import type * as names from '../http/schemas/names'
import type * as outbound from '../http/schemas/outbound'
import type * as receipts from '../http/schemas/receipts'
import type * as usage from '../http/schemas/usage'

export type { AskEvent }
export type NewCorpus = z.input<typeof corpora.corpusSchema>
export type NewDocument = z.input<typeof documents.documentSchema>
export type NewBatch = z.input<typeof documents.batchSchema>
export type NewKey = z.input<typeof corpora.keySchema>
export type KeyLimits = NonNullable<z.input<typeof corpora.limitKeySchema>['limits']>
export type KeyRotation = z.input<typeof corpora.rotateKeySchema>
export type NewLabel = z.input<typeof labels.labelSchema>
export type ToEstimate = z.input<typeof documents.estimateSchema>
export type Search = z.input<typeof ask.searchSchema>
export type Question = Omit<z.input<typeof ask.querySchema>, 'stream'>
export type Comparison = z.input<typeof ask.compareSchema>
export type ToClassify = z.input<typeof labels.classifySchema>
export type NewProbes = z.input<typeof gate.probesSchema>
export type NewHook = z.input<typeof hooks.hookSchema>
export type NewEndpoint = z.input<typeof outbound.endpointSchema>
export type NewSource = z.input<typeof outbound.sourceSchema>
/** A secret of one's own, and how long the old one is good. */
export type NewSecret = z.input<typeof outbound.renewSchema>

export type Corpus = z.output<typeof answers.corpus>
export type Document = z.output<typeof answers.document>
export type Put = z.output<typeof answers.put>
export type Patched = z.output<typeof answers.patched>
export type Batch = z.output<typeof answers.batch>
export type Deleted = z.output<typeof answers.deleted>
export type Undeleted = z.output<typeof answers.undeleted>
export type Accepted = z.output<typeof answers.accepted>
export type Job = z.output<typeof answers.job>
export type Receipt = z.output<typeof answers.receipt>
export type Key = z.output<typeof answers.key>
export type KeysUsage = z.output<typeof usage.keysUsage>
export type MasterKey = z.output<typeof masterKey>
export type MintedKey = z.output<typeof answers.mintedKey>
export type Evidence = z.output<typeof findings.evidence>
export type Citation = z.output<typeof findings.citation>
export type SearchResult = z.output<typeof findings.searchResult>
export type QueryResult = z.output<typeof findings.queryResult>
export type CompareResult = z.output<typeof findings.compareResult>
export type Estimate = z.output<typeof findings.estimate>
export type Label = z.output<typeof findings.label>
export type Classified = z.output<typeof findings.classified>
export type Neighbourhood = z.output<typeof findings.neighbourhood>
export type Nodes = z.output<typeof findings.nodes>
export type Node = z.output<typeof findings.node>
export type Imported = z.output<typeof lines.imported>
export type Layers = z.output<typeof findings.layers>
export type CommitReceipt = z.output<typeof receipts.commitReceipt>
export type CorpusUsage = z.output<typeof usage.corpusUsage>
export type CorpusHealth = z.output<typeof gate.corpusHealth>
export type Probes = z.output<typeof gate.probes>
export type AuditEntry = z.output<typeof audit.auditEntry>
export type DeploymentEntry = z.output<typeof audit.deploymentEntry>
export type Pinned = z.output<typeof gate.pinned>
export type NameOperation = z.output<typeof names.nameOperation>
export type Decided = z.output<typeof names.decided>
export type Hook = z.output<typeof hooks.hook>
export type MadeHook = z.output<typeof hooks.shownHook>
export type Endpoint = z.output<typeof outbound.endpoint>
export type MadeEndpoint = z.output<typeof outbound.shownEndpoint>
export type Delivery = z.output<typeof outbound.delivery>
export type Source = z.output<typeof outbound.source>

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}
export interface Paging {
  readonly cursor?: string | undefined
  readonly limit?: number
}
