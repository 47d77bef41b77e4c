/**
 * A graph derived anew takes the place of the one that is served: how long no request is answered, and what memory it takes. The whole Loam in
 * local workerd, hash embedder, no text model. A corpus without strategies is given some, so that all that is derived is new.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Corpus } from '../../src/client/client'
import { merged } from '../quality/corpora'
import { asStrategies, start } from '../system/loam'
import { take, texts } from '../system/texts'

const BATCH = 100 // documents of about one chunk
const LOOK = 20 // ms between two questions after the corpus
const LIMIT = 1_800_000 // ms for any job

export async function promotedReport(passages: number, strategies: readonly string[], data?: string): Promise<string> {
  const loam = await start('hash')
  const corpus = loam.client.corpus('anew')
  try {
    await corpus.create({ strategies: [] })
    const source = data === undefined ? texts() : merged(data).documents.values()
    while (((await corpus.info()).counts.passages ?? 0) < passages) {
      const upserts = take(source, BATCH).filter(Boolean)
      const { job } = await corpus.batch({ upserts })
      if (job !== undefined) await corpus.waitForJob(job, { timeoutMs: LIMIT })
    }
    const before = await corpus.info()
    const grown = memory()
    console.error(`${before.counts.passages} passages are in; workerd is ${runtimes().join(', ')}`)
    const since = performance.now()
    await corpus.create({ strategies: asStrategies(strategies) })
    const seen = await watched(() => corpus.info(), before.version)
    const after = await corpus.info()
    return [
      `promotion at ${before.counts.passages} passages, local workerd, hash embedder, no text model (${strategies.join(', ')})`,
      `before: ${told(before)}; after: ${told(after)}`,
      `derived anew in ${((seen.at - since) / 1000).toFixed(1)} s; longest slice before the promotion ${seen.longest.toFixed(0)} ms without an answer`,
      `promoted: ${seen.gap.toFixed(0)} ms without an answer`,
      `memory of workerd: ${grown} MB before, at most ${seen.derived} MB while it was derived, ${seen.max} MB when it was promoted`,
    ].join('\n')
  } finally {
    await loam.stop()
  }
}

const told = ({ counts }: Corpus): string =>
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
async function watched(look: () => Promise<Corpus>, version: number): Promise<Seen> {
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
