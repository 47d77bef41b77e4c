/** What is sent and what comes back, inferred from the schemas the service validates with. Types alone: nothing of zod is in the client. */

import type { z } from 'zod'
import type * as audit from '../contract/audit'
import type * as corpora from '../contract/corpora'
import type { masterKey } from '../contract/deployment'
import type * as documents from '../contract/documents'
import type * as endpoints from '../contract/endpoints'
import type * as estimates from '../contract/estimates'
import type * as graph from '../contract/graph'
import type * as health from '../contract/health'
import type * as hooks from '../contract/hooks'
import type * as lines from '../contract/imports'
import type * as jobs from '../contract/jobs'
import type * as keys from '../contract/keys'
import type * as labels from '../contract/labels'
import type * as names from '../contract/names'
import type * as probes from '../contract/probes'
import type * as questions from '../contract/questions'
import type * as receipts from '../contract/receipts'
import type * as sources from '../contract/sources'
import type * as usage from '../contract/usage'
import type { AskEvent } from '../flows/ask-types'

export type { AskEvent }
export type NewCorpus = z.input<typeof corpora.corpusSchema>
export type NewDocument = z.input<typeof documents.documentSchema>
export type NewBatch = z.input<typeof documents.batchSchema>
export type NewKey = z.input<typeof keys.keySchema>
export type KeyLimits = NonNullable<z.input<typeof keys.limitKeySchema>['limits']>
export type KeyRotation = z.input<typeof keys.rotateKeySchema>
export type NewLabel = z.input<typeof labels.labelSchema>
export type ToEstimate = z.input<typeof estimates.estimateSchema>
export type Search = z.input<typeof questions.searchSchema>
export type Question = Omit<z.input<typeof questions.querySchema>, 'stream'>
export type Comparison = z.input<typeof questions.compareSchema>
export type ToClassify = z.input<typeof labels.classifySchema>
export type NewProbes = z.input<typeof probes.probesSchema>
export type NewHook = z.input<typeof hooks.hookSchema>
export type NewEndpoint = z.input<typeof endpoints.endpointSchema>
export type NewSource = z.input<typeof sources.sourceSchema>
/** A secret of one's own, and how long the old one is good. */
export type NewSecret = z.input<typeof endpoints.renewSchema>

export type Corpus = z.output<typeof corpora.corpus>
export type Document = z.output<typeof documents.document>
export type Put = z.output<typeof documents.put>
export type Patched = z.output<typeof documents.patched>
export type Batch = z.output<typeof documents.batch>
export type Deleted = z.output<typeof corpora.deleted>
export type Undeleted = z.output<typeof corpora.undeleted>
export type Accepted = z.output<typeof jobs.accepted>
export type Job = z.output<typeof jobs.job>
export type Receipt = z.output<typeof jobs.receipt>
export type Key = z.output<typeof keys.key>
export type KeysUsage = z.output<typeof usage.keysUsage>
export type MasterKey = z.output<typeof masterKey>
export type MintedKey = z.output<typeof keys.mintedKey>
export type Evidence = z.output<typeof questions.evidence>
export type Citation = z.output<typeof questions.citation>
export type SearchResult = z.output<typeof questions.searchResult>
export type QueryResult = z.output<typeof questions.queryResult>
export type CompareResult = z.output<typeof questions.compareResult>
export type Estimate = z.output<typeof estimates.estimate>
export type Label = z.output<typeof labels.label>
export type Classified = z.output<typeof labels.classified>
export type Neighbourhood = z.output<typeof graph.neighbourhood>
export type Nodes = z.output<typeof graph.nodes>
export type Node = z.output<typeof graph.node>
export type Imported = z.output<typeof lines.imported>
export type Layers = z.output<typeof graph.layers>
export type CommitReceipt = z.output<typeof receipts.commitReceipt>
export type CorpusUsage = z.output<typeof usage.corpusUsage>
export type CorpusHealth = z.output<typeof health.corpusHealth>
export type Probes = z.output<typeof probes.probes>
export type AuditEntry = z.output<typeof audit.auditEntry>
export type DeploymentEntry = z.output<typeof audit.deploymentEntry>
export type Pinned = z.output<typeof probes.pinned>
export type NameOperation = z.output<typeof names.nameOperation>
export type Decided = z.output<typeof names.decided>
export type Hook = z.output<typeof hooks.hook>
export type MadeHook = z.output<typeof hooks.shownHook>
export type Endpoint = z.output<typeof endpoints.endpoint>
export type MadeEndpoint = z.output<typeof endpoints.shownEndpoint>
export type Delivery = z.output<typeof endpoints.delivery>
export type Source = z.output<typeof sources.source>

export interface Page<T> {
  readonly data: readonly T[]
  readonly next_cursor: string | null
}
export interface Paging {
  readonly cursor?: string | undefined
  readonly limit?: number
}
