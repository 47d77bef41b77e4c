/** What is answered when something is wrong. */
import { z } from 'zod'
import { json } from './fields'

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('What to branch on.'),
    detail: z.string(),
    request_id: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .catchall(json)
  .describe('RFC 9457. Quotes no document, no key and no message of a model.')
