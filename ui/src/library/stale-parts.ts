/** Documents left over when a file is put again but divided differently: parts beyond its last, the whole if it has parts now, parts if it is whole now. */
import { follow } from '../jobs/followed'
import { corpusAt, isStatus } from '../shared/loam'
import { plural } from '../shared/numbers'
import type { Read } from './read-files'

const ONCE_SPLIT = 256 * 1024 // bytes from which a file is checked, since it may have been larger

/** Deletes them; not for a file of which something was refused. */
export async function dropStale(corpus: string, { split, texts, alone }: Read, failed: ReadonlySet<string>): Promise<void> {
  const stale: string[] = []
  const isThere = (id: string) => documentIsThere(corpus, id)
  for (const { id, parts } of split) {
    if (Array.from({ length: parts }, (_, n) => `${id}#part-${n + 1}`).some((name) => failed.has(name))) continue
    if (await isThere(id)) stale.push(id)
    stale.push(...(await partsFrom(id, parts + 1, isThere)))
  }
  const whole = [
    ...texts.filter(({ text }) => text.length > ONCE_SPLIT).map(({ id }) => id),
    ...alone.filter(({ file, origin }) => file === origin && file.size > ONCE_SPLIT).map(({ id }) => id),
  ]
  for (const id of whole) if (!/#part-\d+$/.test(id) && !failed.has(id)) stale.push(...(await partsFrom(id, 1, isThere)))
  if (stale.length === 0) return
  const { job } = await corpusAt(corpus).batch({ deletes: stale })
  if (job) void follow(corpus, job, `deletion of ${plural(stale.length, 'earlier part')}`).catch(() => undefined)
}

async function partsFrom(id: string, first: number, isThere: (id: string) => Promise<boolean>): Promise<readonly string[]> {
  const found: string[] = []
  for (let n = first; await isThere(`${id}#part-${n}`); n++) found.push(`${id}#part-${n}`)
  return found
}

async function documentIsThere(corpus: string, id: string): Promise<boolean> {
  try {
    await corpusAt(corpus).chunks(id, { limit: 1 })
    return true
  } catch (error) {
    if (isStatus(error, 404)) return false
    throw error
  }
}
