/** What a runner is lent, and what it brings back. */
import type { Spent } from '../contract/usage'
import type { EmbeddingSettings, RoleModels } from '../core/settings'
import type { Brief, Reply } from '../core/strategy'
import type { PromptForm, WriterRole } from './models'

/** A leased task with what to ask. `reply` is there when the cache already knows the answer. */
export interface LeasedTask {
  readonly id: number
  readonly input: string
  readonly node: string
  readonly brief: Brief
  /** Of an extraction: the version of the prompts it is asked with, which may not be in force any more when the reply comes. */
  readonly prompts?: string
}

export interface TaskResult {
  readonly id: number
  readonly reply: Reply
  readonly spent: Spent
  readonly calls: { readonly [kind: string]: number }
  /** What the reply said and the text does not support, by kind: left out, and counted here. */
  readonly dropped?: { readonly [kind: string]: number }
  /** How many replies were asked for in each form of the role's prompt, how many were of use, and how many were cut where their room ended. */
  readonly forms?: FormsUsed
  /** As the task was lent with. */
  readonly prompts?: string
  /** Under which its cost was set aside. */
  readonly hold?: string
}

/** `cut`: absent where none was. */
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
  /** Roles whose replies have shown that the short form of their prompt serves them better. */
  readonly short?: readonly WriterRole[]
  /** Roles of whose replies hardly any has been of use: they are asked once about each text. */
  readonly once?: readonly WriterRole[]
  /** Models that the corpus has chosen for roles. */
  readonly chosen?: RoleModels
  readonly tasks: readonly LeasedTask[]
  /** Open tasks, leased or not, after this lease. */
  readonly left: number
  readonly paused: boolean
  /** Milliseconds the tasks are lent for: nothing may be under way any more when they are over. */
  readonly ms?: number
  /** Another round of this runner is still under way, or what is left of the budget is set aside for others: nothing is lent for at most so many milliseconds. */
  readonly wait?: number
  /** The embedding model of the corpus, whose vectors are wanted. Absent: whichever there is. */
  readonly embedded?: EmbeddingSettings
  /** There is a budget: what a task comes to is set aside before it is begun. */
  readonly isCapped?: true
}

/**
 * Which round of a runner asks. A step whose time is up is repeated while its first attempt runs on; both would be lent the same tasks, and
 * each would be paid for twice. So a round that has a name keeps others of its runner out until one that comes after it says so, or its
 * time is over.
 */
export interface Turn {
  readonly id: string
  /** The round of this runner that has ended. */
  readonly after?: string
  /** How many tasks for a model that writes to lend at most. */
  readonly written?: number
}
