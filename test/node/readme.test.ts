/** The README's first minute, as it stands in the README: its commands are run in a shell against a Loam started for it. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const state = mkdtempSync(join(tmpdir(), 'loam-readme-'))
const PATIENCE = 150_000 // ms

interface Running {
  readonly url: string
  stop(): Promise<void>
}
let running: Running | undefined

afterAll(async () => {
  await running?.stop()
  rmSync(state, { recursive: true, force: true })
})

/** The first block of a kind under a heading. */
function blockUnder(heading: string, kind: string): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const block = new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'ms').exec(readme.slice(readme.indexOf(`## ${heading}`)))?.[1]
  if (!block) throw new Error(`no ${kind} under ${heading}`)
  return block
}

it(
  '[L92] pasted into a shell, the first minute ends with the right answer and where it stands',
  async () => {
    const commands = blockUnder('In a minute', 'sh')
    const [start, ...rest] = commands.split('\n')
    expect(start).toBe('npm start &')
    const { startLoam } = (await import(join(root, 'scripts/lib/start-loam.mjs'))) as { startLoam(options: object): Promise<Running> }
    running = await startLoam({ port: 0, state, quiet: true })
    const script = rest.join('\n').replaceAll('http://127.0.0.1:8787', running.url)
    const { stdout } = await promisify(execFile)('sh', ['-ec', script], { timeout: PATIENCE })
    const answer = JSON.parse(stdout.slice(stdout.lastIndexOf('{"strategy"'))) as {
      readonly answer: string
      readonly answered: boolean
      readonly grounded: boolean
      readonly confidence: number
      readonly citations: readonly { readonly document: string; readonly start: number; readonly end: number; readonly quote: string }[]
    }
    // What the README shows, shortened, as it shows it.
    const shown = JSON.parse(blockUnder('In a minute', 'json')) as typeof answer
    expect({ ...answer, confidence: Number(answer.confidence.toFixed(2)) }).toMatchObject(shown)
    expect([shown.answered, shown.grounded, shown.citations.length, answer.citations.length]).toEqual([true, true, 1, 1])
  },
  PATIENCE,
)
