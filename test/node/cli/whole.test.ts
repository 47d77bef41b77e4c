/** The command against a Loam of its own: interrupted and continued, exported and taken in again, asked. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startLoam } from '../../../scripts/lib/start-loam.mjs'
import { objectLimits } from '../../../src/platform-limits'
import { loam } from './loam'

const FILES = 80 // two batches
const cwd = mkdtempSync(join(tmpdir(), 'loam-cli-'))
let running: Awaited<ReturnType<typeof startLoam>>

beforeAll(async () => {
  running = await startLoam({ quiet: true, env: { ...process.env, PORT: '0', LOAM_STATE: join(cwd, 'state'), LOCAL_MODEL_URL: 'hash' } })
  mkdirSync(join(cwd, 'docs'))
  for (let n = 0; n < FILES; n++)
    writeFileSync(join(cwd, 'docs', `${n}.md`), `# Field note ${n}\n\nHeron number ${n} stands in pond ${n * 7}. It waits for fish.\n`)
})

afterAll(async () => {
  await running?.stop()
  rmSync(cwd, { recursive: true, force: true })
})

const said = async (...args: string[]) => {
  const ran = await loam(args, { cwd, env: { LOAM_URL: running.url } })
  expect(ran, ran.said).toMatchObject({ code: 0 })
  return ran.out
}

const corpusOf = async (corpus: string) => JSON.parse(await said('status', corpus, '--json')).corpora[0]
const countsOf = async (corpus: string): Promise<unknown> => (await corpusOf(corpus)).counts

it.each(['SIGINT', 'SIGKILL'] as const)(
  '[N32] ended half-way by %s and repeated: everything is there, nothing twice',
  { timeout: 120_000 },
  async (signal) => {
    const corpus = signal.toLowerCase()
    const ingest = ['ingest', 'docs', '-c', corpus, '--parallel', '1']
    const first = await loam(ingest, { cwd, env: { LOAM_URL: running.url }, interrupt: { at: /sent 50 of 80/, signal } })
    expect([first.code, first.said.includes('the same command again continues')]).toEqual(signal === 'SIGINT' ? [130, true] : [null, false])
    const { documents, unchanged, accepted } = JSON.parse(await said(...ingest, '--json'))
    expect([documents, unchanged + accepted, unchanged >= 50]).toEqual([FILES, FILES, true])
    await said('ingest', 'docs', '-c', 'whole')
    const counts = await countsOf(corpus)
    expect(counts).toEqual(await countsOf('whole'))
    expect(counts).toMatchObject({ documents: FILES, chunks: FILES })
  },
)

it('[N34] an export taken in again is the same corpus', { timeout: 120_000 }, async () => {
  await said('init', 'whole', '--strategies', 'erarag,gorag')
  await said('status', 'whole', '--watch') // until what the other strategies had made is gone
  expect(await said('export', 'whole', '-o', 'whole.jsonl')).toMatch(/^export\twhole\twhole.jsonl\t\d+\n$/)
  await said('import', 'whole.jsonl', '-c', 'again')
  const viewOf = async (corpus: string) =>
    (({ counts, strategies, settings }) => ({ counts, strategies, settings }))(await corpusOf(corpus))
  expect(await viewOf('again')).toEqual(await viewOf('whole'))
  expect(await said('import', 'whole.jsonl', '-c', 'again')).toBe(`documents\t${FILES}\t0\t${FILES}\t0\t0\n`)
  const [, answer] = [await said('ask', 'Where does heron number 12 stand?', '-c', 'again'), readFileSync(join(cwd, 'docs/12.md'), 'utf8')]
  expect(answer).toContain('pond 84')
})

it('[T965] [T966] a language is corrected, and stands in the export', { timeout: 120_000 }, async () => {
  const at = (...words: string[]) => said('language', ...words, '-c', 'again')
  expect(await at('docs/12.md', 'nl')).toMatch(/^docs\/12.md\tnl\tj_\w+\n$/)
  await said('status', 'again', '--watch')
  expect(await at('docs/12.md')).toBe('docs/12.md\tnl\t\n')
  expect(await at('docs/12.md', 'nl')).toBe('docs/12.md\tnl\t\n')
  expect(await at('--all')).toMatch(/^j_\w+\n$/)
  await said('status', 'again', '--watch')
  await said('export', 'again', '-o', 'told.jsonl')
  const lines = readFileSync(join(cwd, 'told.jsonl'), 'utf8').trim().split('\n')
  const shown = lines.map((line) => JSON.parse(line)).find(({ type, id }) => type === 'document' && id === 'docs/12.md')
  expect(shown.language).toBe('nl')
  expect((await loam(['language', '-c', 'again'], { cwd, env: { LOAM_URL: running.url } })).code).toBe(2)
})

it('[L141] all of it within the memory of an isolate', async () => {
  const { live, restarts } = await running.memory()
  expect([live <= objectLimits.maxMemoryBytes, restarts]).toEqual([true, 0])
})
