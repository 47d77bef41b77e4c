/** Drafts: replies that lack only their vectors. The texts of many are embedded together, or those of one alone. */
import type { ModelFault } from '../contract/questions'
import type { Spent } from '../contract/usage'
import type { Vector } from '../core/graph/types'
import type { Reply } from '../core/strategy'
import type { MayRepeat, Models } from '../ports/models'
import type { FormsUsed, LeasedTask, TaskResult } from '../ports/tasks'
import { type Embedded, embedAcceptable } from './embed'
import { faultOf, invalid, isUnusable, type ReplyFault } from './faults'
import type { Dropped } from './replies'

const TRIES = 3
const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

/** A reply that lacks only its vectors: one for each of `texts`. */
export interface Draft {
  readonly task: LeasedTask
  readonly texts: readonly string[]
  readonly reply: (vectors: readonly Vector[]) => Reply
  readonly spent: Spent
  readonly calls: { readonly [kind: string]: number }
  readonly dropped: Dropped
  readonly forms?: FormsUsed
}

/** Embeds one draft. A text that the model refuses to read, whatever the window, makes the task unusable instead of leaving it open forever. */
export async function embedDraft(models: Models, draft: Draft, mayRepeat: MayRepeat = async () => true): Promise<TaskResult> {
  let error: unknown = invalid()
  for (let halved = 0; halved < TRIES; halved++) {
    if (halved > 0 && !(await mayRepeat({ isCounted: false, texts: draft.texts }))) throw error
    const window = Math.max(8, Math.floor(models.embedding.window / 2 ** halved))
    try {
      const embedded = await embedAcceptable({ ...models, embedding: { ...models.embedding, window } }, draft.texts, { mayRepeat })
      if (isComplete(draft, embedded)) return completeDraft(draft, embedded)
      error = invalid()
    } catch (reason) {
      error = reason
      if (!isUnusable(faultOf(error).fault)) throw error
    }
  }
  const { fault } = faultOf(error)
  return completeDraft(unusableDraft(draft.task, fault, draft), { vectors: [], refused: [], spent: NOTHING, calls: TRIES })
}

/** A chunk is indexed without the vectors it cannot have, since words find it; any other written text is useless without its own. */
export function isComplete({ task }: Draft, { refused }: Pick<Embedded, 'refused'>): boolean {
  return refused.length === 0 || task.brief.kind === 'embed'
}

export function completeDraft(draft: Draft, embedded: Embedded): TaskResult {
  const { task, spent, calls } = draft
  const dropped = embedded.refused.length > 0 ? { ...draft.dropped, refused: embedded.refused.length } : draft.dropped
  return {
    id: task.id,
    reply: draft.reply(embedded.vectors),
    spent: { ...spent, embedded: spent.embedded + embedded.spent.embedded },
    calls: embedded.calls > 0 ? { ...calls, embed: embedded.calls } : calls,
    ...(Object.keys(dropped).length > 0 ? { dropped } : {}),
    ...(draft.forms ? { forms: draft.forms } : {}),
    ...(task.prompts === undefined ? {} : { prompts: task.prompts }),
  }
}

/** Which of the texts embedded together belong to each draft. */
export function divideEmbedding(
  drafts: readonly Draft[],
  { vectors, refused, spent, calls }: Embedded,
): readonly (readonly [Draft, Embedded])[] {
  const weights = drafts.map((draft) => draft.texts.reduce((sum, text) => sum + text.length, 0))
  const tokens = divide(spent.embedded, weights)
  const called = divide(calls, weights)
  let at = 0
  return drafts.map((draft, i) => {
    const from = at
    at += draft.texts.length
    const own = {
      vectors: vectors.slice(from, at),
      refused: refused.filter((place) => place >= from && place < at).map((place) => place - from),
      spent: { ...NOTHING, embedded: tokens[i] ?? 0 },
      calls: called[i] ?? 0,
    }
    return [draft, own] as const
  })
}

export function draftOf(task: LeasedTask, texts: readonly string[], reply: Draft['reply'], paid: PaidFor = FREE): Draft {
  return { task, texts, reply, spent: paid.spent, calls: paid.calls, dropped: {}, ...(paid.forms ? { forms: paid.forms } : {}) }
}

export type PaidFor = Pick<Draft, 'spent' | 'calls' | 'forms'>

const FREE = { spent: NOTHING, calls: {} } as const

export function unusableDraft(task: LeasedTask, reason: ModelFault | ReplyFault, paid: PaidFor): Draft {
  return draftOf(task, [], () => ({ node: task.node, input: task.input, kind: 'unusable', reason }), paid)
}

/** Splits a whole number into shares by weight that add up to it. */
function divide(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0)
  let given = 0
  let behind = 0
  return weights.map((weight) => {
    behind += weight
    const upTo = sum > 0 ? Math.floor((total * behind) / sum) : 0
    const own = upTo - given
    given = upTo
    return own
  })
}
