/** What a runner is lent, and what it brings back. */
import type { Spent } from '../contract/usage'
import type { EmbeddingSettings, RoleModels } from '../core/settings'
import type { Brief, Reply } from '../core/strategy'
import type { PromptForm, WriterRole } from './models'

/** A leased task with its prompt. `reply` is present if the cache already knows the answer. */
export interface LeasedTask {
  readonly id: number
  readonly input: string
  readonly node: string
  readonly brief: Brief
  /** For an extraction: the version of its prompts, which may no longer be in force when the reply comes. */
  readonly prompts?: string
  /** Those after it are another job's: a commit that ends here leaves fewer chunks waiting for the rest of their documents. */
  readonly isLastOfJob?: true
}

export interface TaskResult {
  readonly id: number
  readonly reply: Reply
  readonly spent: Spent
  readonly calls: { readonly [kind: string]: number }
  /** Parts of the reply that the text does not support, by kind: left out, and counted here. */
  readonly dropped?: { readonly [kind: string]: number }
  /** How many replies were requested in each form of the role's prompt, how many were usable, and how many were cut at their limit. */
  readonly forms?: FormsUsed
  /** As it was when the task was lent. */
  readonly prompts?: string
  /** The id under which its cost was set aside. */
  readonly hold?: string
}

/** `cut`: absent if none was. */
export interface FormTally {
  readonly asked: number
  readonly used: number
  readonly cut?: number
}
export type FormTallies = { readonly [form in PromptForm]?: FormTally }
export interface FormsUsed {
  readonly role: WriterRole
  readonly tallies: FormTallies
}

export interface Round {
  /** Roles whose replies have shown that the short form of their prompt works better. */
  readonly short?: readonly WriterRole[]
  /** Roles whose replies have hardly ever been usable: they are asked once about each text. */
  readonly once?: readonly WriterRole[]
  /** Models that the corpus has chosen for roles. */
  readonly chosen?: RoleModels
  readonly tasks: readonly LeasedTask[]
  /** Open tasks, leased or not, after this lease. */
  readonly left: number
  readonly paused: boolean
  /** How many milliseconds the tasks are lent for: when they are over, no call may still be running. */
  readonly ms?: number
  /** Another round of this runner is still running, or what is left of the budget is set aside for others: nothing is lent for at most this many milliseconds. */
  readonly wait?: number
  /** The embedding model of the corpus, whose vectors are wanted. Absent: any. */
  readonly embedded?: EmbeddingSettings
  /** There is a budget: a task's cost is set aside before it begins. */
  readonly isCapped?: true
}

/**
 * Which round of a runner asks. A step that times out is repeated while its first attempt runs on; both would be lent the same tasks, and
 * each task would be paid for twice. So a named round keeps other rounds of its runner out until a later one says that it has ended, or its
 * time is over.
 */
export interface Turn {
  readonly id: string
  /** The round of this runner that has ended. */
  readonly after?: string
  /** How many tasks for a writing model to lend at most. */
  readonly written?: number
}
