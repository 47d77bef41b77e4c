/**
 * One task of a corpus, done: what the brief asks, checked, embedded and made a reply. Split in two, so that a round can embed the
 * texts of many tasks together: `drafted` does what needs a writer, `completed` adds the vectors.
 * An unusable reply is asked for again twice, with a hint; then the fallback stands in and says so. What waiting can cure is thrown.
 */
import type { ModelFault } from '../contract/questions'
import type { Spent } from '../contract/usage'
import { MISCOUNT, mayBeBilled, mostOf, REPLY_BYTES } from '../core/cost'
import type { Vector } from '../core/graph/types'
import type { Brief } from '../core/strategy'
import { tokenBounds } from '../core/text/token-bound'
import { countTokens } from '../core/text/tokens'
import type { Models } from '../ports/models'
import type { LeasedTask, TaskResult } from '../ports/tasks'
import { writingBound } from './call-bounds'
import { type Draft, draftOf, embedDraft, unusableDraft } from './draft'
import { faultOf, isUnusable, uncovered } from './faults'
import { glean } from './gleanings'
import { type TaskPrompt, taskPrompt } from './prompts'
import { type Dropped, parseExtraction, parseReport, parseSummary } from './replies'
import { clipToTokens } from './windows'
import { roleOf, writerFor } from './writers'

const TRIES = 3
const ROOMIER = 2 // times the room of a reply that was cut, when it is asked for again
const CUT: Dropped = { truncated: 1 }
const OVERHEAD = 800 // tokens of a prompt besides its material and its reply
const MIN = 200 // tokens of material it is worth asking about
/** The text model is out for good as far as this reply is concerned: an extractive text now, rather than none until tomorrow. */
const OUT: ReadonlySet<ModelFault> = new Set<ModelFault>(['quota', 'down', 'missing'])
const HINTS: { readonly [fault in ModelFault]?: string } = { invalid: 'it was empty or not in the form asked for', too_large: '' }
const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

type Written = Exclude<Brief, { kind: 'embed' }>

/** Does the task wait for a model that writes? */
export function needsWriter(models: Models, { brief }: LeasedTask): boolean {
  return models.text !== null && brief.kind !== 'embed'
}

/** What a task has been granted of a budget, and what it has cost so far: what is thrown leaves a count behind. */
export interface RemainingBudget {
  spent: Spent
  /** What attempts of unknown outcome may have cost. */
  lost: Spent
  calls: number
  /** May it go on, though it comes to so much in all? */
  covers(max: Spent): Promise<boolean>
}

export const unlimited = (): RemainingBudget => ({ spent: NOTHING, lost: NOTHING, calls: 0, covers: async () => true })

/** Rejects with a `ModelError` when the task should be tried again later. */
export async function performTask(models: Models, task: LeasedTask): Promise<TaskResult> {
  return embedDraft(models, await draftTask(models, task))
}

/** A draft whose texts may be embedded: a reply longer in bytes than was covered is paid for only if that is, too. */
export async function draftTask(models: Models, task: LeasedTask, remainingBudget = unlimited()): Promise<Draft> {
  const draft = await unembedded(models, task, remainingBudget)
  if (!(await remainingBudget.covers(both(both(draft.spent, remainingBudget.lost), vectorsOf(draft.texts))))) throw uncovered()
  return draft
}

async function unembedded(models: Models, task: LeasedTask, remainingBudget: RemainingBudget): Promise<Draft> {
  const { brief, node, input } = task
  const base = { node, input }
  switch (brief.kind) {
    case 'embed':
      return draftOf(task, brief.texts, (vectors) => ({ ...base, kind: 'embed', vectors }))
    case 'summarize': {
      const done = await written(models, brief, remainingBudget, (text) => parseSummary(text, brief.tokens))
      const [text, generator] = done.value === undefined ? ([brief.fallback, 'extractive'] as const) : ([done.value, 'model'] as const)
      return draftOf(task, [text], ([vector]) => ({ ...base, kind: 'summarize', text, generator, vector: one(vector) }), done)
    }
    case 'report': {
      const done = await written(models, brief, remainingBudget, (text) => parseReport(text, brief.tokens))
      const dropped = done.cut ? CUT : {}
      const [report, generator] = done.value === undefined ? ([brief.fallback, 'extractive'] as const) : ([done.value, 'model'] as const)
      const text = `${report.title}\n${report.summary}`
      return {
        ...draftOf(task, [text], ([vector]) => ({ ...base, kind: 'report', report, generator, vector: one(vector) }), done),
        dropped,
      }
    }
    case 'extract': {
      const done = await written(models, brief, remainingBudget, (text) => parseExtraction(text, brief))
      if (done.value === undefined) return unusableDraft(task, done.fault, done)
      const { lost } = remainingBudget
      const paid = both(both(done.spent, lost), vectorsOf(done.value.units))
      const more = await glean(models, brief, done.value, (max) => remainingBudget.covers(both(paid, max)))
      const calls = (done.calls.extract ?? 0) + more.calls
      Object.assign(remainingBudget, { spent: both(done.spent, more.spent), lost: both(lost, more.lost), calls })
      const { units, entities, relations, dropped } = more.drawn
      return {
        ...draftOf(
          task,
          units,
          (vectors) => ({
            ...base,
            kind: 'extract',
            extraction: { units: units.map((text, i) => ({ text, vector: one(vectors[i]) })), entities, relations },
          }),
          { spent: both(done.spent, more.spent), calls: { extract: calls } },
        ),
        dropped: done.cut ? { ...dropped, ...CUT } : dropped,
      }
    }
  }
}

interface Tried<T> {
  readonly value?: T
  /** Why there is no value. */
  readonly fault: ModelFault
  readonly spent: Spent
  readonly calls: { readonly [kind: string]: number }
  /** The value was drawn from a reply that ended where its room did. */
  readonly cut?: boolean
}

async function written<T>(models: Models, brief: Written, remainingBudget: RemainingBudget, parse: (text: string) => T): Promise<Tried<T>> {
  const role = roleOf(brief)
  const writer = writerFor(models, role)
  if (!writer) return { fault: 'missing', spent: NOTHING, calls: {} }
  let { spent, hint, fault } = { spent: NOTHING, hint: '', fault: 'invalid' as ModelFault }
  let calls = 0
  let share = 1
  let more = 0 // tokens of room for a reply that was cut
  for (let tries = 0; tries < TRIES; tries++) {
    const room = writer.window - taskPrompt(brief).tokens - OVERHEAD
    const prompt = taskPrompt(fitted(brief, room, share), hint)
    const tokens = Math.max(prompt.tokens, more)
    const max = withRoom(mostOf(brief, writer.thinkingTokens), more - prompt.tokens)
    const attempt = attemptAt(remainingBudget, both(spent, max), writingBound(models, prompt.messages, tokens, prompt.schema)())
    // The first try is covered before the task is begun.
    if (tries > 0 && !(await attempt.isCovered())) break
    try {
      calls++
      const reply = await models.write(prompt.messages, { tokens, schema: prompt.schema, role, mayRepeat: attempt.mayRepeat })
      attempt.known()
      spent = { in: spent.in + reply.spent.in, out: spent.out + reply.spent.out, embedded: 0 }
      Object.assign(remainingBudget, { spent, calls })
      // JSON that was cut has lost what stood behind; a text is cut shorter than its room anyway.
      const cut = reply.truncated === true && prompt.schema !== undefined
      if (cut && more === 0) {
        more = roomier(prompt, writer.window)
        continue
      }
      return { value: parse(reply.text), fault, spent, calls: { [brief.kind]: calls }, cut }
    } catch (error) {
      fault = faultOf(error).fault
      attempt.failed(fault)
      if (hasStandIn(brief, fault)) break
      if (!isUnusable(fault)) throw error
      hint = HINTS[fault] ?? ''
      if (fault === 'too_large') share /= 2
    }
  }
  return { fault, spent, calls: { [brief.kind]: calls } }
}

/** One try for a reply. `max`: what the task comes to with it; `own`: the try alone. */
function attemptAt(remainingBudget: RemainingBudget, max: Spent, own: Spent) {
  let unknown = own // what it may have cost, until that is known
  return {
    isCovered: () => remainingBudget.covers(both(max, remainingBudget.lost)),
    async mayRepeat(): Promise<boolean> {
      const lost = both(remainingBudget.lost, own)
      if (!(await remainingBudget.covers(both(max, lost)))) return false
      remainingBudget.lost = lost
      return true
    },
    known(): void {
      unknown = NOTHING
    },
    failed(fault: ModelFault): void {
      if (mayBeBilled(fault)) remainingBudget.lost = both(remainingBudget.lost, unknown)
    },
  }
}

function hasStandIn(brief: Written, fault: ModelFault): boolean {
  return OUT.has(fault) && brief.kind !== 'extract'
}

function withRoom(max: Spent, more: number): Spent {
  const extra = Math.max(0, more)
  return { in: max.in, out: max.out + extra, embedded: max.embedded + extra * REPLY_BYTES }
}

/**
 * A share of the material, and no more than `room` tokens of it, each text cut alike. A chunk to extract from is never cut: what is
 * lost would be missed.
 */
function fitted<B extends Written>(brief: B, room: number, share: number): B {
  if (brief.kind === 'extract') return brief
  const sizes = brief.texts.map(countTokens)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const kept = Math.min(total, Math.max(MIN, room)) * share
  if (total <= kept) return brief
  return { ...brief, texts: brief.texts.map((text, i) => clipToTokens(text, Math.max(1, Math.floor(((sizes[i] ?? 0) * kept) / total)))) }
}

/** Tokens for a reply that was cut: more, as far as the window goes; never less, since a second try may be shorter. */
function roomier({ messages, tokens }: TaskPrompt, window: number): number {
  const read = messages.reduce((sum, one) => sum + countTokens(one.content), 0)
  return Math.max(tokens, Math.min(tokens * ROOMIER, Math.floor(window - read * MISCOUNT)))
}

function vectorsOf(texts: readonly string[]): Spent {
  return { ...NOTHING, embedded: tokenBounds(texts) }
}

function both(a: Spent, b: Spent): Spent {
  return { in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded }
}

function one(vector: Vector | undefined): Vector {
  if (!vector) throw new Error('embedTexts returned fewer vectors than texts')
  return vector
}
