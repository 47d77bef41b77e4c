import { listOf } from '../../contract/pages'
import { commitReceipt } from '../../contract/receipts'
import { cursor, limit, type Operation, type Parameter } from './operation'

const after: Parameter = {
  name: 'after',
  in: 'query',
  description: 'Only those of later versions than this one.',
  schema: { type: 'integer', minimum: 0, default: 0 },
}

export const receiptOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/receipts',
    id: 'listReceipts',
    tag: 'jobs',
    summary: 'The receipt of every commit, oldest first',
    description:
      'Each is chained to the one before by a hash and names the state it left, so that an export can be verified offline: `loam verify FILE`. Note the last `hash` elsewhere, and no rewritten history fits it.',
    access: ['read'],
    parameters: [after, cursor, limit],
    answers: { 200: { description: 'A page of receipts.', schema: listOf(commitReceipt) } },
    problems: ['invalid'],
  },
]
