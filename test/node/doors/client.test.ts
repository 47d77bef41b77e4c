/** The client without a service: when it repeats a request, and when not. */
import { expect, it } from 'vitest'
import { collected, Loam, LoamError } from '../../../src/client/client'

/** Answers in turn; remembers what was asked. */
function service(...answers: (Response | Error)[]) {
  const asked: Request[] = []
  const fetch = async (request: Request): Promise<Response> => {
    asked.push(request)
    const next = answers.shift() ?? new Error('asked too often')
    if (next instanceof Error) throw next
    return next
  }
  return { asked, loam: (retries = 2) => new Loam({ url: 'https://loam.test/', key: 'k', fetch, retries }) }
}

const busy = (status = 503) =>
  Response.json({ code: 'overloaded', detail: 'The corpus is busy.' }, { status, headers: { 'retry-after': '0' } })
const fine = () => Response.json({ document: 'd', job: 'j' }, { status: 202 })

const jobs = (...states: string[]) => states.map((status) => Response.json({ job: 'j', status }))

it('[P15] a client for an asker names them in every request, and no other client does', async () => {
  const said: (string | null)[] = []
  const fetch = async (request: Request): Promise<Response> => {
    said.push(request.headers.get('loam-as'))
    return Response.json({ evidence: [] })
  }
  const loam = new Loam({ url: 'https://loam.test/', key: 'k', fetch })
  await loam.as(['group:a', 'user:b']).corpus('manuals').search({ query: 'heron' })
  await loam.corpus('manuals').search({ query: 'heron' })
  expect(said).toEqual(['group:a, user:b', null])
})

it('[P16] the client sends a file with its labels, each by itself', async () => {
  const { asked, loam } = service(fine())
  await loam()
    .corpus('manuals')
    .upload('pay', 'x', { type: 'text/plain', title: 'Pay', access: ['group:finance', 'user:ana'] })
  const { searchParams } = new URL(asked[0]?.url ?? '')
  expect([searchParams.getAll('access'), searchParams.get('title'), searchParams.has('url')]).toEqual([
    ['group:finance', 'user:ana'],
    'Pay',
    false,
  ])
})

it('[D10] waits until the job has ended, and says how it ended where it did not succeed', async () => {
  const seen: string[] = []
  const patient = service(...jobs('queued', 'running', 'succeeded'))
  await patient
    .loam()
    .corpus('a')
    .waitForJob('j', { onProgress: (job) => seen.push(job.status) })
  expect(seen).toEqual(['queued', 'running', 'succeeded'])
  for (const status of ['failed', 'cancelled', 'paused_budget']) {
    const ended = service(...jobs(status))
    await expect(ended.loam().corpus('a').waitForJob('j')).rejects.toMatchObject({ code: `job_${status}` })
  }
  await expect(
    service(...jobs('running'))
      .loam()
      .corpus('a')
      .waitForJob('j', { timeoutMs: 0 }),
  ).rejects.toMatchObject({ code: 'timeout' })
})

it('[D16] repeats after 429 and 503, and a POST under the same name', async () => {
  const { asked, loam } = service(busy(), busy(429), fine())
  expect(await loam().corpus('a').add({ text: 'x' })).toEqual({ document: 'd', job: 'j' })
  expect(asked.map((one) => one.url)).toEqual(Array.from({ length: 3 }, () => 'https://loam.test/v1/corpora/a/documents'))
  const names = new Set(asked.map((one) => one.headers.get('idempotency-key')))
  expect([names.size, names.has(null)]).toEqual([1, false])
  expect(await Promise.all(asked.map((one) => one.text()))).toEqual(Array.from({ length: 3 }, () => '{"text":"x"}'))
  const deleted = service(busy(), fine())
  await deleted.loam().corpus('a').remove('d')
  expect(new Set(deleted.asked.map((one) => one.headers.get('idempotency-key')?.length))).toEqual(new Set([36]))
})

it('[D16] gives up after so many tries, and at once where a repeat is useless', async () => {
  const tired = service(busy(), busy())
  await expect(tired.loam(1).corpus('a').info()).rejects.toMatchObject({ code: 'overloaded', status: 503, more: { retryAfter: 0 } })
  expect(tired.asked).toHaveLength(2)
  const refused = service(Response.json({ code: 'invalid', detail: 'no', errors: [{ path: 'a', message: 'b' }] }, { status: 422 }))
  await expect(refused.loam().corpus('a').info()).rejects.toBeInstanceOf(LoamError)
  expect(refused.asked).toHaveLength(1)
  const page = service(new Response('<html>', { status: 502 }))
  await expect(page.loam().health()).rejects.toMatchObject({ code: 'unknown', status: 502 })
})

it('[D16] the change is made again, with what is there, where others were pinned meanwhile', async () => {
  const pinned = (revision: string, ...queries: string[]) =>
    Response.json({ probes: queries.map((query) => ({ query, expect: ['x'] })), k: 10, tolerance: 0.02, revision })
  const late = () => Response.json({ code: 'precondition_failed', detail: 'Others.' }, { status: 412 })
  const { asked, loam } = service(pinned('r1'), late(), pinned('r2', 'theirs'), Response.json({ count: 2 }))
  const mine = { query: 'mine', expect: ['y'] }
  await loam()
    .corpus('a')
    .changeProbes((now) => ({ ...now, probes: [...now.probes, mine] }))
  const puts = asked.filter(({ method }) => method === 'PUT')
  expect(puts.map(({ headers }) => headers.get('if-match'))).toEqual(['"r1"', '"r2"'])
  expect(await puts[1]?.json()).toMatchObject({ probes: [{ query: 'theirs', expect: ['x'] }, mine] })
  const never = service(...Array.from({ length: 5 }, () => [pinned('r'), late()]).flat())
  await expect(
    never
      .loam()
      .corpus('a')
      .changeProbes((now) => now),
  ).rejects.toMatchObject({ code: 'precondition_failed' })
})

it('[D16] what was found of a probe is not sent back with it', async () => {
  const one = { query: 'q', expect: ['x'] }
  const there = { probes: [{ ...one, last: null, gate: null }], k: 5, tolerance: 0.1, revision: 'r1' }
  const { asked, loam } = service(Response.json(there), Response.json({ count: 1 }))
  await loam()
    .corpus('a')
    .changeProbes((now) => now)
  expect(await asked[1]?.json()).toEqual({ probes: [one], k: 5, tolerance: 0.1 })
})

it('[D10] one signal ends every call; a file is sent as it is, and a list is read up to so many', async () => {
  const ending = new AbortController()
  const hung = new Loam({
    url: 'https://loam.test',
    signal: ending.signal,
    fetch: (request) => new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason))),
  })
  const calls = [hung.health(), hung.corpus('a').info(), hung.corpus('a').query({ query: 'q' }, { signal: new AbortController().signal })]
  ending.abort(new Error('enough'))
  for (const call of calls) await expect(call).rejects.toThrow('enough')

  const paged = (next_cursor: string | null) => Response.json({ data: [{ job: 'x' }, { job: 'y' }], next_cursor })
  const { asked, loam } = service(Response.json({ document: 'p', job: 'j' }), paged('2'), paged('3'), paged(null))
  const corpus = loam().corpus('a')
  await corpus.upload('p', new Blob(['%PDF']), { type: 'application/pdf', title: 'A b' })
  const [sent] = asked
  expect([sent?.method, new URL(sent?.url ?? '').search, sent?.headers.get('content-type'), await sent?.text()]).toEqual([
    'PUT',
    '?title=A+b',
    'application/pdf',
    '%PDF',
  ])
  expect(await collected((paging) => corpus.jobs(paging), 3)).toMatchObject({ data: { length: 4 }, more: true })
  expect(await collected((paging) => corpus.jobs(paging), 3)).toMatchObject({ data: { length: 2 }, more: false })
  expect(asked.slice(1).map(({ url }) => new URL(url).search)).toEqual(['?limit=200', '?cursor=2&limit=200', '?limit=200'])
})
