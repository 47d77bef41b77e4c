/** Receipts of commits: the chain by which an export can be verified. */

import { listOf } from '../../contract/pages'
import { commitReceipt } from '../../contract/receipts'
import { objectOf } from '../context'
import { numberOf, placeOf, withOpaqueCursor } from '../cursor'
import { cursor, limit, type WholeNumberWithDefault } from '../parameters'
import { route } from '../route'

const after: WholeNumberWithDefault = {
  name: 'after',
  in: 'query',
  description: 'Only receipts of later versions.',
  schema: { type: 'integer', minimum: 0, default: 0 },
}

export const receiptRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/receipts',
    id: 'listReceipts',
    tag: 'jobs',
    summary: 'List the receipt of every commit, oldest first',
    description:
      'Each contains the hash of the one before and names the state it left, so that an export can be verified offline: `loam verify FILE`. Note the last `hash` elsewhere: a rewritten history cannot match it.',
    access: ['read'],
    needsWholeSight: true,
    parameters: [after, cursor, limit],
    answers: { 200: { description: 'A page of receipts.', schema: listOf(commitReceipt) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after: mark, limit } = placeOf(c)
    const from = numberOf(c, after)
    return { status: 200, body: withOpaqueCursor(await objectOf(c).receipts(mark === '' ? String(from) : mark, limit)) }
  }),
]
