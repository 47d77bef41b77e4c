/**
 * Keeps the memory of workerd's isolates within the platform's limit, which workerd itself does not enforce. Each heap gets V8's own
 * ceiling, at which V8 ends the runtime. Array buffers are outside the heap: V8 reports their size at each collection, and an isolate of
 * the product whose heap and buffers together exceed the limit after everything unreachable has been collected is ended here. On the
 * platform an object is reset; a local runtime ends as a whole, and restarts.
 */
import { createInterface } from 'node:readline'
import { objectLimits } from '../../src/platform-limits.ts'

const MIB = 1024 * 1024
const HEAP = 100 // MiB for the old generation; the young generation, code and small buffers get the rest of the platform's 128
const EVERY_ISOLATE = [`--max-old-space-size=${HEAP}`] // the flags apply to each isolate separately, including the stand-ins'
const TRACE = ['--expose-gc', '--trace-gc', '--trace-gc-verbose'] // `gc` lets the product's isolate identify itself (local/platform/main.ts)
const FULL_ONLY = '--trace-gc-ignore-scavenger'

/** For V8, as Miniflare reads them (MINIFLARE_WORKERD_V8_FLAGS). `young`: also report collections of the young generation. */
export function memoryFlags({ young = false } = {}) {
  return [...EVERY_ISOLATE, ...TRACE, ...(young ? [] : [FULL_ONLY])].join(' ')
}

/** Only the ceiling of the heap, where V8's reports are not read. */
export function heapFlags(mebibytes = HEAP) {
  return `--max-old-space-size=${mebibytes}`
}

const LINE = /^\[(\d+):(0x[0-9a-f]+)(?::\d+)?\] +(.*)$/
const COLLECTION = /(Mark-Compact|Scavenge|Minor Mark-Compact)(?: \(\w+\))? [\d.]+ \([\d.]+\) -> ([\d.]+) \(.*\) ([^;(]*);/
const BUFFERS = /^Backing store memory: +(\d+) KB/

/**
 * Follows the collections of the product's isolates, line by line. `exceeded` is called with a process that has too large an isolate. All
 * figures are in bytes.
 * @param {{limit?: number, exceeded?: (one: {process: number, heap: number, buffers: number}) => void}} [options]
 */
export function memoryWatch({ limit = objectLimits.maxMemoryBytes, exceeded = () => {} } = {}) {
  const isolates = new Map()
  const peak = { heap: 0, buffers: 0, live: 0, held: 0 }
  let collections = 0

  const measured = ({ full, heap, buffers, process }) => {
    collections++
    peak.held = Math.max(peak.held, heap + buffers)
    if (!full) return
    peak.heap = Math.max(peak.heap, heap)
    peak.buffers = Math.max(peak.buffers, buffers)
    peak.live = Math.max(peak.live, heap + buffers)
    if (heap + buffers > limit) exceeded({ process, heap, buffers })
  }

  return {
    /** Is this line V8's report about its memory? If so it is parsed. */
    reads(line) {
      const [, process, address, what] = LINE.exec(line) ?? []
      if (address === undefined) return false
      const isolate = `${process} ${address}`
      const [, kind, heap, reason = ''] = COLLECTION.exec(what) ?? []
      const known = isolates.get(isolate)
      if (kind !== undefined) {
        // Only the product's own code asks for a collection.
        const own = known?.own || reason.trim() === 'testing'
        isolates.set(isolate, { own, full: kind === 'Mark-Compact', heap: Number(heap) * MIB })
      }
      const [, buffers] = BUFFERS.exec(what) ?? []
      if (buffers !== undefined && known?.own) measured({ ...known, buffers: Number(buffers) * 1024, process: Number(process) })
      return true
    },
    /** The maxima so far: live bytes after full collections, and bytes held after any collection, including garbage. */
    peak: () => ({ ...peak, collections }),
  }
}

/** Miniflare's `handleRuntimeStdio`: V8's memory reports go to the watch, everything else to its usual place. */
export function readingBy(watch) {
  return (output, errors) => {
    createInterface(output).on('line', (line) => watch.reads(line) || console.log(line))
    createInterface(errors).on('line', (line) => console.error(line))
  }
}
