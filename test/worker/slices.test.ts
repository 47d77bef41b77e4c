/** Work on the whole corpus leaves room for everybody else, in the real runtime. */
import { env, type WorkflowStep } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Env } from '../../src/env'
import { Ingest } from '../../src/ingest'
import type { CorpusObject } from '../../src/ports/object'
import { doc, find, newCorpus, put, settled } from './corpora'
import { ended } from './waiting'

const NAMES = ['Anna Berg', 'Otto Brandt', 'Mira Holt', 'Ida Quist', 'Jon Vale', 'Tove Lund', 'Karl Moss', 'Nils Roy']
const page = (n: number) => doc(`d${n}`, `${NAMES[n % 8]} counted ${n} herons at Port Ellis. ${NAMES[(n + 1) % 8]} doubted it.`)

it('[V101] between two slices questions are answered and documents taken in', async () => {
  const { corpus } = await newCorpus(['ketrag', 'cluerag'])
  await put(corpus, ...Array.from({ length: 40 }, (_, n) => page(n)))
  const probes = Array.from({ length: 48 }, (_, n) => ({ query: `What did ${NAMES[n % 8]} count ${n}?`, expect: [`d${n % 40}`] }))
  await corpus.putProbes(probes, { k: 5, tolerance: 1 })
  const accepted = await corpus.maintain('consolidate', {})
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
  let [answered, taken] = [0, '']
  await ended(accepted.job, async () => {
    const status = (await corpus.job(accepted.job, 0))?.status ?? 'gone'
    if (status !== 'running') return { status }
    if ((await find(corpus, 'Who counted 7 herons?', 'ketrag')).kind === 'evidence') answered++
    if (taken !== '') return { status }
    const more = await corpus.accept({ kind: 'ingest', upserts: [page(100)], deletes: [] })
    taken = more.kind === 'accepted' ? more.job : more.kind
    return { status }
  })
  expect(answered).toBeGreaterThan(1)
  expect((await settled(corpus, taken)).status).toBe('succeeded')
  expect((await settled(corpus, accepted.job)).status).toBe('succeeded')
})

it('[V107] while a large batch goes in, questions see what there was and labels wait; then all of it is there at once', async () => {
  const { corpus } = await newCorpus(['ketrag', 'cluerag', 'gorag'])
  await put(corpus, ...Array.from({ length: 20 }, (_, n) => page(n)))
  const batch = Array.from({ length: 300 }, (_, n) => ({ ...page(n), text: `${page(n).text} It was noted in context ${n}.` }))
  const accepted = await corpus.accept({ kind: 'batch', upserts: batch, deletes: [] })
  if (accepted.kind !== 'accepted') throw new Error(accepted.kind)
  const noted: number[] = []
  let labelled: Promise<unknown> | undefined
  await ended(accepted.job, async () => {
    const job = await corpus.job(accepted.job, 0)
    const found = await find(corpus, 'Who counted herons at Port Ellis?', 'keyword')
    if (!job || found.kind !== 'evidence') throw new Error(found.kind)
    noted.push(found.evidence.filter((one) => one.text.includes('noted in context')).length / found.evidence.length)
    const last = job.progress.total - job.progress.done === 1 // all vectors are here: it is going in
    if (last) labelled ??= corpus.putLabel({ id: 'birds', description: 'herons', examples: [] })
    return { status: job.status }
  })
  expect([new Set(noted), [...noted].sort()]).toEqual([new Set([0, 1]), noted]) // none, and then all
  await labelled
  expect((await corpus.labels(null, 10)).data.map((one) => one.label)).toEqual(['birds'])
  const commits = (await corpus.receipts(null, 100)).data.filter((one) => one.touched.documents > 100)
  expect(commits.map((one) => one.touched.documents)).toEqual([300])
})

it('[V101] between two rounds of a runner a timer runs, without which nobody is served where all share a thread', async () => {
  const others: string[] = []
  let left = 3
  const round = async () => {
    const name = `timer after ${left}`
    setTimeout(() => others.push(name), 0)
    return { tasks: [{ id: left, node: 'c_a', input: 'i', brief: { kind: 'embed' as const, texts: [] } }], left, paused: false }
  }
  const commit = async () => {
    others.push(`round ${left}`)
    return { kind: 'committed' as const, left: --left }
  }
  const corpus = { openTasks: round, commit } satisfies Pick<CorpusObject, 'openTasks' | 'commit'>
  const bindings = { ...(env as unknown as Env), CORPUS: { getByName: () => corpus } } as unknown as Env
  const step = { do: (_name: string, _config: unknown, work: () => Promise<unknown>) => work() } as unknown as WorkflowStep
  const event = { payload: { uid: 'u' }, timestamp: new Date(0), instanceId: 'one', workflowName: 'ingest' }
  await Ingest.prototype.run.call({ env: bindings } as unknown as Ingest, event, step)
  expect(others).toEqual(['round 3', 'timer after 3', 'round 2', 'timer after 2', 'round 1'])
})
