/** The state and costs of a partitioned corpus: what its partitions report, added up. */
import type { Amounts } from '../../contract/usage'
import type { Asker } from '../../core/access/labels'
import type { CorpusView } from '../../ports/corpus'
import type { CorpusSize } from '../../ports/repartition'
import type { UsageView } from '../../ports/spending'
import { addNumbers, addProgress } from './jobs'
import { joinPages } from './joined-page'
import type { Divided } from './part'

const ORDER: readonly CorpusView['status'][] = ['restoring', 'paused_budget', 'indexing', 'settled']

/** Null: there is no corpus. The costs of questions belong to the whole. */
export async function view({ whole, parts }: Divided, asker?: Asker): Promise<CorpusView | null> {
  const [own, ...views] = await Promise.all([whole, ...parts].map((one) => one.view(asker)))
  const told = views.flatMap((one) => one ?? [])
  if (!own || told.length < parts.length) return null
  const progress = told.flatMap((one) => one.progress ?? [])
  const reranking = told.find((one) => one.reranking)?.reranking
  return {
    status: ORDER.find((status) => told.some((one) => one.status === status)) ?? 'settled',
    tuning: told.some((one) => one.tuning),
    ...(reranking ? { reranking } : {}),
    ...(progress.length > 0 ? { progress: progress.reduce(addProgress) } : {}),
    version: told.reduce((sum, one) => sum + one.version, 0),
    versions: told.map((one) => one.version),
    counts: told.map((one) => one.counts).reduce(addNumbers),
    usage: addNumbersOf([own, ...told].map((one) => one.usage)),
  }
}

function addNumbersOf<T extends { readonly [name in keyof T]: number }>(all: readonly T[]): T {
  return all.reduce((a, b) => addNumbers(a, b) as T)
}

/** Documents by id, one page over all partitions. */
export async function usage({ whole, parts }: Divided, cursor: string | null, limit: number, asker?: Asker): Promise<UsageView> {
  const [own, ...others] = await Promise.all([whole.usage(null, 1, 'all'), ...parts.map((part) => part.usage(cursor, limit, asker))])
  const all = [own, ...others]
  const measured = others.find((one) => one.measured)?.measured ?? null
  return {
    total: addNumbersOf(all.map((one) => one.total)),
    stages: all.map((one) => one.stages).reduce(addStages),
    rows_published: all.reduce((sum, one) => sum + one.rows_published, 0),
    shared: {
      ...addNumbersOf(all.map(({ shared: { stages: _, ...amounts } }): Amounts => amounts)),
      stages: all.map((one) => one.shared.stages).reduce(addStages),
    },
    budget: own.budget,
    held: addNumbersOf(all.map((one) => one.held)),
    ...(own.prices ? { prices: own.prices } : {}),
    answers: own.answers,
    measured,
    ...joinPages(others, limit, ({ document }) => document),
  }
}

/** Null: there is no corpus. */
export function joinSizes(told: readonly (CorpusSize | null)[]): CorpusSize | null {
  const sizes = told.flatMap((one) => one ?? [])
  if (sizes.length < told.length || sizes.length === 0) return null
  const counts = sizes.map(({ summaries: _, ...size }) => size)
  return { ...addNumbersOf(counts), summaries: addNumbersOf(sizes.map(({ summaries }) => summaries)) }
}

type Stages = UsageView['stages']

function addStages(a: Stages, b: Stages): Stages {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
  return Object.fromEntries(
    names.flatMap((name) => {
      const both = [a[name], b[name]].flatMap((one) => one ?? [])
      return both.length > 0 ? [[name, addNumbersOf(both)] as const] : []
    }),
  )
}
