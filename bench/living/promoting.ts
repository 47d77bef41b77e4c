/**
 * A graph derived anew takes the place of the one that is served: how long nobody is answered, and what memory it takes. The whole Loam in
 * local workerd, hash embedder, no text model. A corpus without strategies is given some, so that all that is derived is new.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startLoam } from '../../scripts/lib/start-loam.mjs'
import { merged } from '../quality/corpora'
import { take, texts } from '../system/texts'

const BATCH = 100 // documents of about one chunk
const LOOK = 20 // ms between two questions after the corpus
const LIMIT = 1_800_000 // ms for any job

/** Its parameters are declared by their defaults alone. */
type Start = (options: object) => Promise<{ readonly url: string; readonly key: string; stop(): Promise<void> }>

interface View {
  readonly version: number
  readonly counts: { readonly [kind: string]: number }
}

export async function promotedReport(passages: number, strategies: readonly string[], data?: string): Promise<string> {
  const state = mkdtempSync(join(tmpdir(), 'loam-bench-'))
  const loam = await (startLoam as Start)({
    port: 0,
    state,
    quiet: true,
    env: { ...process.env, LOCAL_MODEL_URL: 'hash', LOCAL_AI_RATES: 'off' },
  })
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${loam.key}`, 'content-type': 'application/json' }
    const response = await fetch(`${loam.url}/v1/corpora/anew${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const ended = async (job: string): Promise<void> => {
    const until = Date.now() + LIMIT
    for (;;) {
      const { status } = await call<{ status: string }>('GET', `/jobs/${job}?wait=20`)
      if (status === 'succeeded') return
      if (!['queued', 'running'].includes(status) || Date.now() > until) throw new Error(`the job is ${status}`)
    }
  }
  try {
    await call('PUT', '', { strategies: [] })
    const source = data === undefined ? texts() : merged(data).documents.values()
    while (((await call<View>('GET', '')).counts.passages ?? 0) < passages) {
      const upserts = take(source, BATCH).filter(Boolean)
      await ended((await call<{ job: string }>('POST', '/documents:batch', { upserts })).job)
    }
    const before = await call<View>('GET', '')
    const grown = memory()
    console.error(`${before.counts.passages} passages are in; workerd is ${runtimes().join(', ')}`)
    const since = performance.now()
    await call('PUT', '', { strategies })
    const seen = await watched(() => call<View>('GET', ''), before.version)
    const after = await call<View>('GET', '')
    return [
      `promotion at ${before.counts.passages} passages, local workerd, hash embedder, no text model (${strategies.join(', ')})`,
      `before: ${told(before)}; after: ${told(after)}`,
      `derived anew in ${((seen.at - since) / 1000).toFixed(1)} s; longest slice before the promotion ${seen.longest.toFixed(0)} ms without an answer`,
      `promoted: ${seen.gap.toFixed(0)} ms without an answer`,
      `memory of workerd: ${grown} MB before, at most ${seen.derived} MB while it was derived, ${seen.max} MB when it was promoted`,
    ].join('\n')
  } finally {
    await loam.stop()
    rmSync(state, { recursive: true, force: true })
  }
}

const told = ({ counts }: View): string =>
  ['entities', 'keywords', 'summaries', 'communities', 'edges'].map((kind) => `${counts[kind] ?? 0} ${kind}`).join(', ')

interface Seen {
  /** ms without an answer around the change of version, and the longest before it. */
  readonly gap: number
  readonly longest: number
  readonly at: number
  /** MB. */
  readonly derived: number
  readonly max: number
}

/** Asks until the version has changed. The peak of memory is reset at every look, so that the last one is the promotion's. */
async function watched(look: () => Promise<View>, version: number): Promise<Seen> {
  const until = performance.now() + LIMIT
  let [longest, derived] = [0, 0]
  for (let last = performance.now(); last < until; ) {
    forget()
    const { version: now } = await look()
    const gap = performance.now() - last
    const max = memory('VmHWM')
    if (now !== version) return { gap, longest, at: performance.now(), derived, max }
    longest = Math.max(longest, gap)
    derived = Math.max(derived, max)
    last = performance.now()
    await pause(LOOK)
  }
  throw new Error('it was not promoted')
}

/** Resident memory of workerd, in MB. */
function memory(which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const sizes = runtimes().map((pid) =>
    Number(new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
  )
  return Math.round(Math.max(0, ...sizes) / 1024)
}

/** From now on VmHWM is the most since now (proc(5), clear_refs). */
function forget(): void {
  for (const pid of runtimes()) writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

let known: readonly string[] | undefined

/** The workerd processes below this one. */
function runtimes(): readonly string[] {
  if (known?.length) return known
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const below = new Set([String(process.pid)])
  for (let more = true; more; ) {
    const found = rows.filter(([pid = '', parent = '']) => below.has(parent) && !below.has(pid))
    for (const [pid = ''] of found) below.add(pid)
    more = found.length > 0
  }
  known = rows.filter(([pid = '', , name = '']) => below.has(pid) && name.startsWith('workerd')).map(([pid = '']) => pid)
  return known
}
