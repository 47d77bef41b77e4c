/**
 * The reply to a writing task: requested, checked and, if unusable, requested again twice, with what was wrong with it. The last time in the short form,
 * since a model that failed twice may have lost track of the task in the long one. A model that is hardly ever usable (`tries`) is asked once, in that
 * form. Errors that waiting can cure are thrown.
 */
import type { ModelFault } from '../contract/questions'
import type { Spent } from '../contract/usage'
import { MISCOUNT, mayBeBilled, mostOf, REPLY_BYTES } from '../core/cost'
import type { WrittenBrief } from '../core/strategy'
import { countTokens } from '../core/text/tokens'
import type { Models, PromptForm } from '../ports/models'
import type { FormTallies, FormTally } from '../ports/tasks'
import { writingBound } from './call-bounds'
import { faultOf, isOut, isUnusable, type ReplyFault, replyFaultOf } from './faults'
import { materialOf, type TaskPrompt, taskPrompt } from './prompts'
import type { Asked } from './replies'
import { withoutLoop } from './reply-checks'
import { clipToTokens } from './windows'
import { formFor, roleOf, writerFor } from './writers'

const TRIES = 3
const ROOMIER = 2 // times the limit of a reply that was cut, when it is requested again
const OVERHEAD = 1200 // tokens of a prompt besides its material and its reply
const MIN = 200 // tokens of material worth asking about
const HINT = 'it was empty or not in the form asked for'
/** What is wrong with a reply, as the model is told. */
export const HINTS: { readonly [why in ReplyFault]: string } = {
  form: 'it was not JSON in the form asked for',
  empty: 'it was empty',
  echo: 'it repeated the instructions instead of following them',
  loop: 'it said the same again and again',
  refusal: 'it did not do the task',
  language: 'it was not in the language of the material',
  unfinished: 'it was too long and was cut off',
  unsupported: 'the material does not say what it said',
}
export const NOTHING: Spent = { in: 0, out: 0, embedded: 0 }

/** What a task has been granted of a budget, and what it has cost so far: it is kept even if an error is thrown. */
export interface RemainingBudget {
  spent: Spent
  /** What attempts of unknown outcome may have cost. */
  lost: Spent
  calls: number
  /** May the task continue if its total cost rises to this? */
  covers(max: Spent): Promise<boolean>
}

/** What a task has cost. */
export interface Paid {
  readonly spent: Spent
  readonly calls: number
  readonly tallies: FormTallies
}

export const NOT_BEGUN: Paid = { spent: NOTHING, calls: 0, tallies: {} }

export interface Tried<T> extends Paid {
  readonly value?: T
  /** Why there is no value. */
  readonly fault: ModelFault
  readonly why?: ReplyFault | undefined
  /** The value was drawn from a reply that was cut at its limit. */
  readonly cut?: boolean
}

/** `before`: what the task has cost already. */
export async function written<T>(
  models: Models,
  brief: WrittenBrief,
  remainingBudget: RemainingBudget,
  parse: (text: string, asked: Asked) => T,
  before: Paid = NOT_BEGUN,
): Promise<Tried<T>> {
  const role = roleOf(brief)
  const writer = writerFor(models, role)
  if (!writer) return { ...before, fault: 'missing' }
  let { spent, calls, tallies } = before
  let failed: { readonly fault: ModelFault; readonly why?: ReplyFault | undefined } = { fault: 'invalid' }
  let hint = ''
  let share = 1
  let more = 0 // tokens of room for a reply that was cut
  const most = writer.tries ?? TRIES
  for (let tries = 0; tries < most; tries++) {
    const form = tries === most - 1 ? 'short' : formFor(writer)
    const room = writer.window - taskPrompt(brief).tokens - OVERHEAD
    const prompt = taskPrompt(fitted(brief, room, share), hint, form)
    const tokens = Math.max(prompt.tokens, more)
    const max = withRoom(mostOf(brief, writer.thinkingTokens), more - prompt.tokens)
    const attempt = attemptAt(remainingBudget, both(spent, max), writingBound(models, prompt.messages, tokens, prompt.schema)())
    // The first attempt is covered before the task begins.
    if (calls > 0 && !(await attempt.isCovered())) break
    try {
      calls++
      const reply = await models.write(prompt.messages, { tokens, schema: prompt.schema, role, mayRepeat: attempt.mayRepeat })
      attempt.known()
      tallies = counted(tallies, form, 'asked')
      spent = { in: spent.in + reply.spent.in, out: spent.out + reply.spent.out, embedded: 0 }
      Object.assign(remainingBudget, { spent, calls })
      if (reply.truncated) tallies = counted(tallies, form, 'cut')
      // A looping reply had nothing more to say. Complete sentences of a text are kept; JSON has lost data and is requested again.
      const cut = reply.truncated === true && !withoutLoop(reply.text).isLoop
      if (cut && prompt.schema !== undefined && more === 0 && tries < most - 1) {
        more = roomier(prompt, writer.window)
        continue
      }
      const instructions = prompt.messages.slice(0, -1).map(({ content }) => content)
      const asked = {
        instructions: instructions.join('\n'),
        material: materialOf(brief),
        isCut: reply.truncated === true,
        isRetold: brief.kind === 'summarize' && brief.role !== 'label',
      }
      const value = parse(reply.text, asked)
      return { value, ...failed, spent, calls, cut, tallies: counted(tallies, form, 'used') }
    } catch (error) {
      const { fault } = faultOf(error)
      failed = { fault, why: replyFaultOf(error) }
      attempt.failed(fault)
      if (hasStandIn(brief, fault)) break
      if (!isUnusable(fault)) throw error
      hint = failed.why ? HINTS[failed.why] : fault === 'invalid' ? HINT : ''
      if (fault === 'too_large') share /= 2
    }
  }
  return { ...failed, spent, calls, tallies }
}

function counted(tallies: FormTallies, form: PromptForm, what: keyof FormTally): FormTallies {
  const before = tallies[form] ?? { asked: 0, used: 0 }
  return { ...tallies, [form]: { ...before, [what]: (before[what] ?? 0) + 1 } }
}

/** One attempt at a reply. `max`: the task's total cost with it; `own`: the cost of the attempt alone. */
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

/** An extractive text now, rather than none until tomorrow. */
function hasStandIn(brief: WrittenBrief, fault: ModelFault): boolean {
  return isOut(fault) && brief.kind !== 'extract'
}

function withRoom(max: Spent, more: number): Spent {
  const extra = Math.max(0, more)
  return { in: max.in, out: max.out + extra, embedded: max.embedded + extra * REPLY_BYTES }
}

/**
 * A share of the material, at most `room` tokens of it, with each text cut alike. A chunk to extract from is never cut: the lost part would
 * be missed.
 */
function fitted<B extends WrittenBrief>(brief: B, room: number, share: number): B {
  if (brief.kind === 'extract') return brief
  const sizes = brief.texts.map(countTokens)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const kept = Math.min(total, Math.max(MIN, room)) * share
  if (total <= kept) return brief
  return { ...brief, texts: brief.texts.map((text, i) => clipToTokens(text, Math.max(1, Math.floor(((sizes[i] ?? 0) * kept) / total)))) }
}

/** The token limit after a reply was cut: more, as far as the window allows; never less, since a second attempt may be shorter. */
function roomier({ messages, tokens }: TaskPrompt, window: number): number {
  const read = messages.reduce((sum, one) => sum + countTokens(one.content), 0)
  return Math.max(tokens, Math.min(tokens * ROOMIER, Math.floor(window - read * MISCOUNT)))
}

export function both(a: Spent, b: Spent): Spent {
  return { in: a.in + b.in, out: a.out + b.out, embedded: a.embedded + b.embedded }
}
