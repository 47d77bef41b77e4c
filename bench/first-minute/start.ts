/** `npm start` in a fresh clone with a warm package cache: seconds to the first healthy answer, and what it says on the way. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load, processorMs } from '../lib/processor'

const PATIENCE = 300_000 // ms

export async function fromClone(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'loam-clone-'))
  const clone = join(folder, 'loam')
  const { status } = spawnSync('git', ['clone', '--quiet', '--local', process.cwd(), clone])
  if (status !== 0) throw new Error('git clone failed')
  const port = await freePort()
  const used = processorMs()
  const began = performance.now()
  const seconds = (): string => ((performance.now() - began) / 1000).toFixed(1)
  const child = spawn('npm', ['start'], { cwd: clone, env: { ...process.env, PORT: String(port) }, detached: true })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n').filter((one) => one.trim())) console.log(`  ${seconds()} s  ${line.trim()}`)
    })
  try {
    for (;;) {
      if (performance.now() - began > PATIENCE) throw new Error('it did not start')
      const healthy = await fetch(`http://127.0.0.1:${port}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (healthy) break
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    console.log(`first healthy answer after ${seconds()} s; ${((processorMs() - used) / 1000).toFixed(1)} s of processor time; ${load()}`)
  } finally {
    if (child.pid) process.kill(-child.pid, 'SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
