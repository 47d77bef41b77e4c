/** Every route answers as the reference says, no more and no less. One corpus, every operation at least once. */
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { operations } from '../../src/http/routes'
import { pdf, shown } from '../node/http/pdf-bytes'
import { indexed } from './corpora'
import { app, call, called, name } from './described'
import { ended } from './waiting'

async function done(job: string): Promise<void> {
  const { status } = await ended(job, async () => {
    await indexed() // a job that forgets a corpus waits for the index
    return call('getJob', { path: { job }, query: '?wait=10' })
  })
  expect(status).toBe('succeeded')
}

const text = 'Bread is baked in the old mill on Tuesdays. Otto Brandt runs the mill. Otto Brandt sings.'

describe('the routes and their descriptions', () => {
  it('[D7] corpora, documents and jobs', async () => {
    await call('putCorpus', { body: { strategies: ['erarag', 'cluerag', 'gorag'] } })
    await call('putCorpus', { body: {} })
    const { job } = await call('putDocument', { path: { document: 'a/b' }, body: { text, title: 'The mill', metadata: { year: 1912 } } })
    await done(job)
    await call('putDocument', { path: { document: 'a/b' }, body: { text, title: 'The mill', metadata: { year: 1912 } } })
    const added = await call('addDocument', { body: { text: 'Ships leave at dawn.' } })
    await done(added.job)
    const batch = await call('batchDocuments', {
      body: { upserts: [{ id: 'c', text: 'The lighthouse is red.' }], deletes: [added.document] },
    })
    await done(batch.job)
    await call('batchDocuments', { body: { upserts: [{ id: 'c', text: 'The lighthouse is red.' }] } })
    await call('listDocuments')
    await call('patchDocument', { path: { document: 'a/b' }, body: { access: ['group:millers'] } })
    await call('getDocument', { path: { document: 'a/b' } })
    expect((await call('listChunks', { path: { document: 'a/b' } })).data).toMatchObject([{ ordinal: 0, start: 0, end: text.length, text }])
    const [listed] = (await call('listChunks', { path: { document: 'a/b' } })).data
    const { chunk } = listed
    expect(await call('correctChunk', { path: { document: 'a/b', chunk }, body: { text } })).toMatchObject({ status: 'unchanged' })
    const correction = await call('correctChunk', { path: { document: 'a/b', chunk }, body: { text: text.replace('old', 'new') } })
    await done(correction.job)
    expect(
      (await call('putDocument', { path: { document: 'a/b' }, body: { text, title: 'The mill', metadata: { year: 1912 } } })).correction,
    ).toBe('kept')
    await call('listDocumentChanges', { path: { document: 'a/b' } })
    expect(await call('listChanges', { query: '?since=2026-01-01' })).toEqual({ data: [], next_cursor: null, days: 30 })
    await call('patchDocument', { path: { document: 'a/b' }, body: { access: [] } })
    const content = { content_base64: btoa(String.fromCharCode(...pdf([shown('An owl hunts.')]))), content_type: 'application/pdf' }
    await done((await call('putDocument', { path: { document: 'c' }, body: content })).job)
    expect((await call('getDocument', { path: { document: 'c' } })).file.media_type).toBe('application/pdf')
    expect(await call('getDocumentFile', { path: { document: 'c' } })).toMatch(/^%PDF-/)
    await done((await call('deleteDocument', { path: { document: 'c' } })).job)
    await call('estimateDocuments', { body: { documents: [{ text }] } })
    await call('getCorpus')
    await call('listCorpora')
    await call('listJobs')
    await call('listReceipts')
    await call('putProbes', { body: { probes: [{ query: 'When is bread baked?', expect: ['a/b'] }] } })
    await call('getProbes')
    await call('getHealth')
    await call('getAudit', { query: '?limit=5' })
    await call('getMigration', { query: '?embedding_model=hash-before' })
    const { job: move } = await call('migrateCorpus', { body: { embedding_model: 'hash-before' } })
    await call('cancelJob', { path: { job: move } })

    const { job: told } = await call('patchDocument', { path: { document: 'a/b' }, body: { language: 'sv' } })
    await done(told)
    expect((await call('getDocument', { path: { document: 'a/b' } })).language).toBe('sv')
    await done((await call('detectLanguages')).job)
    for (const upkeep of ['consolidateCorpus', 'reindexCorpus', 'rebuildCorpus']) {
      const { job } = await call(upkeep, { body: {} })
      await done(job)
      await call('cancelJob', { path: { job } })
      await call('retryJob', { path: { job } })
    }
  })

  it('[D7] questions, labels and the graph', async () => {
    const query = 'When is bread baked?'
    await call('search', { body: { query, strategy: 'cluerag', trace: true } })
    await call('search', { body: { query, strategy: 'auto' } })
    await call('query', { body: { query, strategy: 'erarag' } })
    await call('searchCorpora', { body: { query, corpora: [name], min_version: { [name]: 1 }, trace: true } })
    await call('queryCorpora', { body: { query, corpora: [name] } })
    expect((await call('putAlerts', { body: { conditions: ['job_failed', 'budget_100'] } })).raised).toEqual([])
    expect((await call('getAlerts')).source_failures).toBe(3)
    await call('testAlerts')
    const { conversation } = await call('query', { body: { query, strategy: 'keyword', store: true } })
    const about = { path: { conversation: conversation.id } }
    await call('query', { body: { query: 'And where?', strategy: 'keyword', conversation: conversation.id } })
    expect((await call('listConversations')).data[0]).toMatchObject({ id: conversation.id, title: query, turns: 2 })
    await call('renameConversation', { ...about, body: { title: 'Bread' } })
    expect((await call('getConversation', about)).data.map((one: { question: string }) => one.question)).toEqual([query, 'And where?'])
    await call('deleteConversation', about)
    await call('deleteConversations')
    await call('putCorpus', { body: { audit: { questions: 'full' } } })
    await vi.waitFor(async () => expect((await call('query', { body: { query, strategy: 'keyword' } })).question_id).toMatch(/^q_/), 15_000)
    const { question_id: asked } = await call('query', { body: { query: 'Who sells zebras?', strategy: 'keyword' } })
    await vi.waitFor(async () => expect((await call('listQuestions')).data[0].id).toBe(asked), 10_000)
    await call('giveFeedback', { body: { question: asked, rating: 'bad', comment: 'No zebras.' } })
    expect((await call('getQuestionReport')).data[0]).toMatchObject({ question: 'Who sells zebras?', bad: 1 })
    await call('forgetQuestion', { path: { question: asked } })
    await call('forgetQuestions')
    await call('putCorpus', { body: { audit: { questions: 'none' } } })
    await call('putFilter', { path: { filter: 'a year' }, body: { metadata: { year: 1912 }, document: ['a/b'] } })
    await call('getFilter', { path: { filter: 'a year' } })
    await call('listFilters')
    await call('search', { body: { query, filters: { saved: 'a year' } } })
    await call('renameFilter', { path: { filter: 'a year' }, body: { to: 'another' } })
    await call('deleteFilter', { path: { filter: 'another' } })
    await call('compare', { body: { query, strategies: ['hybrid', 'cluerag', 'archrag'] } })
    await call('putLabel', { path: { label: 'baking' }, body: { description: 'bread', examples: ['The oven is lit.'] } })
    await call('putLabel', { path: { label: 'ships' }, body: { examples: ['Ships leave at dawn.'] } })
    await call('listLabels')
    const { learned } = await call('classify', { body: { text: 'Bread from the oven', learn: true } })
    if (learned) await call('unlearn', { path: { learned: learned.id } })
    else called.add('unlearn')
    await call('unlearnSince', { query: '?since=2026-01-01T00:00:00Z' })
    const { data } = await call('listEntities', { query: '?q=otto' })
    await call('getGraph', { query: `?node=${data[0].id}&depth=2` })
    await call('getGraph')
    expect((await call('proposeOntology', { body: {} })).by).toBe('counts') // there is no text model here
    const headers = { authorization: 'Bearer local-development-key', 'content-type': 'application/json' }
    const guided = await app.fetch(`https://loam.test/v1/corpora/${name}/guidance:propose`, { method: 'POST', headers, body: '{}' })
    expect([guided.status, ((await guided.json()) as { code: string }).code]).toEqual([409, 'conflict'])
    called.add('proposeGuidance')
    await call('listSegments')
    await call('listSegments', { query: '?layer=1' })
    await call('listCommunities')
    await call('deleteLabel', { path: { label: 'ships' } })
    await call('getUsage')
  })

  it('[D7] decisions about names', async () => {
    const corpus = `${name}-names`
    const there = { corpus }
    await call('putCorpus', { path: there, body: { strategies: ['archrag'], undelete_seconds: 600 } })
    const { job } = await call('putDocument', {
      path: { ...there, document: 'a' },
      body: { text: `${text} Herr Brandt owns Otto Mill. Vera Holm lives in Tallinn.` },
    })
    await ended(job, () => call('getJob', { path: { ...there, job }, query: '?wait=10' }))
    const [one, other] = (await call('listEntities', { path: there })).data
    expect(await call('getEntity', { path: { ...there, entity: one.id } })).toMatchObject({ name: one.text, documents: ['a'], types: [] })
    const lives = await call('addEntity', { path: there, body: { name: 'lives' } })
    await call('deleteDecision', { path: { ...there, decision: String(lives.decision) } })
    await call('mergeEntity', { path: { ...there, entity: one.id }, body: { with: other.id } })
    expect((await call('listMerges', { path: there })).data).toHaveLength(0)
    expect((await call('listDecisions', { path: there })).data).toHaveLength(1)
    await call('unmergeEntity', { path: { ...there, entity: one.id }, body: {} })
    await call('renameEntity', { path: { ...there, entity: one.id }, body: { name: 'Another' } })
    await call('pinEntity', { path: { ...there, entity: one.id }, body: {} })
    await call('splitEntity', { path: { ...there, entity: other.id }, body: { documents: ['a'], name: 'A part' } })
    const listed = (await call('listEntities', { path: there })).data as { id: string; text: string }[]
    const [first = { id: '' }, second = { id: '' }] = listed
    const ends = { source: first.id, target: second.id }
    const { decision } = await call('addRelation', { path: there, body: { ...ends, description: 'knows' } })
    await call('deleteDecision', { path: { ...there, decision: String(decision) } })
    const [vera, tallinn] = ['Vera Holm', 'Tallinn'].map((named) => listed.find((one) => one.text === named)?.id)
    await call('removeRelation', { path: there, body: { source: vera, target: tallinn } })
    await call('hideEntity', { path: { ...there, entity: first.id }, body: {} })
    await call('deleteCorpus', { path: there })
    await call('undeleteCorpus', { path: there })
    await call('deleteCorpus', { path: there, query: '?at_once=true' })
  })

  it('[D7] exports and imports', async () => {
    const lines = await call('exportCorpus')
    expect(JSON.parse(lines.trim().split('\n').at(-1))).toMatchObject({ type: 'end', counts: { document: 1, label: 1 } })
    const again = await call('importCorpus', { body: lines })
    expect(again).toMatchObject({ documents: 1, unchanged: 1, labels: 1, job: null })
    const more = await call('importCorpus', { body: '{"type":"document","id":"d","text":"A bridge is built."}\n{"type":"node"}\n' })
    await done(more.job)
    const backup = await call('backupCorpus')
    const there = { corpus: 'restored-doors' }
    const back = await call('restoreCorpus', { path: there, body: backup })
    expect(back.status).toBe('restored')
    expect((await call('getRestore', { path: there })).state).toBe(back.state)
    await call('deleteCorpus', { path: there, query: '?at_once=true' })
    const divided = { corpus: 'divided-doors' }
    await call('putCorpus', { path: divided, body: { partitions: 2 } })
    await call('getRepartition', { path: divided, query: '?partitions=3' })
    const { job: change } = await call('repartitionCorpus', { path: divided, body: { partitions: 3 } })
    await call('cancelJob', { path: { ...divided, job: change } })
    await call('deleteCorpus', { path: divided, query: '?at_once=true' })
    // workerd remembers no earlier state of an object, and that is said before anything is closed.
    const headers = { authorization: 'Bearer local-development-key', 'content-type': 'application/json' }
    const body = JSON.stringify({ time: new Date(Date.now()).toISOString() })
    const refused = await app.fetch(`https://loam.test/v1/corpora/${name}:restore-to`, { method: 'POST', headers, body })
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'point_in_time_unavailable'])
    const never = await app.fetch(`https://loam.test/v1/corpora/${name}/restore-to`, { headers })
    expect([never.status, await never.text()]).toEqual([404, expect.stringContaining('has never been restored')])
    for (const id of ['restoreCorpusTo', 'getRestoreTo']) called.add(id)
  })

  it('[D7] keys, the service and the doors for others', async () => {
    const { id } = await call('mintKey', { body: { name: 'k', scopes: ['read'], corpora: [name] } })
    await call('listKeys')
    await call('getOwnKey')
    await call('rotateKey', { path: { key: id }, body: { overlap: 0 } })
    await call('limitKey', { path: { key: id }, body: { limits: { requests_a_day: 10 } } })
    await call('getKeyUsage')
    expect((await call('getKeyUsage', { query: `?by=key,day&corpus=${name}` })).costs).toEqual(expect.any(Array))
    await call('getDeploymentAudit')
    await call('getMasterKey')
    await call('reseal')
    await call('revokeKey', { path: { key: id } })
    await call('health', { key: null })
    await call('readiness', { key: null })
    expect(await call('getMetrics', { query: `?corpus=${name}` })).toContain(`loam_documents{corpus="${name}"}`)
    expect(JSON.parse(await call('openapi', { key: null })).openapi).toMatch(/^3\.1\./)
    expect(await call('docs', { key: null })).toContain('redoc')
    await call('listModels')
    await call('getModel', { path: { model: `${name}:hybrid` } })
    await call('createChatCompletion', { body: { model: name, messages: [{ role: 'user', content: 'When is bread baked?' }] } })
    await call('createResponse', { body: { model: name, input: 'When is bread baked?' } })
    await call('createEmbedding', { body: { model: name, input: ['When is bread baked?'] } })
    const accept = { accept: 'application/json, text/event-stream' }
    const tools = await call('mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers: accept })
    expect(tools).toContain('list_corpora')
    await call('getMcp', { headers: { accept: 'text/event-stream' } })
    await call('deleteMcp')
  })

  it('[D7] webhooks', async () => {
    const { hook, secret } = await call('createHook', { body: { preset: 'standard' } })
    await call('listHooks')
    await call('getHook', { path: { hook } })
    const body = JSON.stringify({ id: 'e', text: 'A bell is cast.' })
    const now = new Date()
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', now, body),
    }
    const taken = await call('receiveEvent', { path: { hook }, key: null, body, headers })
    await call('receiveEvent', { path: { hook }, key: null, body, headers })
    await done(taken.job)
    await call('rotateHook', { path: { hook }, body: {} })
    await call('deleteHook', { path: { hook } })
  })

  it('[D7] endpoints and sources', async () => {
    const internet = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      const found = String(input).startsWith('https://cloudflare-dns.com/')
      return found ? Response.json({ Status: 0, Answer: [{ type: 1, data: '93.184.216.34' }] }) : new Response(null, { status: 404 })
    })
    const { endpoint } = await call('createEndpoint', { body: { url: 'https://doors.example/in' } })
    await call('listEndpoints')
    await call('getEndpoint', { path: { endpoint } })
    await done((await call('putDocument', { path: { document: 'told' }, body: { text: 'A bell is told of.' } })).job)
    const { data } = await call('listDeliveries', { path: { endpoint }, query: '?limit=5' })
    await call('redeliver', { path: { delivery: data[0].delivery } })
    await call('rotateEndpoint', { path: { endpoint }, body: {} })
    await call('deleteEndpoint', { path: { endpoint } })
    const { source } = await call('createSource', { body: { url: 'https://doors.example/page', every: '1h', metadata: { a: [1] } } })
    await call('listSources')
    await call('getSource', { path: { source } })
    await call('fetchSource', { path: { source } })
    const locked = { kind: 'github', url: 'https://github.com/reeds/doors', every: '1d', token: 'github_pat_1' }
    const repository = await call('createSource', { body: locked })
    await call('rotateSource', { path: { source: repository.source }, body: { token: 'github_pat_2' } })
    await call('deleteSource', { path: { source } })
    const map = await call('createSource', { body: { kind: 'sitemap', url: 'https://doors.example/sitemap.xml', every: '1d' } })
    await call('listSourceItems', { path: { source: map.source }, query: '?limit=5' })
    await call('deleteSource', { path: { source: map.source }, query: '?documents=delete' })
    internet.mockRestore()
  })

  it('[D8] the reference page lets nothing be fetched from elsewhere', async () => {
    const response = await app.fetch('https://loam.test/docs')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect([policy.startsWith("default-src 'none'"), /https?:/.test(policy)]).toEqual([true, false])
    expect(await response.text()).not.toMatch(/(?:src|href|spec-url)="(?:https?:)?\/\//)
  })

  it('[D7] and at last the corpus goes', async () => {
    await done((await call('deleteCorpus')).job)
  })
})

afterAll(() => {
  expect(operations.map((one) => one.id).filter((id) => !called.has(id))).toEqual([])
})
