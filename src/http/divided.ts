/**
 * What a corpus in partitions supports. Everything else is refused by name before it is looked at: no part answers as if it were the
 * whole.
 */
import { partitionsOf } from '../corpus-uid'
import type { CorpusRecord } from '../ports/catalogue'
import type { Ctx } from './context'
import { Problem } from './problem'

export const dividedOperations: ReadonlySet<string> = new Set([
  'search',
  'query',
  'compare',
  'searchCorpora',
  'queryCorpora',
  'createChatCompletion',
  'createResponse',
  'createEmbedding',
  'mcp',
  'putFilter',
  'listFilters',
  'getFilter',
  'renameFilter',
  'deleteFilter',
  'putDocument',
  'addDocument',
  'listDocuments',
  'getDocument',
  'getDocumentFile',
  'patchDocument',
  'deleteDocument',
  'listChunks',
  'correctChunk',
  'listDocumentChanges',
  'listChanges',
  'batchDocuments',
  'estimateDocuments',
  'importCorpus',
  'getCorpus',
  'putCorpus',
  'deleteCorpus',
  'undeleteCorpus',
  'listJobs',
  'getJob',
  'cancelJob',
  'retryJob',
  'getUsage',
  'exportCorpus',
  'getHealth',
  'listReceipts',
  'listEntities',
  'getEntity',
  'getGraph',
  'listConversations',
  'getConversation',
  'renameConversation',
  'deleteConversation',
  'deleteConversations',
  'listQuestions',
  'forgetQuestions',
  'forgetQuestion',
  'getQuestionReport',
  'giveFeedback',
  'getAlerts',
  'putAlerts',
  'testAlerts',
  'createEndpoint',
  'listEndpoints',
  'getEndpoint',
  'deleteEndpoint',
  'rotateEndpoint',
  'listDeliveries',
  'redeliver',
  'getAudit',
  'reindexCorpus',
  'consolidateCorpus',
  'rebuildCorpus',
  'detectLanguages',
  'createHook',
  'listHooks',
  'getHook',
  'rotateHook',
  'deleteHook',
])

export function refuseDivided(c: Ctx, record: CorpusRecord): void {
  if (partitionsOf(record.uid) > 1 && !dividedOperations.has(c.get('operation')?.id ?? '')) throw partitioned()
}

export const partitioned = (): Problem =>
  new Problem('partitioned', 'A corpus in partitions does not support this (docs/partitions.md, "What is refused").')
