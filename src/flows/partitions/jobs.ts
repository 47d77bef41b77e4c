/**
 * Jobs of a partitioned corpus. A request that concerns one partition is a job there, and its id says which; the parts of any other request
 * share one id, and the job is done when all of them are.
 */
import type { Job, JobStatus, Progress } from '../../contract/jobs'
import type { Page } from '../../contract/pages'
import type { Spent } from '../../contract/usage'
import type { CorpusObject } from '../../ports/object'
import type { Divided } from './part'

type Parts = Divided['parts']

const IN_PART = /_(\d\d)$/

/** `part`: the partition that does all of it; undefined: several. */
export function newJobId(part: number | undefined): string {
  const id = `j_${crypto.randomUUID().replaceAll('-', '')}`
  return part === undefined ? id : `${id}_${String(part).padStart(2, '0')}`
}

function partsFor(parts: Parts, id: string): Parts {
  const own = IN_PART.exec(id)?.[1]
  return own === undefined ? parts : parts.slice(Number(own), Number(own) + 1)
}

export async function jobOf(parts: Parts, id: string, ask: (part: CorpusObject) => Promise<Job | null>): Promise<Job | null> {
  const found = await Promise.all(partsFor(parts, id).map(ask))
  return joinJobs(found.flatMap((one) => one ?? []))
}

/** Newest first from each partition, all partitions in turn. A job of several partitions is listed where the first of them lists it. */
export async function jobsOf(parts: Parts, cursor: string | null, limit: number): Promise<Page<Job>> {
  const places = cursor === null ? parts.map(() => '') : placesIn(cursor, parts.length)
  const share = Math.max(1, Math.floor(limit / parts.length))
  const pages = await Promise.all(
    parts.map((part, i): Promise<Page<Job>> | Page<Job> => {
      const place = places[i]
      return place === null || place === undefined ? { data: [], next_cursor: null } : part.jobs(place === '' ? null : place, share)
    }),
  )
  const listed = Array.from({ length: share }, (_, rank) =>
    pages.flatMap(({ data }, part) => data.slice(rank, rank + 1).map((job) => ({ job, part }))),
  ).flat()
  const data = await Promise.all(listed.map((one) => wholeJob(parts, one)))
  const next = pages.map((page) => page.next_cursor)
  return { data: data.flatMap((one) => one ?? []), next_cursor: next.some((one) => one !== null) ? JSON.stringify(next) : null }
}

async function wholeJob(parts: Parts, { job, part }: { readonly job: Job; readonly part: number }): Promise<Job | null> {
  if (IN_PART.test(job.job)) return job
  const all = await Promise.all(parts.map((one, i) => (i === part ? job : one.job(job.job, 0))))
  return all.findIndex((one) => one !== null) === part ? joinJobs(all.flatMap((one) => one ?? [])) : null
}

/** Assumed to come from `jobsOf`; anything else starts again. */
function placesIn(cursor: string, count: number): readonly (string | null)[] {
  try {
    const places: unknown = JSON.parse(cursor)
    if (Array.isArray(places) && places.length === count) return places.map((one) => (typeof one === 'string' ? one : null))
  } catch {
    // a cursor from something else
  }
  return Array.from({ length: count }, () => '')
}

/** The first of these states that any part is in. */
const ORDER: readonly JobStatus[] = ['running', 'queued', 'paused_budget', 'failed', 'cancelled', 'succeeded']

export function joinJobs(jobs: readonly Job[]): Job | null {
  const [first] = jobs
  if (!first || jobs.length === 1) return first ?? null
  const begun = jobs.some((one) => one.status !== 'queued')
  const status = ORDER.find((one) => jobs.some((job) => job.status === one)) ?? first.status
  const receipts = jobs.flatMap((one) => one.receipt ?? [])
  const receipt = receipts.length === jobs.length ? receipts.reduce(addReceipts) : undefined
  const error = jobs.find((one) => one.error)?.error
  return {
    job: first.job,
    kind: first.kind,
    status: status === 'queued' && begun ? 'running' : status,
    progress: {
      done: sum(jobs, (one) => one.progress.done),
      total: sum(jobs, (one) => one.progress.total),
      ...jobs.map((one): Progress => one.progress).reduce(addProgress),
    },
    usage: jobs.map((one) => one.usage).reduce(addSpent),
    ...(receipt ? { receipt } : {}),
    ...(error === undefined ? {} : { error }),
  }
}

type Receipt = NonNullable<Job['receipt']>

function addReceipts(a: Receipt, b: Receipt): Receipt {
  const shared = [...new Set([...(a.shared_with ?? []), ...(b.shared_with ?? [])])]
  const texts = (a.texts_embedded ?? 0) + (b.texts_embedded ?? 0)
  return {
    version: Math.max(a.version, b.version),
    touched: addNumbers(a.touched, b.touched) as Receipt['touched'],
    rows_written: a.rows_written + b.rows_written,
    model_calls: addNumbers(a.model_calls, b.model_calls),
    tokens: addSpent(a.tokens, b.tokens),
    texts_embedded: texts,
    ms: Math.max(a.ms, b.ms),
    ...(shared.length > 0 ? { shared_with: shared } : {}),
  }
}

/** Partitions work in parallel: the slowest determines the time. */
export function addProgress(a: Progress, b: Progress): Progress {
  const counts = (name: 'documents' | 'chunks' | 'texts') => ({ done: a[name].done + b[name].done, total: a[name].total + b[name].total })
  const left = [a, b].some(isUnknown) ? [] : [a.seconds_left, b.seconds_left].flatMap((one) => one ?? [])
  return {
    documents: counts('documents'),
    chunks: counts('chunks'),
    texts: counts('texts'),
    ...(a.rate || b.rate ? { rate: addNumbers(a.rate ?? {}, b.rate ?? {}) } : {}),
    ...(left.length > 0 ? { seconds_left: Math.max(...left) } : {}),
  }
}

const isUnknown = ({ chunks, texts, seconds_left }: Progress): boolean =>
  seconds_left === undefined && (chunks.done < chunks.total || texts.done < texts.total)

export function addSpent(a: Spent, b: Spent): Spent {
  return { in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded }
}

type Numbers = { readonly [name: string]: number | undefined }

export function addNumbers(a: Numbers, b: Numbers): { [name: string]: number } {
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return Object.fromEntries([...names].map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]))
}

function sum<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((total, one) => total + of(one), 0)
}
