/**
 * A question to a corpus with several partitions. The strategy walks over all of them as over one graph (core/joint): what the walk lacks
 * is read from all partitions in parallel, and the walk starts again, in one round of counts and one or two rounds of reading. If the
 * versions before and after are the same, everything was read from one version of the whole; if they have moved twice, the last reading is
 * used, with each part from one version of its own.
 */

import { type Evidence, present } from '../../core/evidence'
import type { Hit, NodeKind } from '../../core/graph/types'
import { chunkOf, kindOf } from '../../core/ids'
import { JointGraph } from '../../core/joint/joint-graph'
import { partOf } from '../../core/joint/part-of'
import type { Read } from '../../core/joint/reads'
import { frequenciesOf, questionTerms } from '../../core/language/question-terms'
import { MAX_TERMS } from '../../core/reader/question-terms'
import { presentation, retrieveSelected } from '../../core/selection'
import type { Settings } from '../../core/settings'
import { rerankWeightFor } from '../../core/strategies/auto/rerank-weight'
import { defaultSettings } from '../../core/strategies/default-settings'
import { isJoint } from '../../core/strategies/joint'
import { strategies } from '../../core/strategies/registry'
import type { Query, QuestionName, Strategy } from '../../core/strategy'
import type { AboveObject } from '../../ports/above'
import type { PartitionAnswer, PartitionQuestion } from '../../ports/partition'
import type { FacetCounts, RetrieveRequest, RetrieveResult } from '../../ports/retrieval'
import { sumFacets } from '../several/facets'
import type { Divided } from './part'
import { isClimbing, raise } from './raise'
import type { Found } from './walked'
import { best, inTime, joinNames, jointRounds, moreRounds, pathsOf, questionOf } from './walking'

const limits = {
  attempts: 2, // while versions move
  counted: 100, // hits whose documents are counted by their metadata
} as const

type Answered = Extract<PartitionAnswer, { readonly kind: 'read' }>
type Refused = Exclude<PartitionAnswer, Answered>

type Asked = Pick<Divided, 'parts'> & { readonly whole?: AboveObject }
export async function retrieveJointly(divided: Asked, request: RetrieveRequest): Promise<RetrieveResult> {
  const strategy = strategies.get(request.strategy)
  if (!strategy || !isJoint(request.strategy)) return { kind: 'strategy_not_enabled' }
  for (let attempt = 1; ; attempt++) {
    const walk = new JointWalk(divided, strategy, request)
    const result = await walk.run()
    if (walk.hasMoved && attempt < limits.attempts) continue
    return result
  }
}

class JointWalk {
  hasMoved = false
  readonly #parts: Divided['parts']
  readonly #whole: AboveObject | undefined
  readonly #strategy: Strategy
  #settings: Settings = defaultSettings // until the partitions have reported theirs
  readonly #request: RetrieveRequest
  readonly #question: PartitionQuestion
  readonly #graph: JointGraph
  readonly #versions = new Map<number, number>()
  readonly #silent = new Set<number>()
  readonly #admitted = new Set<string>()
  readonly #worth = new Map<string, number>()
  #near: { [kind in NodeKind]?: readonly Hit[] } = {}
  #names: readonly QuestionName[] | undefined
  #isPartial = false
  #isCapped = false
  #isForgetting = false

  constructor({ parts, whole }: Asked, strategy: Strategy, request: RetrieveRequest) {
    const count = parts.length
    this.#parts = parts
    this.#whole = whole
    this.#strategy = strategy
    this.#request = request
    this.#graph = new JointGraph({ count, partOf: (id) => partOf(id, count) })
    this.#question = questionOf(request, strategy)
  }

  async run(): Promise<RetrieveResult> {
    for (let round = 0; ; round++) {
      const walked = this.#walk()
      const more = walked.kind === 'wanted' ? 0 : moreRounds(this.#graph, walked.found.found, walked.shown)
      const lacking = this.#graph.take()
      const rounds = jointRounds((this.#near.passage ?? []).length > 0, this.#strategy, isClimbing(lacking)) + more
      if (round > 0 && (lacking.size === 0 || round > rounds))
        return walked.kind === 'wanted' ? { ...walked, ...this.#held } : this.#shown(walked)
      const [refused] = await Promise.all([this.#read(lacking, round === 0), round > 0 && isClimbing(lacking) && this.#raise()])
      if (refused) return refused
      if (round === 0 && this.#graph.version < (this.#request.minVersion ?? 0)) return { kind: 'behind', version: this.#graph.version }
    }
  }

  #walk(): Found | Extract<RetrieveResult, { readonly kind: 'wanted' }> {
    const { scores = [], topK: wanted, budget: room, pool, whole, options: own, trace, text, vector, strategy } = this.#request
    const graph = this.#graph
    const weight = pool ? rerankWeightFor(graph, { strategy, options: own }, this.#settings) : 0
    const wider = pool && (weight > 0 || own.select === 'model') ? pool : undefined
    const { topK, budget } = wider ?? { topK: wanted, budget: room }
    const asked = questionTerms(graph, text)
    const isFiltered = this.#request.filters !== undefined
    const documents = isFiltered ? this.#admitted : undefined
    const query: Query = {
      text,
      terms: asked.terms,
      near: this.#near,
      ...(vector ? { vector } : {}),
      ...(this.#names ? { names: this.#names } : {}),
      ...(documents ? { documents, admits: (chunk) => graph.placements(chunk).some((one) => documents.has(one.document)) } : {}),
    }
    const options = { topK, budget, trace, own, ...(whole === undefined ? {} : { whole }) }
    const isWeighed = this.#request.freshness !== undefined || (this.#request.boosts ?? []).length > 0
    const worth = isWeighed ? (id: string | undefined) => (id === undefined ? 1 : (this.#worth.get(id) ?? 1)) : undefined
    const given = { query, scores: new Map(scores), options, settings: this.#settings, documents, worth }
    const found = retrieveSelected(this.#strategy, graph, given)
    if (found.kind === 'wanted') return { kind: 'wanted', pairs: found.pairs, version: graph.version }
    const isChosen = found.overview !== undefined && found.overview.kind !== 'topic'
    const shown = isChosen ? { topK: whole ?? wanted, budget: room } : { topK, budget }
    const limited = { ...shown, ...presentation(own), ...(documents ? { documents } : {}) }
    const evidence = present(graph, found.found, limited)
    const counted = this.#request.facets ? this.#hitsFor(given) : undefined
    const paths = wider && !isChosen ? pathsOf(graph, evidence) : undefined
    const rarity = { frequencies: frequenciesOf(graph, asked, MAX_TERMS), passages: graph.count('passage') }
    return { kind: 'evidence', found, shown: shown.topK, evidence, weight, paths, worth, counted, rarity }
  }

  #hitsFor(given: Parameters<typeof retrieveSelected>[2]): readonly string[] {
    const { query, scores, options, settings } = given
    const wide = this.#strategy.retrieve(this.#graph, query, scores, { ...options, topK: limits.counted }, settings)
    return wide.kind === 'evidence' ? wide.found.flatMap((one) => [one.id, ...(one.support ?? [])]) : []
  }

  /** One round: reads from every partition in parallel what the walk lacks. Undefined: the walk may continue. */
  async #read(lacking: ReadonlyMap<number, readonly Read[]>, isFirst: boolean): Promise<RetrieveResult | undefined> {
    const { near, names } = this.#request
    const entries = { near, ...(names ? { names } : {}) }
    const asked = isFirst ? this.#parts.map((_, part) => part) : [...lacking.keys()]
    const answers = await Promise.all(
      asked.map(async (part) => {
        const reads = lacking.get(part) ?? []
        if (this.#silent.has(part)) return { part, reads, answer: undefined }
        const round = isFirst ? { counts: true as const, ...(this.#request.vector ? { entries } : {}) } : {}
        return { part, reads, answer: await this.#ask(part, { question: this.#question, reads, ...round }) }
      }),
    )
    const refused = answers.flatMap(({ answer }) => (answer && answer.kind !== 'read' ? [answer] : []))[0]
    if (refused) return refused satisfies Refused
    const told = answers.flatMap(({ part, reads, answer }) => (answer?.kind === 'read' ? [{ part, reads, answer }] : []))
    if (told.length === 0 && isFirst) throw new Error('partitions: none could be reached')
    if (isFirst) this.#graph.begin(told.flatMap(({ answer }) => answer.counts ?? []))
    for (const { part, reads, answer } of told) this.#take(part, reads, answer)
    if (isFirst) this.#enter(told)
    return undefined
  }

  /** Undefined: it did not answer in time, and is not asked again. */
  async #ask(part: number, request: Parameters<Divided['parts'][number]['readPartition']>[0]): Promise<PartitionAnswer | undefined> {
    const object = this.#parts[part]
    const answer = object && (await inTime(object.readPartition(request)))
    if (!answer) this.#silent.add(part)
    return answer
  }

  #take(
    part: number,
    reads: readonly Read[],
    { version, answers, settings, isCapped, isForgetting, admitted = [], worth = [], partial }: Answered,
  ): void {
    if (settings) this.#settings = settings
    if (isCapped) this.#isCapped = true
    if (isForgetting) this.#isForgetting = true
    const before = this.#versions.get(part)
    if (before !== undefined && before !== version) this.hasMoved = true
    this.#versions.set(part, version)
    this.#graph.put(part, reads, answers)
    for (const id of admitted) this.#admitted.add(id)
    for (const [id, own] of worth) this.#worth.set(id, own)
    if (partial) this.#isPartial = true
  }

  #enter(told: readonly { readonly part: number; readonly answer: Answered }[]): void {
    const entered = told.flatMap(({ part, answer }) => (answer.entries ? [{ part, entries: answer.entries }] : []))
    for (const { part, entries } of entered) this.#graph.enter(part, Object.values(entries.near).flat(), entries)
    for (const { kind, k, of } of this.#strategy.entries) {
      if (of === 'names' || !entered.some(({ entries }) => entries.near[kind])) continue
      this.#near[kind] = best(
        entered.flatMap(({ entries }) => entries.near[kind] ?? []),
        k,
      )
    }
    const names = entered.flatMap(({ entries }) => entries.names ?? [])
    if (names.length === 0) return
    const k = this.#strategy.entries.find((one) => one.of === 'names')?.k ?? 0
    this.#names = joinNames(names, k)
  }

  async #raise(): Promise<void> {
    const asked = { whole: this.#whole, strategy: this.#strategy, request: this.#request, near: this.#near.summary }
    const near = await raise(this.#graph, { ...asked, isComplete: this.#silent.size === 0 && !this.#isForgetting })
    if (near) this.#near.summary = near
  }

  /** With dates and places, which only the partitions know. */
  async #shown(walked: Found): Promise<RetrieveResult> {
    const { found, evidence, weight, paths, worth, counted, rarity } = walked
    const { trace, facets: keys = [] } = this.#request
    const count = this.#parts.length
    const own = Map.groupBy(evidence, (one) => this.#homeOf(one, count))
    const hits = counted && Map.groupBy(counted, (id) => this.#graph.partsWith(chunkOf(id))[0] ?? -1)
    const parts = [...new Set([...own.keys(), ...(hits?.keys() ?? [])])].filter((part) => part >= 0)
    const facets: FacetCounts[] = []
    const shown = new Map<string, Evidence>()
    await Promise.all(
      parts.map(async (part) => {
        const { vector: _, embedded: __, ...question } = this.#question // what was found is shown, whatever model the partition has by now
        const facetsOf = hits ? { facets: { hits: hits.get(part) ?? [], keys } } : {}
        const request = { question, evidence: own.get(part) ?? [], ...facetsOf }
        const told = await inTime(this.#parts[part]?.showPartition(request))
        if (!told) this.#silent.add(part)
        for (const one of told?.evidence ?? []) shown.set(one.id, one)
        if (told?.facets) facets.push(told.facets)
      }),
    )
    const { overview } = found
    return {
      kind: 'evidence',
      evidence: evidence.map((one) => shown.get(one.id) ?? one),
      ...(overview ? { overview } : {}),
      ...(paths ? { pool: { weight, paths, ...(worth ? { worth: evidence.map((one) => worth(one.document ?? undefined)) } : {}) } } : {}),
      version: this.#graph.version,
      ...(counted ? { facets: sumFacets(facets) } : {}),
      ...rarity,
      ...(trace && found.trace !== undefined ? { trace: found.trace } : {}),
      ...(this.#isPartial ? { partial: true as const } : {}),
      ...this.#held,
      ...(this.#silent.size > 0 ? { skipped: [...this.#silent].sort((a, b) => a - b) } : {}),
    }
  }

  get #held() {
    return this.#isCapped ? { held: 'unasked' as const } : {}
  }

  #homeOf({ document, id }: Evidence, count: number): number {
    if (document !== null) return partOf(document, count)
    return kindOf(id) === 'passage' ? (this.#graph.partsWith(chunkOf(id))[0] ?? -1) : -1
  }
}
