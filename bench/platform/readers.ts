/**
 * What reading files costs the Worker's isolate in memory: large and hostile files of every kind, each as large as the bounds let it be, through a running Loam
 * over HTTP, alone and several at once. The isolate has the platform's limit (scripts/lib/memory.mjs): one that needs more ends, and the request with it.
 *   npm run bench platform/readers [-- --only xlsx,pdf --together 4]
 */
import { parseArgs } from 'node:util'
import { load } from '../lib/processor'
import { start } from '../system/loam'
import { type Bytes, MIB } from './file-parts'
import { files } from './large-files'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, together: { type: 'string', default: '4' } } })
const loam = await start('hash')
const only = values.only.split(',').filter(Boolean)
const mb = (n: number): string => (n / MIB).toFixed(0)

async function put(name: string, file: { readonly type: string; readonly body: Bytes }): Promise<string> {
  const path = `${loam.url}/v1/corpora/bench/documents/${encodeURIComponent(name)}`
  const headers = { authorization: `Bearer ${loam.key}`, 'content-type': file.type }
  try {
    const response = await fetch(path, { method: 'PUT', headers, body: file.body })
    const { code = '' } = (await response.json()) as { code?: string }
    return `${response.status} ${code}`.trim()
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  }
}

try {
  await loam.client.corpus('bench').create()
  for (const { name, type, make } of files.filter((one) => only.length === 0 || only.some((word) => one.name.startsWith(word)))) {
    const body = make()
    for (const together of new Set([1, Number(values.together)])) {
      const [since, began] = [await loam.memory(), performance.now()]
      const answers = await Promise.all(Array.from({ length: together }, (_, i) => put(`${i}`, { type, body })))
      const seconds = (performance.now() - began) / 1000
      const now = await loam.memory()
      console.log(
        `${name}, ${mb(body.length)} MiB sent${together > 1 ? `, ${together} at once` : ''}: ${[...new Set(answers)].join(' / ')} after ${seconds.toFixed(1)} s; ` +
          `isolate at most so far ${mb(now.live)} MiB live, ${mb(now.held)} held${now.restarts > since.restarts ? '; IT ENDED' : ''}; ${load()}`,
      )
    }
  }
} finally {
  await loam.stop()
}
