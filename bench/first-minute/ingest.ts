/** 72 mixed files into a fresh `npm start`, by the command line: seconds until the corpus is settled, and chunks a second, embeddings included. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load, processorMs, runtimePids, runtimeThreads } from '../lib/processor'
import { heaviest, profiler } from '../lib/profile'
import { saidOf, watchThread } from '../lib/timeline'
import { asStrategies, type Loam, settled, start } from '../system/loam'
import { FILES, writeFiles } from './files'

export interface Options {
  /** What the corpus is made with; none: as it comes. */
  readonly strategies?: readonly string[]
  readonly bytes?: number
  /** Tokens of a chunk, if not as they come; chunks overlap by a twelfth of that. */
  readonly chunk?: number
  /** Of an inspector: the functions that took most time are printed. */
  readonly profile?: number
  /** What the objects' thread did is printed for each second: watching takes a tenth of a core from what is watched. */
  readonly timeline?: boolean
}

export async function ingestFiles({ strategies, bytes, chunk, profile, timeline }: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loam-files-'))
  const size = writeFiles(join(folder, 'files'), bytes)
  const loam = await start('real', profile ? { LOAM_INSPECT: String(profile) } : {})
  try {
    const corpus = loam.client.corpus('files')
    await corpus.create({
      ...(strategies ? { strategies: asStrategies(strategies) } : {}),
      ...(chunk ? { settings: { chunk_tokens: chunk, chunk_overlap: Math.round(chunk / 12) } } : {}),
    })
    await command(loam, folder, ['--version']) // compiles the command line if it is older than its sources
    const profiling = profile ? await profiler(profile) : undefined
    const threads = runtimeThreads()
    const [began, used, before] = [performance.now(), processorMs(), threads()]
    const [objects = 0, ...others] = runtimePids()
    const running: number[] = [process.pid, ...others]
    const stretches = timeline ? watchThread(objects, () => running) : undefined
    await command(loam, folder, ['ingest', 'files', '-c', 'files', '--yes'], (pid) => running.push(pid))
    const { counts } = await settled(corpus, 100)
    const seconds = (performance.now() - began) / 1000
    const told = stretches?.() ?? []
    const processor = (processorMs() - used) / 1000
    const busy = threads().map((ms, i) => `${((ms - (before[i] ?? 0)) / 1000).toFixed(1)} s`)
    const found = await profiling?.stop('bench/results/first-minute.cpuprofile')
    if (found) for (const list of Object.values(heaviest(found, 60))) console.log(`${list.join('\n')}\n`)
    const { chunks = 0, documents = 0, units = 0, passages = 0 } = counts
    console.log(
      `${FILES} files, ${(size / 1e6).toFixed(1)} MB, ${documents} documents, ${chunks} chunks, ${passages} passages, ${units} sentences; ` +
        `${chunk ? `chunks of ${chunk} tokens; ` : ''}strategies ${strategies ? strategies.join(', ') || 'none' : 'as they come'}: settled in ${seconds.toFixed(1)} s, ${(chunks / seconds).toFixed(0)} chunks/s; ` +
        `${processor.toFixed(1)} s of the server's processor (the objects' thread and the other: ${busy.join(', ')}), ${(chunks / processor).toFixed(0)} chunks a second of it; ${load()}`,
    )
    if (timeline) {
      console.log(`the objects' thread, without what other work on the machine took: ${saidOf(told)}`)
      for (const [n, { busy, others: beside, asleep }] of told.entries())
        console.log(`${n}\t${[busy, beside, asleep].map((ms) => ms.toFixed(0)).join('\t')}`)
    }
  } finally {
    await loam.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function command(
  { url, key }: Loam,
  cwd: string,
  args: readonly string[],
  began: (pid: number) => unknown = () => undefined,
): Promise<void> {
  const child = spawn(process.execPath, [join(process.cwd(), 'cli/loam.mjs'), ...args], {
    cwd,
    env: { ...process.env, LOAM_URL: url, LOAM_KEY: key },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (child.pid) began(child.pid)
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  return new Promise((resolve, reject) =>
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`exit ${code}\n${said}`)))),
  )
}
