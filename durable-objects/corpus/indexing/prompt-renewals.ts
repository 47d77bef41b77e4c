/**
 * When the prompts have changed, by a release or by the corpus's ontology, what a model has extracted from chunks is requested again: a limited number of
 * chunks in each run of the schedule, while nothing else has to be done, and never from the last half of a budget. Until a better reply has come, or if
 * none is usable, the chunk keeps what it has.
 */
import { PROMPTS, promptsOf } from '../../../src/core/prompt-version'
import type { Reply } from '../../../src/core/strategy'
import { isBudgetExhausted } from '../billing/admission'
import { remainingBudget } from '../billing/usage'
import { isIntegrating } from '../jobs/integration-state'
import { addTasks } from '../jobs/tasks'
import type { CorpusContext } from '../store'
import { countOutdatedExtractions, listOutdatedExtractions, type PromptVersions, setExtractionPrompts } from '../tables/cache'
import { hasAnyTask, type TaskRow } from '../tables/task'
import { nextRewriteAt } from './pending-rewrites'

const KEPT = 0.5 // share of a budget that is left to documents and questions
const MARK = ' prompts/'

/** What a task asks for, regardless of the prompts used. */
export function inputAsked(input: string): string {
  return input.split(MARK)[0] ?? input
}

export function isRenewal({ input }: Pick<TaskRow, 'input'>): boolean {
  return input.includes(MARK)
}

/** The reply that builders receive; undefined if what they have is better. */
export function renewedReply({ sql }: Pick<CorpusContext, 'sql'>, reply: Reply): Reply | undefined {
  const input = inputAsked(reply.input)
  if (reply.kind !== 'unusable') return { ...reply, input }
  setExtractionPrompts(sql, input, promptsAsked(reply.input)) // requested, and not again before the next change
  return undefined
}

/** Also if the reply is the same as before. */
export function noteRenewed({ sql }: Pick<CorpusContext, 'sql'>, { input }: Pick<TaskRow, 'input'>): void {
  setExtractionPrompts(sql, inputAsked(input), promptsAsked(input))
}

/** The prompts it was asked with, which may no longer be in force. */
function promptsAsked(input: string): string {
  return input.split(MARK)[1] ?? PROMPTS
}

/** The version of each builder's prompts. */
function versionsOf({ builders, config }: Pick<CorpusContext, 'builders' | 'config'>): PromptVersions {
  return builders.flatMap((builder) => (builder.brief ? [[builder.name, promptsOf(builder, config.settings)] as const] : []))
}

/** Counted up to `max`. */
export function countOutdated(context: Pick<CorpusContext, 'sql' | 'builders' | 'config'>, max: number): number {
  return countOutdatedExtractions(context.sql, versionsOf(context), max)
}

/** Inside the schedule's transaction; true if there were any. */
export function requestRenewals(context: CorpusContext): boolean {
  if (!mayRenew(context)) return false
  const { sql, graph, builders, config } = context
  const versions = versionsOf(context)
  let hasAsked = false
  for (const { input, node, builder } of listOutdatedExtractions(sql, versions, config.settings.extraction.renewals ?? 0)) {
    const version = versions.find(([name]) => name === builder)?.[1] ?? PROMPTS
    const task = { builder, kind: 'extract', node, input } as const
    const wanted = builders.find((one) => one.name === builder)?.brief?.(graph, { ...task, urgent: false }, config.settings)
    if (wanted) addTasks(sql, [{ ...task, input: `${input}${MARK}${version}`, background: true, urgent: false }], [])
    else setExtractionPrompts(sql, input, version) // a task that nobody asks any more
    hasAsked ||= wanted !== undefined
  }
  return hasAsked
}

/** Is there something to request again, and is that allowed? */
export function isRenewalDue(context: CorpusContext): boolean {
  return mayRenew(context) && countOutdated(context, 1) > 0
}

function mayRenew(context: CorpusContext): boolean {
  const { sql, config, now } = context
  const { writer, extraction } = config.settings
  if (!writer || (extraction.renewals ?? 0) === 0 || isBudgetExhausted(context) || isIntegrating(context) || hasAnyTask(sql)) return false
  const outUntil = nextRewriteAt(context)
  return (outUntil === null || outUntil <= now()) && hasBudgetToSpare(context)
}

function hasBudgetToSpare(context: CorpusContext): boolean {
  const { budget } = context.config
  const { tokens, usd } = remainingBudget(context)
  const spares = (left: number | null, whole = 0): boolean => left === null || left > KEPT * whole
  return spares(tokens, budget.tokens) && spares(usd, budget.usd)
}
