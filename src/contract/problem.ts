/** The answer when something is wrong. */
import { z } from 'zod'
import { json } from './fields'

/** The codes to branch on, each with its status. */
export const problemStatuses = {
  malformed_request: 400,
  unauthorized: 401,
  signature_invalid: 401,
  over_budget: 402,
  forbidden: 403,
  not_found: 404,
  corpus_not_found: 404,
  document_not_found: 404,
  file_not_found: 404,
  chunk_not_found: 404,
  job_not_found: 404,
  key_not_found: 404,
  hook_not_found: 404,
  endpoint_not_found: 404,
  delivery_not_found: 404,
  source_not_found: 404,
  label_not_found: 404,
  node_not_found: 404,
  filter_not_found: 404,
  decision_not_found: 404,
  question_not_found: 404,
  conversation_not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  corpus_deleted: 409,
  embedding_mismatch: 409,
  partitioned: 409,
  restoring: 409,
  point_in_time_unavailable: 409,
  version_not_reached: 409,
  idempotency_conflict: 409,
  idempotency_in_flight: 409,
  precondition_failed: 412,
  too_large: 413,
  corpus_full: 413,
  storage_full: 507,
  database_full: 507,
  index_full: 507,
  too_many_corpora: 507,
  no_database: 507,
  unsupported_media_type: 415,
  invalid: 422,
  malformed_json: 422,
  too_deep: 422,
  invalid_encoding: 422,
  unreadable_document: 422,
  strategy_not_enabled: 422,
  strategy_unavailable: 422,
  rate_limited: 429,
  key_limit: 429,
  internal: 500,
  unavailable: 503,
  master_key_changed: 503,
  overloaded: 503,
  behind: 503,
  model_unavailable: 503,
} as const

export type ProblemCode = keyof typeof problemStatuses

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('The code to branch on.'),
    detail: z.string(),
    request_id: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .catchall(json)
  .describe('RFC 9457. It quotes no document, no key and no model’s message.')
