/**
 * The process that runs models: told over IPC which ones, it loads them, listens, and replies with the address and a description of each
 * model. It ends with its owner, however the owner ends.
 */
import type { AddressInfo } from 'node:net'
import type { Embedder, Writer } from './engine'
import { llamaRuntime, type ModelFile } from './llama'
import { modelServer } from './server'

interface Order {
  /** Where node-llama-cpp is installed. */
  readonly library: string
  readonly threads: number
  /** Replies that a model writes in parallel. */
  readonly sequences?: number
  readonly key: string
  readonly models: readonly ModelFile[]
}

async function serve({ library, threads, sequences, key, models }: Order): Promise<unknown> {
  const runtime = await llamaRuntime(library, threads, sequences)
  const writers: Writer[] = []
  const embedders: Embedder[] = []
  for (const file of models) {
    if (file.kind === 'text') writers.push(await runtime.writer(file))
    else embedders.push(await runtime.embedder(file))
  }
  const server = modelServer({ key, writers, embedders })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const about = [...writers, ...embedders].map((one) => ({
    id: one.id,
    window: one.window,
    ...('dimensions' in one ? { dimensions: one.dimensions } : {}),
  }))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, models: about }
}

process.once('message', (order: Order) => {
  serve(order).then(
    (ready) => process.send?.({ ready }),
    (error: unknown) => process.send?.({ failed: error instanceof Error ? error.message : String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {}) // its owner decides
