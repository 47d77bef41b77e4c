/** Documents as they are passed to the object, and its answer: accepted, or the problem that says why not. */
import { datesOf } from '../../contract/dates'
import type { documentSchema, Put } from '../../contract/documents'
import type { SentGraph } from '../../core/text/brought'
import type { CorrectionKept, DocumentInput } from '../../ports/documents'
import type { Accepted } from '../../ports/jobs'
import { notFound, Problem } from '../problem'

const databaseFull = (bytes: number): Problem => {
  const detail =
    'The database of this corpus is full. Put further documents into a new corpus, which gets another database, or delete corpora that use this one.'
  return new Problem('database_full', detail, { members: { limit: bytes, of: 'database_bytes' } })
}

const ROOM =
  'Divide it into (more) partitions, in place and while it serves: each holds this much (`loam repartition 8`, or POST …:repartition; docs/partitions.md). Or delete documents, or put further ones into another corpus: several can be asked together.'

const corpusFull = (what: string, max: number): Problem => {
  const detail = `These documents would take the corpus over ${max.toLocaleString('en')} ${what}: one object holds all of it. ${ROOM}`
  return new Problem('corpus_full', detail, { members: { limit: max, of: what } })
}

const storageFull = (bytes: number): Problem => {
  const detail = `These documents would take the storage of the corpus, which one object holds, over ${bytes / 1e9} GB; the rest of the object is left for deletions. ${ROOM}`
  return new Problem('storage_full', detail, { members: { limit: bytes, of: 'storage_bytes' } })
}

const indexFull = (vectors: number): Problem => {
  const detail =
    'The vector index of this deployment is full. Delete documents or corpora, or put further documents into another deployment.'
  return new Problem('index_full', detail, { members: { limit: vectors, of: 'index_vectors' } })
}

type Taken = Extract<Accepted, { kind: 'accepted' }>

export function requireAccepted(accepted: Accepted): Taken {
  switch (accepted.kind) {
    case 'accepted':
      return accepted
    case 'over_budget': {
      const { estimate, left } = accepted
      throw new Problem('over_budget', 'The budget does not cover the estimate.', { members: { estimate, left } })
    }
    case 'full': {
      const { what, max } = accepted
      if (what === 'database_bytes') throw databaseFull(max)
      if (what === 'storage_bytes') throw storageFull(max)
      if (what === 'index_vectors') throw indexFull(max)
      throw corpusFull(what, max)
    }
    case 'precondition_failed':
      throw new Problem('precondition_failed', 'The document has changed since.')
    case 'missing':
      throw notFound('document')
    case 'gone':
      throw notFound('corpus')
    case 'unchanged':
    case 'duplicate':
      throw new Error('documents: nothing was accepted')
  }
}

type Sent = Omit<ReturnType<typeof documentSchema.parse>, 'graph'> & {
  readonly graph?: SentGraph | null | undefined
  readonly file?: Uint8Array | undefined
}

export function inputOf(sent: Sent): Omit<DocumentInput, 'id'> {
  const { text, title, url, metadata, access, active, outline, language, graph, file } = sent
  const visibility = { ...(access ? { access } : {}), ...(active == null ? {} : { active }) }
  const brought = graph && graph.entities.length + graph.relations.length > 0 ? { brought: graph } : {}
  const read = {
    ...(file ? { file } : {}),
    ...brought,
    ...(outline?.length ? { outline } : {}),
    ...(language ? { language } : {}),
    dates: datesOf(sent),
  }
  return { text, title: title ?? '', url: url ?? null, metadata: metadata ?? {}, ...visibility, ...read }
}

/** If only labels changed, the version from which they apply. */
export function versionOf({ version }: Extract<Accepted, { kind: 'unchanged' }>): { readonly version?: number } {
  return version === undefined ? {} : { version }
}

/** Pages of a scan that could not be read. */
export function unreadIn({ outline = [] }: Pick<DocumentInput, 'outline'>): Pick<Put, 'unread'> {
  const unread = outline.flatMap(({ page, unread: why }) => (why === undefined ? [] : [{ ...(page === undefined ? {} : { page }), why }]))
  return unread.length > 0 ? { unread } : {}
}

/** For one document: what happens to its corrections. */
export function correctionOf({ documents: [one] }: Pick<Taken, 'documents'>): { readonly correction?: CorrectionKept } {
  return one?.correction ? { correction: one.correction } : {}
}
