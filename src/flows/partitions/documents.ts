/** Documents of a partitioned corpus: each request is split, and the partitions' answers are combined. */
import type { Document } from '../../contract/documents'
import type { Page } from '../../contract/pages'
import type { Asker } from '../../core/access/labels'
import { partOf } from '../../core/joint/part-of'
import type { Location } from '../../core/text/outline'
import type { Actor } from '../../ports/audit'
import type { Accepted } from '../../ports/jobs'
import type { CorpusObject } from '../../ports/object'
import type { Quote } from '../../ports/retrieval'
import type { Seeable, Seen } from '../../ports/visibility'
import { newJobId } from './jobs'
import { joinPages } from './joined-page'
import { byPart, type Divided } from './part'

type Parts = Divided['parts']
type Request = Parameters<CorpusObject['accept']>[0]
type Maintenance = Parameters<CorpusObject['maintain']>[0]
type MaintenanceOptions = Parameters<CorpusObject['maintain']>[1]
type Taken = Extract<Accepted, { readonly kind: 'accepted' }>
type Same = Extract<Accepted, { readonly kind: 'unchanged' }>

/** If one part refuses, what the others accepted is cancelled: nothing of the request is done. */
export async function accept(parts: Parts, request: Request, by?: Actor): Promise<Accepted> {
  const upserts = byPart(request.upserts, (one) => one.id, parts.length)
  const deletes = byPart(request.deletes, (id) => id, parts.length)
  const concerned = [...new Set([...upserts.keys(), ...deletes.keys()])]
  const job = newJobId(concerned.length === 1 ? concerned[0] : undefined)
  const answers = await Promise.all(
    concerned.map(async (part) => {
      const own = { ...request, upserts: upserts.get(part) ?? [], deletes: deletes.get(part) ?? [], job }
      const object = parts[part]
      return { object, accepted: object ? await object.accept(own, by) : ({ kind: 'gone' } as const) }
    }),
  )
  return (await refusal(answers, job, by)) ?? (await tooExpensive(answers, job, by)) ?? joinAccepted(acceptedOf(answers), request, job)
}

/**
 * Each partition does work on the whole corpus, as one job; work that one already has in progress stays its own job. If the call to one
 * partition fails, the others continue: when asked again they repeat the work, which changes nothing.
 */
export async function maintain(parts: Parts, kind: Maintenance, options: MaintenanceOptions, by?: Actor): Promise<Accepted> {
  const job = newJobId(undefined)
  const answers = await Promise.all(
    parts.map(async (object) => ({ object, accepted: await object.maintain(kind, { ...options, job }, by) })),
  )
  const refused = await refusal(answers, job, by)
  if (refused) return refused
  const jobs = new Set(acceptedOf(answers).flatMap((one) => (one.kind === 'accepted' ? one.job : [])))
  return { kind: 'accepted', job: jobs.size === 1 ? ([...jobs][0] ?? job) : job, documents: [] }
}

interface Answer {
  readonly object: CorpusObject | undefined
  readonly accepted: Accepted
}

const acceptedOf = (answers: readonly Answer[]): Accepted[] => answers.map(({ accepted }) => accepted)

/** The answer of a part that refused; the others then do nothing of it either. */
async function refusal(answers: readonly Answer[], job: string, by: Actor | undefined): Promise<Accepted | undefined> {
  const refused = answers.find(({ accepted }) => !['accepted', 'unchanged', 'missing', 'duplicate'].includes(accepted.kind))
  if (!refused) return undefined
  const taken = answers.filter(({ accepted }) => accepted.kind === 'accepted')
  await Promise.all(taken.map(({ object }) => object?.cancel(job, by)))
  return refused.accepted
}

/** Each part is within what is left of the budget; all of them together may not be. */
async function tooExpensive(answers: readonly Answer[], job: string, by: Actor | undefined): Promise<Accepted | undefined> {
  const costs = answers.flatMap(({ accepted }) => (accepted.kind === 'accepted' && accepted.cost ? [accepted.cost] : []))
  const sum = (of: 'tokens' | 'usd'): number => costs.reduce((total, { estimate }) => total + estimate[of], 0)
  const left = (of: 'tokens' | 'usd'): number => Math.min(...costs.map((one) => one.left[of] ?? Number.POSITIVE_INFINITY))
  if (sum('tokens') <= left('tokens') && sum('usd') <= left('usd')) return undefined
  await Promise.all(answers.map(({ object, accepted }) => (accepted.kind === 'accepted' ? object?.cancel(job, by) : null)))
  return { kind: 'over_budget', estimate: sum('tokens'), left: Number.isFinite(left('tokens')) ? left('tokens') : -1 }
}

function joinAccepted(answers: readonly Accepted[], { upserts }: Request, job: string): Accepted {
  const taken = answers.filter((one): one is Taken => one.kind === 'accepted')
  const same = answers.filter((one): one is Same => one.kind === 'unchanged')
  const [first] = answers
  if (taken.length === 0 && same.length === 0) return first ?? { kind: 'missing' }
  const answered = new Map([...taken, ...same].flatMap(({ documents }) => documents.map((one) => [one.document, one] as const)))
  const ids = [...new Set(upserts.map((one) => one.id))]
  if (taken.length > 0)
    return { kind: 'accepted', job, documents: ids.map((document) => answered.get(document) ?? { document, status: 'unchanged' }) }
  const versions = same.flatMap((one) => one.version ?? [])
  const version = versions.length > 0 ? { version: Math.max(...versions) } : {}
  const found = new Map(same.flatMap((one) => one.documents.map((own) => [own.document, own] as const)))
  const documents = ids.map((document) => found.get(document) ?? { document, status: 'unchanged' as const })
  return { kind: 'unchanged', documents, ...version }
}

/** In order of id; the cursor is the id after which the next page begins. */
export async function documents(parts: Parts, ...args: Parameters<CorpusObject['documents']>): Promise<Page<Document>> {
  const [, limit] = args
  const pages = await Promise.all(parts.map((part) => part.documents(...args)))
  return joinPages(pages, limit, ({ document }) => document)
}

export async function verify(parts: Parts, quotes: readonly Quote[]): Promise<readonly (Location | null)[]> {
  const found: (Location | null)[] = quotes.map(() => null)
  const places = byPart([...quotes.keys()], (place) => quotes[place]?.document ?? '', parts.length)
  await Promise.all(
    [...places].map(async ([part, own]) => {
      const asked = own.flatMap((place) => quotes[place] ?? [])
      const answers = (await parts[part]?.verify(asked)) ?? []
      for (const [i, place] of own.entries()) found[place] = answers[i] ?? null
    }),
  )
  return found
}

export async function seen(parts: Parts, things: Seeable, asker?: Asker): Promise<Seen> {
  const own = byPart(things.documents ?? [], (id) => id, parts.length)
  const all = await Promise.all(parts.map((part, i) => part.seen({ ...things, documents: own.get(i) ?? [] }, asker)))
  const outlines = all.flatMap((one) => (one.outlines ? [one.outlines] : []))
  const graphs = all.flatMap((one) => (one.graphs ? [one.graphs] : []))
  const languages = all.flatMap((one) => (one.languages ? [one.languages] : []))
  const each = <T>(items: readonly T[], idOf: (item: T) => string): T[] => [...new Map(items.map((item) => [idOf(item), item])).values()]
  return {
    documents: Object.assign({}, ...all.map((one) => one.documents)),
    inactive: all.flatMap((one) => one.inactive),
    ...(outlines.length > 0 ? { outlines: Object.assign({}, ...outlines) } : {}),
    ...(graphs.length > 0 ? { graphs: Object.assign({}, ...graphs) } : {}),
    ...(languages.length > 0 ? { languages: Object.assign({}, ...languages) } : {}),
    dates: Object.assign({}, ...all.map((one) => one.dates)),
    chunks: [...new Set(all.flatMap((one) => one.chunks))],
    nodes: each(
      all.flatMap((one) => one.nodes),
      (node) => node.id,
    ),
    edges: each(
      all.flatMap((one) => one.edges),
      (edge) => `${edge.kind} ${edge.source} ${edge.target}`,
    ),
    all: all.every((one) => one.all),
  }
}

export function objectFor(parts: Parts, document: string): CorpusObject {
  const object = parts[partOf(document, parts.length)]
  if (!object) throw new Error('partitions: there are none')
  return object
}
