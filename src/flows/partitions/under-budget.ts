/** A question to a corpus in partitions, and what it may spend: its walk reads the partitions, and the corpus's own object keeps the budget. */
import type { RetrieveRequest, RetrieveResult } from '../../ports/retrieval'
import type { Divided } from './part'
import { retrieveJointly } from './retrieve'

/** Meanwhile the whole's object sets aside what the question will probably call next. */
export async function retrieveUnderBudget({ whole, parts }: Divided, { hold, ...request }: RetrieveRequest): Promise<RetrieveResult> {
  const asked = hold && whole.reserve([hold]).catch(() => [false])
  const result = await retrieveJointly({ whole, parts }, request)
  if (result.kind !== 'evidence' && result.kind !== 'wanted') return result
  if (!asked) return result
  return { ...result, held: (await asked)[0] ? 'granted' : 'refused' }
}
