import { auditEntry, deploymentEntry } from '../../contract/audit'
import { listOf } from '../../contract/pages'
import { cursor, limit, type Operation, type Parameter } from './operation'

const since: Parameter = {
  name: 'since',
  in: 'query',
  description: 'Only entries of this time or later (ISO 8601).',
  schema: { type: 'string', format: 'date-time' },
}
const format: Parameter = {
  name: 'format',
  in: 'query',
  description: '`jsonl`: all of it from the cursor on, an entry a line, streamed.',
  schema: { type: 'string', enum: ['json', 'jsonl'], default: 'json' },
}
const entry = {
  n: 7,
  at: '2026-11-21T09:00:00.000Z',
  key: '5d1c0f2a9b3e4c77',
  door: 'http' as const,
  action: 'document.put',
  document: 'mill',
  subject: null,
  outcome: 'done',
}
const minted = { at: entry.at, key: 'admin', door: 'http' as const, action: 'key.create', subject: '5d1c0f2a9b3e4c77', outcome: 'done' }

export const auditOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/audit',
    id: 'getAudit',
    tag: 'corpora',
    summary: 'Who did what to a corpus, newest first',
    description:
      'Every write, deletion and change of settings, webhooks, endpoints and sources, entered by the transaction that made it; reads where the corpus asks for them (`audit.reads`). Entries are never changed, and thrown away after `audit.days`. No text and no secret is in them.',
    access: ['admin'],
    parameters: [since, format, cursor, limit],
    answers: { 200: { description: 'A page of entries.', schema: listOf(auditEntry), example: { data: [entry], next_cursor: null } } },
    problems: ['invalid'],
  },
  {
    method: 'get',
    path: '/v1/audit',
    id: 'getDeploymentAudit',
    tag: 'keys',
    summary: 'Who made, limited, rotated and revoked keys, and made, deleted and undeleted corpora, newest first',
    description: 'Kept for 400 days. Needs an admin key for all corpora.',
    access: 'admin',
    parameters: [cursor, limit],
    answers: {
      200: { description: 'A page of entries.', schema: listOf(deploymentEntry), example: { data: [minted], next_cursor: null } },
    },
    problems: ['invalid'],
  },
]
