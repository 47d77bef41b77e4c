/**
 * The contracts the five systems are written against.
 * A builder folds what happened into the graph; a strategy answers questions from it. Both are pure: no model, no storage,
 * no clock, no unseeded randomness. What needs a model is asked for as a task and comes back later as a reply.
 */
import type { ContentDelta } from './graph/integrate'
import type { GraphReader, Omitted, Search, Trees } from './graph/reader'
import type { EdgeKind, GraphNode, Hit, Json, NodeKind, Patch, Vector } from './graph/types'
import type { GivenGuidance } from './guidance'
import type { Ontology } from './ontology'
import type { OverviewPlan } from './reader/overview/plan'
import type { Settings } from './settings'

/** What has changed. The graph a builder is given already holds what was added and no longer what was removed. */
export interface Delta extends ContentDelta {
  /** Replies to tasks of this builder, and of no other. */
  readonly replies: readonly Reply[]
  /** What the builders this one follows changed in the same commit. Absent: not known, so look at everything. */
  readonly changes?: Patch
}

export interface Update {
  readonly patch: Patch
  /** New work. A task with the same builder, kind and node as an open one replaces it. */
  readonly tasks: readonly Task[]
  /** Open tasks whose node is gone, by node id. */
  readonly cancelled?: readonly string[]
}

export interface Task {
  /** Name of the builder that asked and will be given the reply. */
  readonly builder: string
  readonly kind: Brief['kind']
  readonly node: string
  /** Hash of everything the reply depends on: same input, same reply, never paid for twice. */
  readonly input: string
  /** false: may wait for the schedule or for the first retrieval; a job does not wait for it. */
  readonly urgent: boolean
  /** A runner does it beside what is urgent, one a round, and no job waits for it. */
  readonly background?: true
}

/** What a model is asked. Texts here are data, never instructions. Made from the graph when the task is leased, so that no task row holds text. */
export type Brief =
  | { readonly kind: 'embed'; readonly texts: readonly string[] }
  /** Each text is to be scored by a re-ranker, as an answer to its question. */
  | { readonly kind: 'rerank'; readonly pools: readonly RerankPool[] }
  | {
      /** One text from many. `fallback` is the extractive version, used without a text model or after three unusable replies. */
      readonly kind: 'summarize'
      readonly role: 'segment' | 'entity' | 'label'
      readonly subject: string
      readonly texts: readonly string[]
      readonly tokens: number
      readonly fallback: string
    }
  | { readonly kind: 'report'; readonly texts: readonly string[]; readonly tokens: number; readonly fallback: Report }
  | ({
      readonly kind: 'extract'
      readonly name: string
      readonly text: string
      readonly want: { readonly units: boolean; readonly graph: boolean }
      readonly gleanings?: number // times the model is asked again for entities and relations it has missed
      /** Of the entities that are wanted; absent: of any. An ontology has its own, and what the reply is held against. */
      readonly types?: readonly string[]
      readonly ontology?: Ontology
    } & GivenGuidance)

export interface RerankPool {
  readonly question: string
  readonly texts: readonly string[]
}

/** A brief whose reply a text model writes. */
export type WrittenBrief = Exclude<Brief, { readonly kind: 'embed' | 'rerank' }>

export interface Report {
  readonly title: string
  readonly summary: string
  readonly rating: number // 0 to 10
  readonly findings: readonly { readonly summary: string; readonly explanation: string }[]
}

export interface Extraction {
  /** Decontextualised knowledge units, each with its vector. */
  readonly units: readonly { readonly text: string; readonly vector: Vector }[]
  /** `outside`: of no type of the corpus's ontology. */
  readonly entities: readonly { readonly name: string; readonly type: string; readonly description: string; readonly outside?: true }[]
  readonly relations: readonly {
    readonly source: string
    readonly target: string
    readonly description: string
    readonly strength: number
    /** Its kind, where the corpus's ontology has kinds, from `source` to `target`; `outside`: it is of none. */
    readonly relation?: string
    readonly outside?: true
  }[]
}

export type Generator = 'model' | 'extractive'

/** What came back, checked and embedded. */
export type Reply = { readonly node: string; readonly input: string } & (
  | { readonly kind: 'embed'; readonly vectors: readonly Vector[] }
  /** From 0 to 1, by pool, in the order of its texts. */
  | { readonly kind: 'rerank'; readonly scores: readonly (readonly number[])[] }
  | { readonly kind: 'summarize'; readonly text: string; readonly vector: Vector; readonly generator: Generator }
  | { readonly kind: 'report'; readonly report: Report; readonly vector: Vector; readonly generator: Generator }
  | { readonly kind: 'extract'; readonly extraction: Extraction }
  /** Three unusable replies: take the model-free path and mark the chunk quarantined. */
  | { readonly kind: 'unusable'; readonly reason: string }
)

/** One paper's data structure, kept up to date. */
export interface Builder {
  readonly name: string
  /** Kinds of derived node only this builder writes. */
  readonly builds: readonly GraphNode['kind'][]
  /** Kinds of edge only this builder writes. Its spaces of places and values are its name, or begin with its name and a slash. */
  readonly edges?: readonly EdgeKind[]
  /** Builders that run before this one and whose changes it needs: it is given them, and runs whenever there are any. */
  readonly follows?: readonly string[]
  /** Nodes a reply was made from, read from the graph before the reply is folded in: the cached reply dies with them. Absent: the node's members. */
  sources?(graph: GraphReader, reply: Reply): readonly string[]
  /** True where the builder needs a vector for every sentence, not only for every passage. */
  readonly unitVectors?: boolean
  update(graph: GraphReader, delta: Delta, settings: Settings): Update
  /** Names what of the settings its prompts hold and its tasks' inputs do not: what was asked with others is asked again little by little. */
  prompted?(settings: Settings): string
  /** What to ask for a task, read from the graph now. Undefined when the task has lost its point. */
  brief?(graph: GraphReader, task: Task, settings: Settings): Brief | undefined
  /** Texts of these nodes that are extracts, because the model was out, are asked for as if there were none; until then they stand, stale. What has changed or gone is left. */
  again?(graph: GraphReader, nodes: readonly string[], settings: Settings): Update
  /** Has it left part of what came for commits of its own, since it was too much for one? O(1). */
  hasBacklog?(graph: GraphReader): boolean
  /** Folds in the next batch of what it left: less than a few seconds and a few MB. Called until nothing is left. */
  processBacklog?(graph: GraphReader, settings: Settings): Update
  /** Is `consolidate` to be called now, whatever the schedule says, on the graph that is served? What it asks for is done in the background; `isBusy`: beside jobs. O(1). */
  isDue?(graph: GraphReader, settings: Settings, isBusy: boolean): boolean
  /** Does what it asked for in the background wait until no job is open? O(1). */
  isPostponed?(graph: GraphReader): boolean
  /** Work that needs the whole graph. By schedule or when drift asks for it, never part of a document's job. */
  consolidate?(graph: GraphReader, settings: Settings): Update
  /**
   * The same a step at a time, where all at once keeps others waiting. Each step says what it took, in sentences analysed or as much work as
   * that is. Between two steps the graph may change; what it ends with holds for the graph as it is then. Undefined: all at once.
   */
  consolidating?(graph: GraphReader, settings: Settings): Iterator<number, Update> | undefined
  /** Bytes that it holds meanwhile, about. O(1). */
  consolidatingHolds?(graph: GraphReader): number
  /** How far it has drifted, by each of its measures; none where it is too large to be measured. May read the whole structure: for a schedule. */
  drift?(graph: GraphReader, settings: Settings): readonly Drifted[]
}

/** What a structure that grew locally has lost against the last time it was made whole. */
export interface Drifted {
  readonly measure: string
  /** As a share, 0 to 1. */
  readonly lost: number
  /** Beyond it `consolidate` would make the structure again. */
  readonly bound: number
}

export interface Query {
  readonly text: string
  /** Of `text()`'s terms, in order, without repeats. */
  readonly terms: readonly string[]
  /** Absent when the embedding model is down: strategies then work lexically. */
  readonly vector?: Vector
  /** Entry points by cosine, best first, for the kinds the strategy named. */
  readonly near: { readonly [kind in NodeKind]?: readonly Hit[] }
  /** Names that the question says, each with the entities whose names are nearest to it by vector. Absent: the strategy does not ask, or nobody could say. */
  readonly names?: readonly QuestionName[]
  /** False for chunks outside the caller's filter, from which no evidence comes. Absent: no filter. */
  readonly admits?: (chunk: string) => boolean
  /** Those inside the filter, where it is known. */
  readonly documents?: ReadonlySet<string>
}

export interface QuestionName {
  readonly text: string
  /** Entities by cosine of the names, best first. */
  readonly near: readonly Hit[]
}

export interface Options {
  /** How many pieces of evidence, at most 100. */
  readonly topK: number
  /** The same for a question about a whole, where the asker has not said how many. */
  readonly whole?: number
  /** Tokens all evidence together may hold. */
  readonly budget: number
  readonly trace: boolean
  /** The strategy's own options as sent, already checked by its schema. */
  readonly own: { readonly [key: string]: Json }
}

/** Cross-encoder scores by pair key, 0 to 1. */
export type Scores = ReadonlyMap<string, number>

/** A node the strategy found. Summaries, communities and entities name the passages that support them. */
export interface Found {
  readonly id: string
  readonly score: number
  /** The channel or path that led here, for the reader. */
  readonly via: string
  readonly support?: readonly string[]
  /** What is shown of an entity in place of its name: its card. Made from texts the asker may read and the filter admits. */
  readonly text?: string
}

export type Retrieved =
  | {
      readonly kind: 'evidence'
      readonly found: readonly Found[]
      /** The question is about a whole, and this is how it is answered. */
      readonly overview?: OverviewPlan
      readonly trace?: Json
    }
  /** The walk lacks these scores: score them and call again with the table. Restarted, never resumed. */
  | { readonly kind: 'wanted'; readonly pairs: readonly { readonly key: string; readonly text: string }[] }

export interface EntryKind {
  readonly kind: NodeKind
  readonly k: number
  /** `names`: nearest to each name that the question says. Absent: nearest to the question. */
  readonly of?: 'names'
  /** Which corpora have such vectors. Absent: every one. */
  readonly where?: (settings: Settings) => boolean
}

/** How evidence is chosen from what a strategy ranks (selection.ts), unless a question says otherwise. */
export interface SelectionDefaults {
  /** Of the pieces wanted, the share that one document may have while others are left. */
  readonly perDocument: number
  readonly diversity: number
}

export interface Strategy {
  readonly name: string
  readonly builders: readonly Builder[]
  readonly entries: readonly EntryKind[] // kinds for which it wants entry points, and how many of each
  /** It ranks passages: what it finds where fewer are wanted is the beginning of what it finds where more are. */
  readonly isRanking?: true
  readonly omits?: readonly Omitted[] // what it never reads: parts of a corpus need not tell it
  /** Absent: evidence is what it ranks, in its order. */
  readonly selection?: SelectionDefaults
  trees?(graph: GraphReader, query: Query, search?: Search): Trees // for one part of a corpus in several: what it tells of its own; absent: it reads none
  retrieve(graph: GraphReader, query: Query, scores: Scores, options: Options, settings: Settings): Retrieved
}
