/** Which tasks a round is lent, and what each requests: oldest first, within its limits and the budget. */
import { promptsOf } from '../../../src/core/prompt-version'
import type { Brief } from '../../../src/core/strategy'
import type { LeasedTask, TaskResult } from '../../../src/ports/tasks'
import type { Admission } from '../billing/admission'
import { openUnitOfWork } from '../jobs/jobs'
import { findReply } from '../jobs/reply-cache'
import { dropTask } from '../jobs/tasks'
import { embeddedTextsOf } from '../jobs/written-reply'
import { isMigrating, requestedConfig, wantsUnits } from '../pending-config'
import { chunkTexts, isMoveClosing, moveBrief } from '../shadow-graph/move'
import { isCandidateOpen } from '../shadow-graph/tables'
import { withCandidate } from '../shadow-graph/with-candidate'
import type { CorpusContext } from '../store'
import { readStaged } from '../tables/staged'
import { BASE, isMover, isOfCandidate, listUrgentTasksAfter, type TaskGroup, type TaskRow } from '../tables/task'
import { nextBackgroundTask, noteBackgroundTask } from './background'
import { inputAsked } from './prompt-renewals'
import { lacksVectors } from './quarantine'

const PAGE = 64 // tasks read at once
const MAX_CHARS = 4_000_000 // of texts lent at once: they are in memory twice, and one RPC carries them
const NOTHING_SPENT = { in: 0, out: 0, embedded: 0 }

/** Replies to others are not kept. */
const isWrittenFor = ({ builder, kind }: TaskRow): boolean => builder !== BASE && kind !== 'embed' && kind !== 'rerank'

interface Lent {
  readonly tasks: LeasedTask[]
  readonly remembered: TaskResult[]
  readonly refused: ReturnType<Admission['refused']>
}

/** Tasks of the first group that has any: a round embeds with one model. */
export function lendFirst(context: CorpusContext, admitted: Admission, limit: LendLimit): Lent & { readonly group: TaskGroup } {
  const groups = groupsInTurn(context)
  for (const group of groups) {
    const lent = lend(context, admitted, limit, group)
    if (lent.tasks.length + lent.remembered.length > 0 || lent.refused || group === groups.at(-1)) return { ...lent, group }
  }
  return { tasks: [], remembered: [], refused: undefined, group: 'all' }
}

/** While a corpus is moved to another embedding model, the served graph goes first, until the move waits only for the latest additions. */
function groupsInTurn(context: CorpusContext): readonly TaskGroup[] {
  if (!isMigrating(context)) return ['all']
  return isMoveClosing(context.sql) ? ['moved', 'served', 'candidate'] : ['served', 'candidate']
}

interface LendLimit {
  readonly texts: number
  readonly written: number
}

/** Tasks for a model, and those whose reply is known. Obsolete ones are closed; their jobs are added to `changed`. */
function lend(context: CorpusContext, admitted: Admission, limit: LendLimit, group: TaskGroup): Lent {
  const tasks: LeasedTask[] = []
  const remembered: TaskResult[] = []
  let [texts, chars, written] = [0, 0, 0]
  let jobs: string | undefined // of the last task
  const { settings: own } = context.config
  const { settings: requested } = requestedConfig(context)
  for (const { row, briefFor } of urgentTasks(context, limit.texts, group)) {
    if (texts >= limit.texts || chars >= MAX_CHARS) break
    if (row.kind !== 'embed' && written >= limit.written) continue
    const known = isWrittenFor(row) ? findReply(context.sql, row.input, isOfCandidate(row.builder) ? requested : own) : undefined
    if (known?.isEmbedded) {
      remembered.push({ id: row.n, reply: { ...known.reply, node: row.node }, spent: NOTHING_SPENT, calls: {} })
      continue
    }
    const brief: Brief | undefined = known ? { kind: 'embed', texts: embeddedTextsOf(known.reply) } : briefFor()
    if (!brief) {
      const unitOfWork = openUnitOfWork(context.sql, context.now())
      dropTask(context.sql, unitOfWork, row)
      unitOfWork.save()
      continue
    }
    if (!admitted.admits(row, brief)) break // the ceiling: all work in progress must fit into what is left
    const last = tasks.at(-1)
    if (last && row.jobs !== jobs) tasks[tasks.length - 1] = { ...last, isLastOfJob: true }
    jobs = row.jobs
    tasks.push({ id: row.n, node: row.node, input: row.input, brief, ...promptsFor(context, row, brief) })
    texts += 'texts' in brief ? brief.texts.length : 1
    chars += 'texts' in brief ? brief.texts.reduce((sum, text) => sum + text.length, 0) : 0
    if (brief.kind !== 'embed') written++
  }
  return { tasks, remembered, refused: admitted.refused() }
}

function promptsFor({ builders, config }: CorpusContext, { builder }: TaskRow, { kind }: Brief): Pick<LeasedTask, 'prompts'> {
  const asking = kind === 'extract' ? builders.find(({ name }) => name === builder) : undefined
  return asking ? { prompts: promptsOf(asking, config.settings) } : {}
}

/** One in the background, then oldest first, a page at a time: a task has many texts, so a round takes few of the open ones. */
function* urgentTasks(
  context: CorpusContext,
  limit: number,
  group: TaskGroup,
): Generator<{ readonly row: TaskRow; readonly briefFor: () => Brief | undefined }> {
  const background = group === 'all' || group === 'served' ? nextBackgroundTask(context) : undefined
  if (background) {
    noteBackgroundTask(context)
    yield { row: background, briefFor: () => briefOf(context, background) }
  }
  for (let [after, seen] = [0, 0]; seen < limit; ) {
    const rows = listUrgentTasksAfter(context.sql, after, Math.min(PAGE, limit - seen), group)
    const others = briefsOfCandidate(context, rows)
    for (const row of rows) {
      yield { row, briefFor: () => (isOfCandidate(row.builder) ? others.get(row.n) : briefOf(context, row)) }
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.n
    seen += rows.length
  }
}

/** Read together: the candidate's tables have to be fetched for it. */
function briefsOfCandidate(context: CorpusContext, rows: readonly TaskRow[]): ReadonlyMap<number, Brief | undefined> {
  const theirs = rows.filter((row) => isOfCandidate(row.builder))
  if (theirs.length === 0 || !isCandidateOpen(context.sql)) return new Map()
  const moves = theirs.filter((row) => isMover(row.builder)).map((row) => [row.n, moveBrief(context, row)] as const)
  const own = theirs.filter((row) => !isMover(row.builder))
  if (own.length === 0) return new Map(moves)
  return withCandidate(context, (candidate) => new Map([...moves, ...own.map((row) => [row.n, briefOf(candidate, row)] as const)]))
}

function briefOf(context: CorpusContext, row: TaskRow): Brief | undefined {
  if (row.builder !== BASE) {
    const builder = context.builders.find((one) => one.name === row.builder)
    const task = { builder: row.builder, kind: row.kind, node: row.node, input: inputAsked(row.input), urgent: row.urgent === 1 }
    return builder?.brief?.(context.graph, task, context.config.settings)
  }
  const staged = readStaged(context.sql, row.node)?.chunk
  const chunk = staged ?? context.graph.chunk(row.node)
  if (!chunk) return undefined
  // A chunk already in the graph has its passages' vectors, unless some were refused: it only lacks those of its sentences.
  const lacks = staged !== undefined || lacksVectors(context, row.node)
  return { kind: 'embed', texts: chunkTexts(chunk, { passages: lacks, units: wantsUnits(context) }) }
}
