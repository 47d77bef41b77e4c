/** Extraction: whether replies can be used, what they cost, and what of GPT-3.5's extraction of the same passages is in them. */

import { bulkOf } from '../../src/core/estimate/bulk'
import { extracting } from '../../src/core/estimate/work'
import { defaultSettings } from '../../src/core/strategies/default-settings'
import type { Extraction } from '../../src/core/strategy'
import { nameKey } from '../../src/core/text/names'
import { countTokens } from '../../src/core/text/tokens'
import { performTask } from '../../src/flows/task'
import { indexingWriters } from '../../src/flows/writers'
import type { Models } from '../../src/ports/models'
import type { TaskResult } from '../../src/ports/tasks'
import { outcomesOf, share } from './outcomes'
import type { Read } from './passages'
import { type Sampled, sampled, type Writer } from './sampling'

export interface Extracted {
  readonly read: Read
  readonly result: TaskResult
  readonly isUsable: boolean
}

const GRAPH = { units: false, graph: true } as const

export async function extraction(read: readonly Read[], writer: Writer, want: { units: boolean; graph: boolean } = GRAPH, json = true) {
  const done = await sampled(read, writer, (models, one) => extracted(models, one, want), json)
  const spending = want.units ? {} : { estimate: estimates(done.results, indexingWriters(writer.models([]))) }
  return { ...outcomesOf(done), ...agreement(done.results), ...drawn(done), ...spending }
}

async function extracted(models: Models, read: Read, want: { units: boolean; graph: boolean }): Promise<Extracted> {
  const brief = { kind: 'extract', name: read.title, text: read.text, want } as const
  const result = await performTask(models, { id: 1, node: 's_bench', input: 'bench', brief })
  return { read, result, isUsable: result.reply.kind !== 'unusable' }
}

function extractionOf({ reply }: TaskResult): Extraction | undefined {
  return reply.kind === 'extract' ? reply.extraction : undefined
}

function drawn({ results }: Sampled<Extracted>) {
  const all = results.map(({ result }) => extractionOf(result))
  const mean = (pick: (one: Extraction) => number) =>
    Number((all.reduce((sum, one) => sum + (one ? pick(one) : 0), 0) / Math.max(1, all.length)).toFixed(1))
  const dropped: { [kind: string]: number } = {}
  for (const { result } of results) for (const [kind, n] of Object.entries(result.dropped ?? {})) dropped[kind] = (dropped[kind] ?? 0) + n
  return {
    units: mean((one) => one.units.length),
    entities: mean((one) => one.entities.length),
    relations: mean((one) => one.relations.length),
    described: share(
      all.flatMap((one) => one?.entities ?? []),
      (one) => one.description !== '',
    ),
    typed: share(
      all.flatMap((one) => one?.entities ?? []),
      (one) => one.type !== '',
    ),
    dropped,
    material: results.reduce((sum, { read }) => sum + countTokens(`${read.title}\n${read.text}`), 0),
  }
}

/** What was spent, as a share of what `/estimate` says of the same documents: of all, of those the rates are taken from (every other one), and of the rest. */
function estimates(results: Sampled<Extracted>['results'], writers: string) {
  const half = (odd: number) =>
    estimated(
      results.filter((_, i) => i % 2 === odd),
      writers,
    )
  return { ...estimated(results, writers), taken: half(0), unseen: half(1) }
}

function estimated(results: Sampled<Extracted>['results'], writers: string): { readonly in: number; readonly out: number } {
  const settings = { ...defaultSettings, models: `none ${writers}` }
  const bulk = bulkOf(
    results.map(({ read }) => read),
    settings.chunking,
  )
  const expected = extracting(bulk, 1, 'likely', settings)
  const spent = (sort: 'in' | 'out'): number =>
    results.reduce((sum, { heard }) => sum + heard.reduce((all, { reply }) => all + (reply?.spent[sort] ?? 0), 0), 0)
  return { in: ratio(spent('in'), expected.in), out: ratio(spent('out'), expected.out) }
}

/** Over all passages together. A name is right if the reference has it among its entities or at an end of a triple; a pair, whichever way round. */
function agreement(results: readonly Extracted[]) {
  const sums = { names: 0, knownNames: 0, wanted: 0, found: 0, pairs: 0, knownPairs: 0, wantedPairs: 0, foundPairs: 0 }
  for (const { read, result } of results) {
    if (!read.reference) continue
    const own = extractionOf(result)
    const names = new Set((own?.entities ?? []).map(({ name }) => nameKey(name)))
    const pairs = new Set((own?.relations ?? []).map(({ source, target }) => pairKey(source, target)))
    const triples = read.reference.triples.flatMap(([source, , target]) => (source && target ? [[source, target] as const] : []))
    const entities = new Set(read.reference.names.map(nameKey))
    const known = new Set([...entities, ...triples.flat().map(nameKey)])
    const related = new Set(triples.map(([source, target]) => pairKey(source, target)))
    sums.names += names.size
    sums.knownNames += both(names, known)
    sums.wanted += entities.size
    sums.found += both(entities, names)
    sums.pairs += pairs.size
    sums.knownPairs += both(pairs, related)
    sums.wantedPairs += related.size
    sums.foundPairs += both(related, pairs)
  }
  if (sums.wanted === 0) return {}
  return {
    names: { precision: ratio(sums.knownNames, sums.names), recall: ratio(sums.found, sums.wanted) },
    pairs: { precision: ratio(sums.knownPairs, sums.pairs), recall: ratio(sums.foundPairs, sums.wantedPairs) },
  }
}

function both(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((one) => b.has(one)).length
}

function pairKey(a: string, b: string): string {
  return [nameKey(a), nameKey(b)].sort().join('\n')
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Number((part / whole).toFixed(3))
}
