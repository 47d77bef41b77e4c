/**
 * What a partitioned corpus sends out and fetches. Endpoints are in its own object, and so is what sources of many documents list. Their
 * documents go to the partitions first, then the report is stored: a report that was not stored brings the same documents again, which
 * changes nothing. A source of one page is in the partition of its document, which takes in what is fetched and records it in one step.
 */
import { fingerprint } from '../../core/ids'
import { partOf } from '../../core/joint/part-of'
import type { CorpusObject } from '../../ports/object'
import type { OutboundObject } from '../../ports/outbound'
import { type Listing, type Looks, type SourceOutcome, type Took, tookOf } from '../../ports/sources'
import { accept, seen } from './documents'
import { joinPages } from './joined-page'

interface Corpus extends Pick<CorpusObject, 'tellPartitions'> {
  readonly parts: readonly CorpusObject[]
}

export function partitionedOutbound(whole: OutboundObject, parts: readonly OutboundObject[], corpus: Corpus): OutboundObject {
  const all = [whole, ...parts]
  /** The object that has a source; else any, which says that there is none. */
  const ownerOf = async (id: string): Promise<OutboundObject> => {
    const found = await Promise.all(all.map((one) => one.source(id, 'all')))
    return all[found.findIndex((one) => one !== null)] ?? whole
  }
  const isHere = async (documents: readonly string[]): Promise<ReadonlySet<string>> => {
    const found = documents.length > 0 ? await seen(corpus.parts, { documents, withInactive: true }, 'all') : { documents: {} }
    return new Set(Object.keys(found.documents))
  }
  return {
    ...whole,
    async sources(cursor, limit, asker) {
      const pages = await Promise.all(all.map((one) => one.sources(cursor, limit, asker)))
      return joinPages(pages, limit, ({ id }) => id)
    },
    source: async (id, asker) => (await ownerOf(id)).source(id, asker),
    async addSource(input, by) {
      if ((input.kind ?? 'page') !== 'page') return whole.addSource(input, by)
      if ((await whole.provided([input.document])).length > 0) return 'taken'
      return (parts[partOf(input.document, parts.length)] ?? whole).addSource(input, by)
    },
    removeSource: async (id, documents, by) => (await ownerOf(id)).removeSource(id, documents, by),
    async sourceItems(id, page, asker) {
      const found = await (await ownerOf(id)).sourceItems(id, page, 'all')
      if (asker === 'all' || found.data.length === 0) return found
      const documents = found.data.map(({ document }) => document)
      const [here, shown] = await Promise.all([isHere(documents), seen(corpus.parts, { documents, withInactive: true }, asker)])
      return { ...found, data: found.data.filter(({ document }) => !here.has(document) || shown.documents[document] !== undefined) }
    },
    askSource: async (id, why, by) => (await ownerOf(id)).askSource(id, why, by),
    /** What is not in its partition any more is fetched whole. */
    async claimSource(id) {
      const order = await whole.claimSource(id)
      if (order.kind !== 'go' || order.task !== 'items') return order
      const here = await isHere(order.items.flatMap(({ document, known }) => (known ? document : [])))
      return { ...order, items: order.items.map((item) => (here.has(item.document) ? item : { ...item, known: null })) }
    },
    async closeSource(id, attempt, outcome) {
      if (outcome.kind !== 'listed' && outcome.kind !== 'looked') return whole.closeSource(id, attempt, outcome)
      const own = outcome.kind === 'listed' ? await withoutPages(outcome) : withoutArchives(outcome)
      const report = bare(own)
      const planned = await whole.plannedFor(id, attempt, report)
      if (!planned) return
      const took = await take(id, attempt, own, planned)
      return whole.closeSource(id, attempt, report, took)
    },
  }

  /** Without what a source of one page provides. */
  async function withoutPages(listing: Listing): Promise<Listing> {
    const documents = listing.entries.map(({ document }) => document)
    const taken = new Set((await Promise.all(parts.map((one) => one.provided(documents)))).flat())
    return taken.size === 0 ? listing : { ...listing, entries: listing.entries.filter(({ document }) => !taken.has(document)) }
  }

  /** What was to be deleted before is: a document that comes again stays. */
  async function take(
    id: string,
    attempt: number,
    outcome: Listing | Looks,
    { documents, access }: { readonly documents: readonly string[]; readonly access: readonly string[] },
  ): Promise<Took> {
    if (documents.length === 0) return { kind: 'unchanged' }
    const untold = await corpus.tellPartitions()
    if (untold.length > 0) throw new Error('sources: a partition does not answer')
    const wanted = new Set(documents)
    const upserts = documentsOf(outcome)
      .filter((one) => wanted.has(one.id))
      .map((one) => ({ ...one, ...(access.length > 0 ? { access } : {}) }))
    const kind = upserts.length === 1 ? 'ingest' : 'batch'
    const events = [fingerprint(id, attempt)]
    return tookOf(await accept(corpus.parts, { kind, upserts, deletes: [], events }, { key: id, door: 'source' }))
  }
}

/** Which documents an archive has brought, only their partitions would know, and nobody would delete them when it is gone: it is refused. */
function withoutArchives(looked: Looks): Looks {
  const looks = looked.looks.map((one) =>
    one.outcome.kind === 'unpacked' ? { ...one, outcome: { kind: 'failed' as const, last: 'archive' } } : one,
  )
  return { ...looked, looks }
}

function documentsOf(outcome: Listing | Looks) {
  if (outcome.kind === 'listed') return outcome.entries.flatMap(({ content }) => content ?? [])
  return outcome.looks.flatMap((one) => (one.outcome.kind === 'fetched' ? one.outcome.document : []))
}

/** The report without texts, which are of no concern to the object that stores it. */
function bare<T extends SourceOutcome>(outcome: T): T {
  const empty = { text: '' }
  if (outcome.kind === 'listed') {
    const entries = outcome.entries.map((one) => (one.content ? { ...one, content: { ...withoutFile(one.content), ...empty } } : one))
    return { ...outcome, entries }
  }
  if (outcome.kind !== 'looked') return outcome
  const looks = outcome.looks.map(({ key, outcome: one }) => ({
    key,
    outcome: one.kind === 'fetched' ? { ...one, document: { ...withoutFile(one.document), ...empty } } : one,
  }))
  return { ...outcome, looks }
}

const withoutFile = <T extends { readonly file?: unknown }>({ file: _, ...rest }: T): Omit<T, 'file'> => rest
