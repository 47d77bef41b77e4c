/** Processor time of this process's descendants, which other work on the machine does not lengthen as it does the clock's. Linux; 0 elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'

const TICK = 10 // ms

/** Milliseconds since they began, those included that have ended and were waited for. */
export function processorMs(pid: number | 'self' = 'self'): number {
  return childrenOf(pid).reduce((sum, child) => sum + own(child) + processorMs(child), 0)
}

export const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`

/**
 * Milliseconds for which the main thread of each local runtime has been at work, the objects' first, then that of the Worker, the Workflow, the databases and the stand-ins: each
 * runs one thing at a time. Linux; none elsewhere.
 */
export function runtimeThreads(): () => number[] {
  const runtimes = runtimePids()
  return () => runtimes.map((pid) => Number(readText(`/proc/${pid}/task/${pid}/schedstat`).split(' ')[0] ?? 0) / 1e6)
}

/** The runtimes' processes, the objects' first. */
export function runtimePids(): number[] {
  return descendantsOf('self')
    .filter((pid) => readText(`/proc/${pid}/comm`).trim() === 'workerd')
    .sort((a, b) => a - b)
}

function descendantsOf(pid: number | 'self'): number[] {
  return childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function childrenOf(pid: number | 'self'): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8')
        .split(' ')
        .flatMap((one) => (one.trim() ? [Number(one)] : [])),
    )
  } catch {
    return [] // ended meanwhile
  }
}

function own(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) * TICK // its own, and its ended children's
  } catch {
    return 0
  }
}
