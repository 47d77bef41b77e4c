import { corpusUsage, keysUsage } from '../../contract/usage'
import { cursor, limit, type Operation } from './operation'

const embed = { calls: 2, in: 0, out: 0, embedded: 10_912, usd: 0.00013, neurons: 11.9 }
const nothing = { calls: 0, in: 0, out: 0, embedded: 0, usd: 0, neurons: 0 }

const used = {
  id: '5d1c0f2a9b3e4c77',
  day: '2026-11-22',
  limits: { tokens_a_day: 200_000, requests_a_day: 1000 },
  requests: 41,
  tokens: 60_912,
  usd: 0.0041,
  held: { tokens: 0, usd: 0 },
  resets_at: '2026-11-23T00:00:00.000Z',
}

export const usageOperations: readonly Operation[] = [
  {
    method: 'get',
    path: '/v1/usage',
    id: 'getKeyUsage',
    tag: 'keys',
    summary: 'What keys have used of their day',
    description: 'A key sees its own figures; an admin key those of the keys it could make, too. Keys without limits are not counted.',
    access: 'key',
    parameters: [cursor, limit],
    answers: {
      200: {
        description: 'The figures of the day.',
        schema: keysUsage,
        example: { key: null, data: [used], next_cursor: null },
      },
    },
    problems: ['invalid'],
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/usage',
    id: 'getUsage',
    tag: 'corpora',
    summary: 'What a corpus has cost, in all, by stage and by document',
    description:
      'Updated with every commit. A deleted document’s cost stays in the sums, without its name. Documents are listed for keys that may read.',
    access: ['read', 'write'],
    parameters: [cursor, limit],
    answers: {
      200: {
        description: 'The sums, and a page of documents.',
        schema: corpusUsage,
        example: {
          total: embed,
          stages: { embed },
          rows_published: 412,
          shared: { ...nothing, stages: {} },
          budget: { tokens: 5_000_000 },
          held: { tokens: 0, usd: 0 },
          prices: {
            date: '2026-08-28',
            usd_per_million: { in: 0.051, out: 0.335, embedded: 0.012, reranked: 0.003 },
            usd_per_neuron: 0.000011,
          },
          key: null,
          data: [{ document: 'mill', ...embed, stages: { embed } }],
          next_cursor: null,
        },
      },
    },
    problems: ['invalid'],
  },
]
