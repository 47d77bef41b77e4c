/** Receipts of commits: the chain by which an export can be verified. */

import { listOf } from '../../contract/pages'
import { commitReceipt } from '../../contract/receipts'
import { partitionsOf } from '../../corpus-uid'
import { type Ctx, objectOf } from '../context'
import { numberOf, optionalNumberOf, placeOf, withOpaqueCursor } from '../cursor'
import { cursor, limit, type WholeNumber, type WholeNumberWithDefault } from '../parameters'
import { Problem } from '../problem'
import { route } from '../route'

const after: WholeNumberWithDefault = {
  name: 'after',
  in: 'query',
  description: 'Only receipts of later versions.',
  schema: { type: 'integer', minimum: 0, default: 0 },
}
const partition: WholeNumber = {
  name: 'partition',
  in: 'query',
  description: 'In a corpus in partitions, only receipts of this one, counted from 0. By default one chain follows the other.',
  schema: { type: 'integer', minimum: 0 },
}

export const receiptRoutes = [
  route({
    method: 'get',
    path: '/v1/corpora/{corpus}/receipts',
    id: 'listReceipts',
    tag: 'jobs',
    summary: 'List the receipt of every commit, oldest first',
    description:
      'Each contains the hash of the one before and names the state it left, so that an export can be verified offline: `loam verify FILE`. Note the last `hash` elsewhere: a rewritten history cannot match it. In a corpus in partitions each has a chain and versions of its own; `after` holds for each.',
    access: ['read'],
    needsWholeSight: true,
    parameters: [after, partition, cursor, limit],
    answers: { 200: { description: 'A page of receipts.', schema: listOf(commitReceipt) } },
    problems: ['invalid'],
  }).answer(async (c) => {
    const { after: mark, limit } = placeOf(c)
    const from = numberOf(c, after)
    return { status: 200, body: withOpaqueCursor(await objectOf(c).receipts(mark === '' ? String(from) : mark, limit, partitionIn(c))) }
  }),
]

function partitionIn(c: Ctx): number | undefined {
  const named = optionalNumberOf(c, partition)
  const count = partitionsOf(c.get('corpus').uid)
  if (named === undefined || named < count) return named
  const errors = [{ path: 'partition', message: `must be below ${count}` }]
  throw new Problem('invalid', 'This corpus has no such partition.', { errors })
}
