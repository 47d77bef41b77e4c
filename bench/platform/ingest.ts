/**
 * `loam ingest` of a folder of Markdown files into a local Loam: whole, interrupted (SIGINT) and killed (SIGKILL) half-way, each into a
 * corpus of its own and continued by the same command. What is there at the end is compared line by line.
 *
 * `npm run bench ingest -- [--files 1000]`
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { random } from '../../src/core/random'

const { values } = parseArgs({ options: { files: { type: 'string', default: '1000' } } })
const FILES = Number(values.files)
const PEOPLE = ['Ada Quill', 'Otto Brandt', 'Mira Solano', 'Jon Weaver', 'Lena Hart']
const THINGS = 'heron pond mill river otter willow stone bridge farmer winter harvest council letter harbour lantern orchard'.split(' ')

interface Ended {
  readonly out: string
  readonly said: string
  readonly code: number | null
  readonly seconds: number
}

interface Summary {
  readonly documents: number
  readonly accepted: number
  readonly unchanged: number
}

const folder = mkdtempSync(join(tmpdir(), 'loam-ingest-'))
const { below } = random(7)
const one = (list: readonly string[]): string => list[below(list.length)] ?? ''

function written(): number {
  mkdirSync(join(folder, 'notes'))
  let bytes = 0
  for (let n = 0; n < FILES; n++) {
    const sentences = Array.from(
      { length: 8 + below(32) },
      () => `${one(PEOPLE)} saw the ${one(THINGS)} near the ${one(THINGS)} of ${one(THINGS)} ${below(1000)}.`,
    )
    const text = `# Note ${n}\n\n${sentences.join(' ')}\n`
    bytes += text.length
    writeFileSync(join(folder, 'notes', `note-${n}.md`), text)
  }
  return bytes
}

/** The command in a process of its own; with `at`, ended by the signal once it says it has sent that many. */
function loam(url: string, args: readonly string[], end?: { readonly signal: NodeJS.Signals; readonly at: number }): Promise<Ended> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(process.cwd(), 'cli/loam.mjs'), ...args], {
    cwd: folder,
    env: { ...process.env, LOAM_URL: url },
  })
  let [out, said, ended] = ['', '', false]
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
    const sent = Math.max(0, ...[...said.matchAll(/sent (\d+) of/g)].map(([, n]) => Number(n)))
    if (!end || ended || sent < end.at) return
    ended = true
    child.kill(end.signal)
  })
  return new Promise((resolve, reject) =>
    child.on('close', (code) => {
      if (code !== 0 && !end) return reject(new Error(`loam ${args.join(' ')}: exit ${code}\n${said}`))
      resolve({ out, said, code, seconds: (performance.now() - began) / 1000 })
    }),
  )
}

/** Everything a corpus is, but for its name and its history. */
async function contents(url: string, corpus: string): Promise<string[]> {
  const { out } = await loam(url, ['export', corpus])
  return out.split('\n').filter((line) => /^{"type":"(document|chunk|label|node|edge)"/.test(line))
}

async function interrupted(url: string, signal: NodeJS.Signals, whole: readonly string[]): Promise<void> {
  const corpus = signal.toLowerCase()
  const first = await loam(url, ['ingest', 'notes', '-c', corpus], { signal, at: FILES * 0.4 })
  const sent = first.said.match(/sent (\d+) of/g)?.at(-1)
  const second = await loam(url, ['ingest', 'notes', '-c', corpus, '--json'])
  const { documents, accepted, unchanged } = JSON.parse(second.out) as Summary
  const there = new Set(await contents(url, corpus))
  const same = there.size === whole.length && whole.every((line) => there.has(line))
  console.log(
    `${signal}: ended after ${first.seconds.toFixed(1)} s (${sent}, exit ${first.code}); the same again took ${second.seconds.toFixed(1)} s: ` +
      `${unchanged} of ${documents} unchanged, ${accepted} taken in; export ${same ? 'equal line by line' : 'DIFFERENT'}`,
  )
}

const bytes = written()
const path = join(process.cwd(), 'scripts/lib/start-loam.mjs')
const { startLoam } = (await import(path)) as { startLoam(options: unknown): Promise<{ url: string; stop(): Promise<void> }> }
const running = await startLoam({
  port: 0,
  state: join(folder, 'state'),
  quiet: true,
  env: { ...process.env, LOCAL_MODEL_URL: 'hash', LOCAL_AI_RATES: 'off' },
})
try {
  const { url } = running
  const once = await loam(url, ['ingest', 'notes', '-c', 'whole'])
  const again = await loam(url, ['ingest', 'notes', '-c', 'whole', '--json'])
  const rate = FILES / once.seconds
  console.log(`${FILES} files, ${(bytes / 1e6).toFixed(1)} MB, ${availableParallelism()} cores, hash embedder`)
  console.log(`whole: ${once.seconds.toFixed(1)} s (${rate.toFixed(0)} files/s); nothing changed: ${again.seconds.toFixed(1)} s`)
  const whole = await contents(url, 'whole')
  console.log(`export: ${whole.length} lines, ${new Set(whole).size} distinct`)
  for (const signal of ['SIGINT', 'SIGKILL'] as const) await interrupted(url, signal, whole)
} finally {
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
}
