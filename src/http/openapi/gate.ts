import { corpusHealth } from '../../contract/health'
import { pinned, probes, probesSchema } from '../../contract/probes'
import type { Operation } from './operation'

export const gateOperations: readonly Operation[] = [
  {
    method: 'put',
    path: '/v1/corpora/{corpus}/probes',
    id: 'putProbes',
    tag: 'corpora',
    summary: 'Pin questions with the documents that must answer them',
    description:
      'A reindex, rebuild or consolidation that would lose more than `tolerance` of a strategy’s recall@k is not promoted: its job fails and says so, and the graph that was served stays. Questions are embedded once. Takes the place of all that were pinned: send `If-Match` with the ETag of what you read, and nobody’s probe is lost to yours.',
    access: ['write'],
    parameters: [
      {
        name: 'If-Match',
        in: 'header',
        description: 'The ETag of the probes as you know them; 412 if others have been pinned since.',
        schema: { type: 'string' },
      },
    ],
    body: {
      schema: probesSchema,
      example: { probes: [{ query: 'Who built the mill?', expect: ['mill'] }], k: 10, tolerance: 0.02 },
    },
    answers: { 200: { description: 'Pinned.', schema: pinned, example: { count: 1, k: 10, tolerance: 0.02, revision: 'x5Vh…' } } },
    problems: ['model_unavailable', 'over_budget', 'precondition_failed'],
    repeatable: true,
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/probes',
    id: 'getProbes',
    tag: 'corpora',
    summary: 'The questions that are pinned, with what was found for each last',
    access: ['write'],
    answers: { 200: { description: 'What is pinned. Its ETag serves `If-Match`.', schema: probes } },
  },
  {
    method: 'get',
    path: '/v1/corpora/{corpus}/health',
    id: 'getHealth',
    tag: 'corpora',
    summary: 'The health of a corpus',
    description:
      'What the schedule has found: orphans, stale texts, drift, what the probes find, what a model’s outage has left, what the sinks have not been told.',
    access: ['read'],
    answers: { 200: { description: 'As the schedule left it, with what can be said at once.', schema: corpusHealth } },
  },
]
