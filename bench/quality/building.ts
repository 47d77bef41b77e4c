/** A corpus in memory as the object and its runners make it: builders in their order, each given what those it follows have changed, and open tasks done until none is left. */
import type { MemoryGraph } from '../../src/core/graph/memory'
import type { Patch, Vector } from '../../src/core/graph/types'
import type { Settings } from '../../src/core/settings'
import { isOwed } from '../../src/core/strategies/archrag/above'
import type { Brief, Builder, Delta, Reply, Task, Update } from '../../src/core/strategy'
import type { Rerank } from './reranker'

export type Embed = (texts: readonly string[]) => Promise<Vector[]>

/** Replies to what only a model can do; undefined leaves the task open, as without a text model. */
export type Script = (task: Task, brief: Brief) => Reply | undefined

export interface Run {
  readonly graph: MemoryGraph
  readonly builders: readonly Builder[]
  readonly embed: Embed
  readonly settings: Settings
  readonly script?: Script
  /** Absent: there is none. */
  readonly rerank?: Rerank
}

/** Runs what the schedule would: consolidation, and the tasks it asks for. */
export async function settle(run: Run): Promise<number> {
  const { graph, builders, settings } = run
  let replies = 0
  for (const builder of builders) {
    const wanted = builder.consolidate?.(graph, settings)
    graph.apply(wanted?.patch ?? [])
    replies += await completed(run, wanted?.tasks ?? [])
  }
  return replies
}

/** What runners do with open tasks until none is left that is answered; the latest of a builder, kind and node counts. Returns how many were. */
export async function completed(run: Run, tasks: readonly Task[]): Promise<number> {
  const { graph, builders, settings } = run
  let count = 0
  for (let open = tasks; open.length > 0; ) {
    const latest = [...new Map(open.map((task) => [`${task.builder} ${task.kind} ${task.node}`, task])).values()]
    const answers = new Map<string, readonly Reply[]>()
    for (const builder of builders) {
      const own = latest.filter((task) => task.builder === builder.name)
      const replies = await answered(own, (task) => builder.brief?.(graph, task, settings), run)
      count += replies.length
      if (replies.length > 0) answers.set(builder.name, replies)
    }
    if (answers.size === 0) break
    open = fold(graph, builders, settings, NOTHING_MOVED, answers)
  }
  return count
}

async function answered(
  tasks: readonly Task[],
  briefOf: (task: Task) => Brief | undefined,
  { embed, script, rerank }: Pick<Run, 'embed' | 'script' | 'rerank'>,
): Promise<Reply[]> {
  const answers: Reply[] = []
  for (const task of tasks) {
    const brief = briefOf(task)
    const { node, input } = task
    const embedded = brief?.kind === 'embed' ? { node, input, kind: 'embed' as const, vectors: await embed(brief.texts) } : undefined
    if (brief?.kind === 'rerank' && rerank) {
      const scores: (readonly number[])[] = []
      for (const { question, texts } of brief.pools) scores.push(await rerank(question, texts))
      answers.push({ node, input, kind: 'rerank', scores })
      continue
    }
    const reply = embedded ?? (brief && script?.(task, brief))
    if (reply) answers.push(reply)
  }
  return answers
}

const NOTHING_MOVED = { added: [], removed: [], documents: { added: [], removed: [] } } as const

/** One commit: builders in their order, each as the object runs it. Returns the tasks they ask for. */
export function fold(
  graph: MemoryGraph,
  builders: readonly Builder[],
  settings: Settings,
  delta: Omit<Delta, 'replies'>,
  answers: ReadonlyMap<string, readonly Reply[]> = new Map(),
): Task[] {
  const tasks: Task[] = []
  const made = new Map<string, Patch>()
  const take = (builder: Builder, update: Update): void => {
    graph.apply(update.patch)
    tasks.push(...update.tasks)
    made.set(builder.name, [...(made.get(builder.name) ?? []), ...update.patch])
  }
  const hasMoved = delta.added.length + delta.removed.length > 0
  for (const builder of builders) {
    const changes = builder.follows?.flatMap((name) => made.get(name) ?? [])
    const replies = answers.get(builder.name) ?? []
    if (hasMoved || replies.length > 0 || changes?.length) {
      take(builder, builder.update(graph, { ...delta, replies, ...(changes ? { changes } : {}) }, settings))
    }
    while (builder.processBacklog && builder.hasBacklog?.(graph)) take(builder, builder.processBacklog(graph, settings))
    if (builder.name === 'archrag' && builder.consolidate && isOwed(graph)) take(builder, builder.consolidate(graph, settings)) // as an idle object does
  }
  return tasks
}
