/** The object of a bench in local workerd, on a database of its own: `call` names what it does, `args` are what it is given. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

export interface BenchObject {
  /** Its answer, and the milliseconds until it was there. */
  call<T>(call: string, args: readonly unknown[]): Promise<{ readonly ms: number; readonly answer: T }>
  dispose(): Promise<void>
}

/** `file` exports the class `Bench`, and a `fetch` that hands the call on to it. `setup` is its binding SETUP. */
export async function benchObject(file: string, setup: { readonly [name: string]: unknown } = {}): Promise<BenchObject> {
  const bundle = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    external: ['cloudflare:*'],
  })
  const folder = mkdtempSync(join(tmpdir(), 'loam-bench-'))
  const miniflare = new Miniflare({
    modules: true,
    script: bundle.outputFiles[0]?.text ?? '',
    compatibilityDate: '2026-07-01',
    durableObjects: { BENCH: { className: 'Bench', useSQLite: true } },
    durableObjectsPersist: folder,
    bindings: { SETUP: JSON.parse(JSON.stringify(setup)) },
  })
  return {
    async call<T>(call: string, args: readonly unknown[]) {
      const began = performance.now()
      const response = await miniflare.dispatchFetch('http://bench/', { method: 'POST', body: JSON.stringify({ call, args }) })
      const answer = (await response.json()) as T
      return { ms: performance.now() - began, answer }
    },
    async dispose() {
      await miniflare.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
