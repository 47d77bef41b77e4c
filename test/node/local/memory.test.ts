/** An isolate that outgrows what the platform gives one is ended, on this machine too. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryFlags, memoryWatch } from '../../../scripts/lib/memory.mjs'
import { runtime } from '../../../scripts/lib/runtime.mjs'
import { openState } from '../../../scripts/lib/state.mjs'
import { objectLimits } from '../../../src/platform-limits'

const MIB = 1024 * 1024
const OWN = '0x1152bfcfc000'
const OTHER = '0x1152bf80a000'

/** V8's report of a collection, among much else. */
function collected(isolate: string, { heap, buffers, reason = 'allocation failure', kind = 'Mark-Compact' }: Told): string[] {
  return [
    `[29487:${isolate}]       67 ms: ${kind} ${heap + 3}.7 (${heap + 9}.5) -> ${heap}.0 (${heap + 9}.5) MB, pooled: 0.0 MB, 28.68 / 0.00 ms (average mu = 0.567, current mu = 0.567) ${reason}; GC in old space requested`,
    `[29487:${isolate}] All spaces,                 used:   3484 KB, available:  1532355 KB, committed:   2952 KB`,
    `[29487:${isolate}] External memory reported:                   117227 KB`,
    `[29487:${isolate}] Backing store memory:                       ${buffers * 1024} KB`,
    `[29487:${isolate}:0]      365 ms: [HeapController] factor 1.1 based on mu=0.970, speed_ratio=263 (gc=375940, mutator=1427)`,
  ]
}
interface Told {
  readonly heap: number
  readonly buffers: number
  readonly reason?: string
  readonly kind?: string
}

describe('V8’s reports of its collections', () => {
  const ended: { readonly process: number; readonly heap: number; readonly buffers: number }[] = []
  const watch = memoryWatch({ exceeded: (one: (typeof ended)[number]) => ended.push(one) })
  const tell = (lines: readonly string[]) => expect(lines.filter((line) => !watch.reads(line))).toEqual([])

  it('[L141] counts heap and array buffers of the isolate that asked for a collection, which is the product’s', () => {
    tell(collected(OTHER, { heap: 90, buffers: 900 }))
    expect(watch.peak()).toEqual({ heap: 0, buffers: 0, live: 0, held: 0, collections: 0 })
    tell(collected(OWN, { heap: 4, buffers: 1, reason: 'testing' }))
    tell(collected(OWN, { heap: 60, buffers: 20 }))
    tell(collected(OWN, { heap: 30, buffers: 40, kind: 'Mark-Compact (reduce)' }))
    tell(collected(OTHER, { heap: 90, buffers: 900 }))
    expect(watch.peak()).toEqual({ heap: 60 * MIB, buffers: 40 * MIB, live: 80 * MIB, held: 80 * MIB, collections: 3 })
  })

  it('[L141] what a collection of the young leaves may be garbage; what one of everything leaves, and exceeds the limit, ends the runtime', () => {
    tell(collected(OWN, { heap: 70, buffers: 100, kind: 'Scavenge' }))
    expect([ended, watch.peak().held, watch.peak().live]).toEqual([[], 170 * MIB, 80 * MIB])
    tell(collected(OWN, { heap: 28, buffers: 100 }))
    expect([ended, 128 * MIB]).toEqual([[], objectLimits.maxMemoryBytes])
    tell(collected(OWN, { heap: 29, buffers: 100 }))
    expect(ended).toEqual([{ process: 29487, heap: 29 * MIB, buffers: 100 * MIB }])
  })

  it('[L141] everything else that is written goes on to the log', () => {
    for (const line of ['[loam] an error', '[123:0x] no', 'workerd/jsg/setup.c++:38: fatal: V8 fatal error'])
      expect(watch.reads(line)).toBe(false)
    expect(memoryFlags()).toContain('--trace-gc-ignore-scavenger')
  })
})

describe('a runtime', () => {
  const root = join(import.meta.dirname, '../../..')
  const folder = mkdtempSync(join(tmpdir(), 'loam-memory-'))
  const state = openState(root, folder)
  const running = runtime({ root, state })
  let url = ''

  const script = `
    globalThis.gc?.()
    const kept = []
    const made = { heap: () => Array.from({ length: 125_000 }, (_, i) => i + 0.5), buffers: () => new Uint8Array(1_000_000).fill(1) }
    export default {
      fetch(request) {
        const { searchParams } = new URL(request.url)
        for (let n = Number(searchParams.get('megabytes')); n > 0; n--) kept.push(made[searchParams.get('of')]())
        globalThis.gc?.()
        return new Response(String(kept.length))
      },
    }`

  beforeAll(async () => {
    const worker = { name: 'holder', modules: true, script, compatibilityDate: '2026-07-01' }
    url = await running.ask('serve', { port: 0, listen: '127.0.0.1', memory: '', crons: [], runtimes: [{ workers: [worker] }] })
  })
  afterAll(async () => {
    await running.stop()
    state.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const restarts = async (): Promise<number> => ((await running.ask('memory', {})) as { restarts: number }).restarts
  const hold = async (of: string, megabytes: number): Promise<string> => (await fetch(`${url}/?of=${of}&megabytes=${megabytes}`)).text()

  /** Asks for more until the runtime has started again; how much it held then. */
  async function exhausted(of: string): Promise<number> {
    const before = await restarts()
    let held = 0
    for (let asked = 0; asked < 40; asked++) {
      const answer = Number(await hold(of, held < 120 ? 20 : 1).catch(() => ''))
      if ((await restarts()) > before || (answer > 0 && answer < held)) return held
      held = Math.max(held, answer || 0)
    }
    throw new Error(`it holds ${held} MB of ${of}`)
  }

  it('[L141] starts again when array buffers exceed the limit, and serves', async () => {
    expect(await exhausted('buffers')).toBeGreaterThanOrEqual(100)
    await expect.poll(() => hold('buffers', 1).catch(() => ''), { timeout: 20_000 }).toMatch(/^\d+$/)
  })

  it('[L141] starts again when the heap reaches its ceiling, and serves', async () => {
    expect(await exhausted('heap')).toBeLessThanOrEqual(120)
    await expect.poll(() => hold('heap', 1).catch(() => ''), { timeout: 20_000 }).toMatch(/^\d+$/)
  })
})
