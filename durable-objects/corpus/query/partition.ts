/**
 * A partition's answer to a question to the whole corpus: the walk runs elsewhere (src/flows/partitions), and reads from here what the
 * asker may see. Writes nothing.
 */
import type { Search, Trees } from '../../../src/core/graph/reader'
import { answerReads, countsOf, openedOf } from '../../../src/core/joint/answering'
import { documentsAmong } from '../../../src/core/joint/documents-among'
import { searchIn } from '../../../src/core/joint/match'
import { type Read, readLimits } from '../../../src/core/joint/reads'
import { questionTerms } from '../../../src/core/language/question-terms'
import { embeddingOf } from '../../../src/core/settings'
import { isEnabled, strategies, treesOf } from '../../../src/core/strategies/registry'
import type { Strategy } from '../../../src/core/strategy'
import type {
  PartitionAnswer,
  PartitionEntries,
  PartitionEvidence,
  PartitionQuestion,
  PartitionRequest,
  PartitionShown,
} from '../../../src/ports/partition'
import { isCapped } from '../billing/usage'
import { newReadAllowance } from '../outbox/nearest-unindexed'
import type { CorpusContext } from '../store'
import { isForgettingUntold } from '../tables/report'
import { listLanguagesOf } from '../tables/spoken'
import { withDates } from './dates'
import { entryPoints, namedEntryPoints } from './entry-points'
import { withLocations } from './locations'
import { admitsChunk, isOfOther, seenBy } from './retrieve'
import { admittedBySaved } from './saved-filters'
import { countFacets, worthOf } from './worth'

type Refused = Exclude<PartitionAnswer, { readonly kind: 'read' }>

export function readPartition(context: CorpusContext, { question, reads, counts, entries }: PartitionRequest): PartitionAnswer {
  const view = viewFor(context, question)
  if ('kind' in view) return view
  const { graph, admits, documents, worth } = view
  const search = searchIn(graph, admits)
  const trees = reads.some(isOfTrees) ? treesFor(context, view, question, search) : undefined
  const answers = answerReads(graph, reads, { search, trees, omits: question.omits })
  const entered = entries && question.vector ? enter(context, view, question, entries) : undefined
  const named = new Set([
    ...documentsAmong(reads, answers),
    ...(entered?.found.chunks ?? []).flatMap(({ placements }) => placements.map((one) => one.document)),
  ])
  return {
    kind: 'read',
    version: graph.version,
    answers,
    ...(counts ? { counts: countsOf(graph), settings: context.config.settings } : {}),
    ...(counts && isCapped(context) ? { isCapped: true as const } : {}),
    ...(counts && isForgettingUntold(context.sql) ? { isForgetting: true as const } : {}),
    ...(entered ? { entries: entered.found } : {}),
    ...(documents ? { admitted: [...named].filter((id) => documents.has(id)) } : {}),
    ...(worth ? { worth: [...named].map((id) => [id, worth(id)] as const) } : {}),
    ...(entered?.isPartial ? { partial: true as const } : {}),
  }
}

const isOfTrees = ([kind]: Read): boolean => kind === 'above' || kind === 'below'

function treesFor(
  { config }: CorpusContext,
  { graph, admits }: View,
  { text, vector }: PartitionQuestion,
  search: Search,
): Trees | undefined {
  const trees = treesOf(config.strategies)
  if (!trees) return undefined
  const { terms } = questionTerms(graph, text)
  return trees(graph, { text, terms, near: {}, ...(vector ? { vector } : {}), ...(admits ? { admits } : {}) }, search)
}

/** What was found here, with its dates and places; and the facets of hits in this partition. */
export function showPartition(context: CorpusContext, { question, evidence, facets }: PartitionEvidence): PartitionShown {
  const view = viewFor(context, question)
  if ('kind' in view) return { evidence: [] }
  const { graph, documents } = view
  const shown = withDates(context.sql, withLocations(context, graph, evidence))
  if (!facets) return { evidence: shown }
  const admits = (document: string): boolean => documents?.has(document) ?? true
  return { evidence: shown, facets: countFacets(graph, facets.hits, facets.keys, admits, (ids) => listLanguagesOf(context.sql, ids)) }
}

function viewFor(context: CorpusContext, question: PartitionQuestion) {
  const strategy = strategies.get(question.strategy)
  if (!strategy || !isEnabled(question.strategy, context.config.strategies)) return refused({ kind: 'strategy_not_enabled' })
  if (question.vector && isOfOther(context, question.embedded, question.vector))
    return refused({ kind: 'moved', embedding: embeddingOf(context.config.settings) })
  const documents = admittedBySaved(context, question.filters)
  if (documents && 'missing' in documents) return refused({ kind: 'filter_unknown', filter: documents.missing })
  const { sight, graph, few, dates } = seenBy(context, question)
  const admits = documents && admitsChunk(graph, documents)
  return { strategy, sight, graph, few, documents, admits, worth: worthOf(question, graph, dates) }
}

const refused = (one: Refused): Refused => one

type View = Exclude<ReturnType<typeof viewFor>, Refused>

function enter(
  context: CorpusContext,
  { strategy, sight, graph, few, documents, admits }: View & { readonly strategy: Strategy },
  { text, vector = new Int8Array(), omits }: PartitionQuestion,
  { near: shown, names }: NonNullable<PartitionRequest['entries']>,
): { readonly found: PartitionEntries; readonly isPartial: boolean } {
  const allowed = newReadAllowance()
  const { terms } = questionTerms(graph, text)
  const asked = { vector, terms, shown, documents, allowed, graph, sight, few, ...(admits ? { admits } : {}) }
  const near = entryPoints(context, strategy, asked)
  const named = namedEntryPoints(context, strategy, names, asked)
  const opened = (near.passage ?? []).slice(0, Math.ceil(readLimits.opened / 2)).map((hit) => hit.id)
  return { found: { near, ...(named ? { names: named } : {}), ...openedOf(graph, opened, omits) }, isPartial: allowed.isExceeded }
}
