/** Every operation of the reference has a method of the client, or a reason why not. */
import { expect, it } from 'vitest'
import { type CorpusClient, Loam } from '../../../src/client/client'
import { callOperations, fetchOperations } from '../../../src/client/operations'
import { operations } from '../../../src/http/routes'

/** Left out on purpose. */
const WITHOUT = {
  receiveEvent: 'is sent by other systems, which sign and have no key',
  getModel: 'is OpenAI’s interface, which has clients of its own',
  createChatCompletion: 'is OpenAI’s interface, which has clients of its own',
  createResponse: 'is OpenAI’s interface, which has clients of its own',
  createEmbedding: 'is OpenAI’s interface, which has clients of its own',
  mcp: 'is a protocol, which has clients of its own',
  getMcp: 'always answers that there is nothing',
  deleteMcp: 'always answers that there is nothing',
  openapi: 'is for machines that make clients',
  docs: 'is a page for people',
} as const

type Act = (corpus: CorpusClient, loam: Loam) => unknown

const BY: { readonly [id: string]: Act } = {
  search: (c) => c.search({ query: 'q' }),
  query: (c) => c.query({ query: 'q' }),
  searchCorpora: (_, loam) => loam.search({ query: 'q', corpora: ['a', 'b'] }),
  queryCorpora: (_, loam) => loam.query({ query: 'q', corpora: ['a', 'b'] }),
  compare: (c) => c.compare({ query: 'q', strategies: ['hybrid', 'keyword'] }),
  getAlerts: (c) => c.alerts.get(),
  putAlerts: (c) => c.alerts.put({ conditions: ['job_failed'] }),
  testAlerts: (c) => c.alerts.test(),
  listConversations: (c) => c.conversations.list(),
  getConversation: (c) => c.conversations.get('conv_1'),
  renameConversation: (c) => c.conversations.rename('conv_1', 'Bread'),
  deleteConversation: (c) => c.conversations.delete('conv_1'),
  deleteConversations: (c) => c.conversations.deleteAll(),
  listQuestions: (c) => c.queryLog.list({ outcome: 'refused', rating: 'bad' }),
  forgetQuestions: (c) => c.queryLog.forgetAll(),
  forgetQuestion: (c) => c.queryLog.forget('q_0f8fad5bd9cb469fa16570867728950e'),
  getQuestionReport: (c) => c.queryLog.report('2026-11-21T09:00:00Z'),
  giveFeedback: (c) => c.queryLog.rate({ question: 'q_0f8fad5bd9cb469fa16570867728950e', rating: 'bad', wrong_citations: [1] }),
  renameFilter: (c) => c.filters.rename('x', 'y'),
  putFilter: (c) => c.filters.put('x', { metadata: { lang: 'en' } }),
  listFilters: (c) => c.filters.list(),
  getFilter: (c) => c.filters.get('x'),
  deleteFilter: (c) => c.filters.remove('x'),
  putLabel: (c) => c.putLabel('x', { description: 'd', examples: ['e'] }),
  listLabels: (c) => c.labels(),
  deleteLabel: (c) => c.removeLabel('x'),
  classify: (c) => c.classify({ text: 't' }),
  unlearn: (c) => c.unlearn('x'),
  unlearnSince: (c) => c.unlearnSince('2026-11-21T09:00:00.000Z'),
  getGraph: (c) => c.graph({ node: 'x' }),
  listEntities: (c) => c.entities({ q: 'x' }),
  proposeOntology: (c) => c.proposeOntology({ by: 'counts' }),
  proposeGuidance: (c) => c.proposeGuidance({ examples: 0 }),
  listSegments: (c) => c.layers('segments'),
  listCommunities: (c) => c.layer('communities', 1, { limit: 5 }),
  exportCorpus: (c) => c.export(),
  backupCorpus: (c) => c.backup(),
  restoreCorpus: (c) => c.restorePart(JSON.stringify({ type: 'part', backup: 'b', part: 2, before: 'a'.repeat(64) })),
  getRestore: (c) => c.restored(),
  restoreCorpusTo: (c) => c.recoveryEstimate('2026-11-21T09:00:00.000Z'),
  getRestoreTo: (c) => c.recovery(),
  listMerges: (c) => c.names.merges({ limit: 5 }),
  mergeEntity: (c) => c.names.merge('x', 'y'),
  splitEntity: (c) => c.decisions.split('x', { documents: ['d'], name: 'X' }),
  renameEntity: (c) => c.decisions.rename('x', 'X'),
  addEntity: (c) => c.decisions.add({ name: 'glass furnace' }),
  hideEntity: (c) => c.decisions.hide('x'),
  pinEntity: (c) => c.decisions.pin('x'),
  addRelation: (c) => c.decisions.addRelation({ source: 'x', target: 'y', description: 'knows' }),
  removeRelation: (c) => c.decisions.removeRelation('x', 'y'),
  listDecisions: (c) => c.decisions.list({ limit: 5 }),
  deleteDecision: (c) => c.decisions.undo(1),
  unmergeEntity: (c) => c.names.unmerge('x', 'y'),
  putDocument: (c) => c.put('x', 't'),
  addDocument: (c) => c.add({ text: 't' }),
  batchDocuments: (c) => c.batch({ upserts: [{ id: 'x', text: 't' }], deletes: ['y'] }),
  listDocuments: (c) => c.documents().next(),
  getDocument: (c) => c.document('x'),
  getDocumentFile: (c) => c.file('x'),
  getEntity: (c) => c.entity('x'),
  listChunks: (c) => c.chunks('x', { limit: 5 }),
  correctChunk: (c) => c.correctChunk('x', 'y', { text: 't' }),
  listChanges: (c) => c.changes({ since: '2026-11-01' }),
  listDocumentChanges: (c) => c.changes({ document: 'x', limit: 5 }),
  patchDocument: (c) => c.setActive('x', false),
  deleteDocument: (c) => c.remove('x'),
  estimateDocuments: (c) => c.estimate({ documents: [{ text: 't' }] }),
  importCorpus: (c) => c.import('{"type":"document","id":"x","text":"t"}'),
  listCorpora: (_, loam) => loam.corpora(),
  getCorpus: (c) => c.info(),
  putCorpus: (c) => c.create({ strategies: ['erarag'] }),
  deleteCorpus: (c) => c.drop(),
  undeleteCorpus: (c) => c.undelete(),
  reindexCorpus: (c) => c.upkeep('reindex'),
  consolidateCorpus: (c) => c.upkeep('consolidate'),
  rebuildCorpus: (c) => c.upkeep('rebuild'),
  detectLanguages: (c) => c.detectLanguages(),
  getMigration: (c) => c.migration(),
  migrateCorpus: (c) => c.migrate(),
  getRepartition: (c) => c.repartitionEstimate(4),
  repartitionCorpus: (c) => c.repartition(4),
  listJobs: (c) => c.jobs(),
  getJob: (c) => c.job('x'),
  cancelJob: (c) => c.cancel('x'),
  retryJob: (c) => c.retry('x'),
  mintKey: (_, loam) => loam.mintKey({ name: 'n', scopes: ['read'], corpora: ['a'] }),
  listKeys: (_, loam) => loam.keys(),
  getOwnKey: (_, loam) => loam.ownKey(),
  listModels: (_, loam) => loam.models(),
  rotateKey: (_, loam) => loam.rotateKey('x', { overlap: 0 }),
  revokeKey: (_, loam) => loam.revokeKey('x'),
  limitKey: (_, loam) => loam.limitKey('x', { requests_a_day: 1 }),
  getMasterKey: (_, loam) => loam.masterKey(),
  reseal: (_, loam) => loam.reseal(),
  getMetrics: (_, loam) => loam.metrics({ corpora: 1 }),
  getKeyUsage: (_, loam) => loam.keyUsage(),
  createHook: (c) => c.hooks.create({ preset: 'generic', mapping: { id: '/id', text: '/body' } }),
  listHooks: (c) => c.hooks.list({ limit: 5 }),
  getHook: (c) => c.hooks.get('x'),
  deleteHook: (c) => c.hooks.remove('x'),
  rotateHook: (c) => c.hooks.rotate('x', { overlap: 0 }),
  createEndpoint: (c) => c.endpoints.create({ url: 'https://example.org/in', events: ['document.ready'] }),
  listEndpoints: (c) => c.endpoints.list(),
  getEndpoint: (c) => c.endpoints.get('x'),
  deleteEndpoint: (c) => c.endpoints.remove('x'),
  rotateEndpoint: (c) => c.endpoints.rotate('x'),
  listDeliveries: (c) => c.endpoints.deliveries('x', { status: 'dead' }),
  redeliver: (c) => c.endpoints.redeliver('x'),
  createSource: (c) => c.sources.create({ url: 'https://example.org/handbook', every: '1d' }),
  listSources: (c) => c.sources.list({ limit: 5 }),
  getSource: (c) => c.sources.get('x'),
  deleteSource: (c) => c.sources.remove('x'),
  rotateSource: (c) => c.sources.rotate('x', { token: 'github_pat_1' }),
  fetchSource: (c) => c.sources.fetch('x'),
  listSourceItems: (c) => c.sources.items('x', { limit: 5, status: 'failing' }),
  getUsage: (c) => c.usage(),
  getAudit: (c) => c.audit({ since: '2026-11-21T00:00:00Z', limit: 5 }),
  getDeploymentAudit: (_, loam) => loam.audit({ limit: 5 }),
  listReceipts: (c) => c.receipts({ after: 3, limit: 5 }),
  putProbes: (c) => c.pinProbes({ probes: [{ query: 'q', expect: ['x'] }] }),
  getProbes: (c) => c.probes(),
  getHealth: (c) => c.health(),
  health: (_, loam) => loam.health(),
  readiness: (_, loam) => loam.readiness(),
}

it('[D17] every operation of the reference has a method of the client, but for those left out with a reason', () => {
  const ids = operations.map(({ id }) => id)
  expect(ids.filter((id) => !(id in BY) && !(id in WITHOUT))).toEqual([])
  expect([...Object.keys(BY), ...Object.keys(WITHOUT)].filter((id) => !ids.includes(id))).toEqual([])
})

/** What comes line by line. */
const LINES: ReadonlySet<string> = new Set(['exportCorpus', 'backupCorpus'])

it.each(Object.entries(BY))('[D17] %s is asked as the reference describes it', async (id, act) => {
  const [operation] = operations.filter((one) => one.id === id)
  const asked: Request[] = []
  const fetch = async (request: Request): Promise<Response> => {
    asked.push(request)
    const [status] = Object.keys(operation?.answers ?? {}).map(Number)
    if (LINES.has(id)) return new Response('', { headers: { 'content-type': 'application/x-ndjson' } })
    return status === 204 ? new Response(null, { status }) : Response.json({ data: [], next_cursor: null }, { status: status ?? 200 })
  }
  const loam = new Loam({ url: 'https://loam.test', key: 'k', fetch, retries: 0 })
  await act(loam.corpus('a'), loam)
  const [request] = asked
  const { pathname, searchParams } = new URL(request?.url ?? '')
  const path = new RegExp(`^${(operation?.path ?? '').replace(/\{\w+\}/g, '[^/:]+')}$`)
  expect([request?.method.toLowerCase(), path.test(pathname)]).toEqual([operation?.method, true])
  const described = (operation?.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
  expect([...searchParams.keys()].filter((name) => !described.includes(name))).toEqual([])
  const sent = (await request?.text()) ?? ''
  if (operation?.body) expect(operation.body.schema?.safeParse(JSON.parse(sent)).error?.issues ?? []).toEqual([])
  else expect(sent).toBe('')
})

it('[H251] a call of an operation that is none, or without a part of its path, or with a parameter it lacks, does not compile', async () => {
  const sent: string[] = []
  const call = callOperations(
    fetchOperations<'corpus'>(
      async (method, path) => {
        sent.push(`${method} ${path}`)
        return Response.json({})
      },
      { corpus: 'a' },
    ),
  )
  await call('getJob', { path: { job: 'x/y' }, query: { wait: 1 } })
  await call('reindexCorpus')
  // @ts-expect-error there is no such operation
  await expect(call('getJobs')).rejects.toThrow()
  // @ts-expect-error the job is missing
  await call('getJob')
  // @ts-expect-error the job is missing
  await call('getJob', { path: { id: 'x' } })
  // @ts-expect-error it has no such parameter
  await call('getJob', { path: { job: 'x' }, query: { limit: 1 } })
  expect(sent.slice(0, 2)).toEqual(['GET /v1/corpora/a/jobs/x%2Fy', 'POST /v1/corpora/a:reindex'])
})
