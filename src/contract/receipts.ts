/** Receipts of commits. */
import { z } from 'zod'
import { count } from './fields'
import type { Immutable } from './immutable'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
export const commitReceipt = z
  .object({
    version: count,
    partition: count
      .optional()
      .describe('In a corpus in partitions: which one has it. Each has a chain of its own; `hash` does not cover this.'),
    at: count.describe('Milliseconds since 1970.'),
    jobs: z.array(z.string()).describe('The jobs it was for, at most twenty.'),
    touched: z
      .object({ documents: count, chunks: count, nodes: count, edges: count, other: count })
      .describe('How many were changed; `other` counts the object’s own indexes.'),
    change: hash.describe('`state` minus the `state` before, modulo 2²⁵⁶.'),
    state: hash.describe('The sum of the hashes of all rows in an export.'),
    hash: hash.describe('SHA-256 over the previous hash and this receipt. If one changes, all later ones are wrong.'),
  })
  .describe('What one commit touched, and the state it left.')

/** What one commit did, chained to all before it. The rows of an export can be added up offline and compared with the last `state`. */
export type CommitReceipt = Immutable<z.output<typeof commitReceipt>>
