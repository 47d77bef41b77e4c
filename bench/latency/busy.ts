/** Processor time of a process's children, which other work on the machine does not lengthen as it does the clock's. Linux; undefined elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds since they began. */
export function busy(): number | undefined {
  try {
    const threads = readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '),
    )
    return threads.filter(Boolean).reduce((sum, child) => sum + busyOf(child), 0)
  } catch {
    return undefined
  }
}

function busyOf(process: string): number {
  const ns = readdirSync(`/proc/${process}/task`).map((thread) =>
    Number(readFileSync(`/proc/${process}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return ns.reduce((sum, one) => sum + one, 0) / 1e6
}
