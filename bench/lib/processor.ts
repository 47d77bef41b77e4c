/** Processor time of this process's descendants, which other work on the machine does not lengthen as it does the clock's. Linux; 0 elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'

const TICK = 10 // ms

/** Milliseconds since they began, those included that have ended and were waited for. */
export function processorMs(pid: number | 'self' = 'self'): number {
  return childrenOf(pid).reduce((sum, child) => sum + own(child) + processorMs(child), 0)
}

export const load = (): string => `load ${loadavg()[0]?.toFixed(1)}`

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
