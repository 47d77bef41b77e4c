/** Documents left over when a file is put again but divided differently: parts beyond its last, the whole if it has parts now, parts if it is whole now. */
import { follow } from '../jobs/followed'
import { corpusAt } from '../shared/loam'
import { plural } from '../shared/numbers'
import type { Read } from './read-files'

const ONCE_SPLIT = 256 * 1024 // bytes from which a file is checked, since it may have been larger
const PAGE = 200 // documents

/** Deletes them; not for a file of which something was refused. */
export async function dropStale(corpus: string, { split, texts, alone }: Read, failed: ReadonlySet<string>): Promise<void> {
  const stale: string[] = []
  for (const { id, parts } of split) {
    if (Array.from({ length: parts }, (_, n) => `${id}#part-${n + 1}`).some((name) => failed.has(name))) continue
    if (await isThere(corpus, id)) stale.push(id)
    stale.push(...(await partsFrom(corpus, id, parts + 1)))
  }
  const whole = [
    ...texts.filter(({ text }) => text.length > ONCE_SPLIT).map(({ id }) => id),
    ...alone.filter(({ file, origin }) => file === origin && file.size > ONCE_SPLIT).map(({ id }) => id),
  ]
  for (const id of whole) if (!/#part-\d+$/.test(id) && !failed.has(id)) stale.push(...(await partsFrom(corpus, id, 1)))
  if (stale.length === 0) return
  const { job } = await corpusAt(corpus).batch({ deletes: stale })
  if (job) void follow(corpus, job, `deletion of ${plural(stale.length, 'earlier part')}`).catch(() => undefined)
}

/** Its parts from a number on, without a gap: those beyond one belong to somebody else. */
async function partsFrom(corpus: string, id: string, first: number): Promise<readonly string[]> {
  const there = await idsFrom(corpus, `${id}#part-`)
  const found: string[] = []
  for (let n = first; there.has(`${id}#part-${n}`); n++) found.push(`${id}#part-${n}`)
  return found
}

const isThere = async (corpus: string, id: string): Promise<boolean> =>
  (await corpusAt(corpus).page({ prefix: id, limit: 1 })).data[0]?.document === id

/** Listed, not asked for one by one: a browser reports each 404 as an error. */
async function idsFrom(corpus: string, prefix: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  let cursor: string | null = null
  do {
    const page = await corpusAt(corpus).page({ prefix, limit: PAGE, ...(cursor === null ? {} : { cursor }) })
    for (const { document } of page.data) found.add(document)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}
