/** What a page says when something stands in the way, and where it leads then. */
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { faults } from './faults'
import { adminKey, api, closeWindows, drop, looks, signIn, url, type Visit, visit } from './visit'

const [, , look] = looks
const CORPUS = 'advised'
const NOTHING = { in: 0, out: 0, embedded: 0 }
const job = (id: string, more: object) => ({ job: id, kind: 'ingest', progress: { done: 0, total: 1 }, usage: NOTHING, ...more })

afterAll(closeWindows)

describe('advice', () => {
  let visitor: Visit
  beforeAll(async () => {
    if (!look) throw new Error('there is a look')
    visitor = await visit({ ...look, name: CORPUS })
    await api('PUT', `/v1/corpora/${CORPUS}`, { strategies: ['erarag'] })
    const text = 'Greta Holm planted the oak by the mill. Greta Holm also dug the well. The well never ran dry.'
    const { job: made } = await api('PUT', `/v1/corpora/${CORPUS}/documents/note`, { text })
    await api('GET', `/v1/corpora/${CORPUS}/jobs/${made}?wait=30`)
    await signIn(visitor, adminKey)
  })
  afterAll(() => visitor.close())

  it('[W60] a job says in words what stands in its way, and what to do; it is tried again or given up', async () => {
    visitor.provokes('404 /v1/corpora/advised/jobs/j_down')
    const { page, go, picture } = visitor
    const states = [
      job('j_down', { status: 'failed', error: 'down' }),
      job('j_refused', { status: 'failed', kind: 'rebuild', error: 'refused: recall@10 of erarag would fall from 1.000 to 0.500' }),
      job('j_paused', { status: 'paused_budget' }),
    ]
    const acted: string[] = []
    await page.route('**/jobs?*', (route) => route.fulfill({ json: { data: states, next_cursor: null } }))
    await page.route('**/jobs/j_*', (route) => {
      const { pathname } = new URL(route.request().url())
      if (route.request().method() === 'POST') acted.push(pathname.split('/').at(-1) ?? '')
      const [id = ''] = pathname.split('/').at(-1)?.split(':') ?? []
      return route.fulfill({ json: job(id, { status: id === 'j_down' ? 'succeeded' : 'cancelled' }) })
    })
    await go(`c/${CORPUS}`)
    const work = page.getByRole('region', { name: 'Latest work' })
    await work.getByText('the model could not be reached; try again').waitFor()
    await work.getByRole('button', { name: /rebuild/ }).click()
    await work.getByText('recall@10 of erarag would fall from 1.000 to 0.500').waitFor()
    expect(await work.getByRole('link', { name: 'What the probes found' }).getAttribute('href')).toContain('view=probes')
    await work.getByRole('button', { name: /paused: budget/ }).click()
    await work.getByRole('link', { name: 'Raise it' }).waitFor()
    expect(await faults(page)).toEqual([])
    await picture('1-jobs')
    await work.getByRole('button', { name: 'Cancel it' }).click()
    await expect.poll(() => acted).toEqual(['j_paused:cancel'])
    await work
      .getByRole('button', { name: /failed/ })
      .first()
      .click()
    await work.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => acted).toEqual(['j_paused:cancel', 'j_down:retry'])
    await page.unroute('**/jobs?*')
    await page.unroute('**/jobs/j_*')
  })

  it('[W3] a corpus of a name that is there is not made again, nor changed', async () => {
    const { page, go } = visitor
    await go('')
    await page.getByLabel('Name', { exact: true }).fill(CORPUS)
    await page.getByLabel('Default strategies').uncheck()
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(`There is a corpus “${CORPUS}” already.`).waitFor()
    const { strategies } = await api('GET', `/v1/corpora/${CORPUS}`)
    expect(strategies).toEqual(['erarag'])
  })

  it('[W60] a fault comes with what to do about it', async () => {
    visitor.provokes('403 /v1/corpora/advised/search')
    const { page, go } = visitor
    await page.route('**/search', (route) =>
      route.fulfill({ status: 403, json: { code: 'forbidden', detail: 'This key lacks the scope read.' } }),
    )
    await go(`c/${CORPUS}/checks?view=probes`)
    await page.getByLabel('Question', { exact: true }).fill('Who dug the well?')
    await page.getByRole('button', { name: 'See what it finds now' }).click()
    await page.getByText('This key lacks the scope read. Sign in with a key that has this right').waitFor()
    await page.unroute('**/search')
  })

  it('[W2] questions to begin with are about what the documents name', async () => {
    const { page, go, picture } = visitor
    await go(`c/${CORPUS}/ask`)
    await page.getByRole('button', { name: 'What is said about Greta Holm?' }).click()
    expect(await page.getByLabel('Question', { exact: true }).inputValue()).toBe('What is said about Greta Holm?')
    expect(await page.getByText('militia').count()).toBe(0)
    expect(await faults(page)).toEqual([])
    await picture('2-ask')
  })

  it('[W4] an export that is dropped is taken in again; one that broke off is refused with its reason', async () => {
    visitor.provokes('422 /v1/corpora/advised-again:import')
    const { page, go } = visitor
    const headers = { authorization: `Bearer ${adminKey}` }
    const text = await (await fetch(`${url}/v1/corpora/${CORPUS}/export?format=jsonl`, { headers })).text()
    await api('PUT', `/v1/corpora/${CORPUS}-again`, { strategies: ['erarag'] })
    await go(`c/${CORPUS}-again`)
    await page.getByRole('heading', { name: 'No documents yet' }).waitFor()
    const type = 'application/x-ndjson'
    const half = text.split('\n').filter((line) => !line.includes('"type":"chunk"'))
    await drop(page, [{ name: 'half.jsonl', type, text: half.join('\n') }])
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('half.jsonl: Some lines cannot be imported')
    await drop(page, [{ name: 'whole.jsonl', type, text }])
    await expect.poll(() => page.locator('.list .status[data-status=ready]').count(), { timeout: 90_000 }).toBe(1)
    await drop(page, [{ name: 'whole.jsonl', type, text }])
    await page.getByText('1 document was already here, letter for letter').waitFor()
  })

  it('[W989] a zipped folder of LightRAG, a graph and lines of one’s own are dropped, and what came of each is said', async () => {
    visitor.provokes('422 /v1/corpora/advised-moved:import')
    const { page, go, picture } = visitor
    const corpus = `${CORPUS}-moved`
    await api('PUT', `/v1/corpora/${corpus}`, { strategies: [] })
    await go(`c/${corpus}`)
    const docs = { 'doc-1': { content: 'Marta Lind drew the map of Port Ellis.', file_path: 'map.txt' } }
    const folder = zipSync({ 'rag_storage/kv_store_full_docs.json': strToU8(JSON.stringify(docs)) })
    const graph = '<graphml><graph><node id="HERON"/><node id="POND"/><edge source="HERON" target="POND"/></graph></graphml>'
    const file = (name: string, text: string | Uint8Array) => ({ name, mimeType: '', buffer: Buffer.from(text) })
    await page
      .getByLabel('Files to add')
      .setInputFiles([
        file('old.zip', folder),
        file('birds.graphml', graph),
        file('notes.jsonl', '{"text":"A heron waits."}\n'),
        file('broken.zip', zipSync({ 'documents.parquet': strToU8('none') })),
      ])
    const list = page.getByRole('status', { name: 'Brought in' })
    await list.waitFor({ timeout: 30_000 })
    expect(await list.innerText()).toBe(
      ['old.zip: 1 document of LightRAG.', 'birds.graphml: 2 documents of a graph.', 'notes.jsonl: 1 document.'].join('\n'),
    )
    expect(await page.getByRole('alert').innerText()).toContain('broken.zip: documents.parquet: is not a readable Parquet file')
    await expect.poll(() => page.locator('.list .status[data-status=ready]').count(), { timeout: 90_000 }).toBe(4)
    expect(await faults(page)).toEqual([])
    await picture('3-brought')
    const ids = (await api('GET', `/v1/corpora/${corpus}/documents`)).data as unknown as { document: string }[]
    expect(ids.map(({ document }) => document).sort()).toEqual(['birds.graphml#HERON', 'birds.graphml#POND', 'doc-1', 'notes.jsonl#1'])
  })

  it('[V2141] [V2142] a document says how much of its graph its text bears out, and an entity which relations were brought', async () => {
    const { page, go } = visitor
    const corpus = `${CORPUS}-graphs`
    await api('PUT', `/v1/corpora/${corpus}`, { strategies: ['ketrag'] })
    const relations = ['Tidewater', 'Nell Farrow'].map((target) => ({ source: 'Ada Holm', target, description: 'built its mill' }))
    const entities = ['Ada Holm', 'Otto Brant'].map((name) => ({ name, description: `${name} of the mill.` }))
    const document = { text: 'Ada Holm built the mill at Tidewater.', graph: { entities, relations } }
    const { job } = await api('PUT', `/v1/corpora/${corpus}/documents/mill`, document)
    await expect
      .poll(async () => (await api('GET', `/v1/corpora/${corpus}/jobs/${job}?wait=10`)).status, { timeout: 90_000 })
      .toBe('succeeded')
    await go(`c/${corpus}/d/mill`)
    await page.getByText('2 entities and 2 relations came with this document; its text bears out 1 entity and 1 relation.').waitFor()
    await page
      .getByText('Left out: 1 entity and 0 relations that no passage says; 1 relation of which a passage says one end only.')
      .waitFor()
    const found = (await api('GET', `/v1/corpora/${corpus}/entities?q=Ada`)).data as unknown as { id: string }[]
    await go(`c/${corpus}/explore?node=${found[0]?.id}`)
    const details = page.getByRole('region', { name: 'Selected node' })
    await details.getByText('Ada Holm of the mill. Brought by mill').waitFor()
    await details.getByRole('listitem').filter({ hasText: 'Tidewater' }).getByText('brought', { exact: true }).waitFor()
    expect(await faults(page)).toEqual([])
  })

  it('[W12][W2100] nothing was asked of any other server, no policy was broken, nothing was thrown, no error reported', () => {
    expect(visitor.complaints).toEqual([])
  })
})
