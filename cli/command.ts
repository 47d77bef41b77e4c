/** What a command is: what parsing and the help need to know about it, and what it does. */
import type { Output } from './output'

export interface Option {
  readonly type: 'string' | 'boolean'
  readonly summary: string
  readonly short?: string
  /** It may be repeated. */
  readonly multiple?: boolean
  /** Nothing else is accepted. */
  readonly choices?: readonly string[]
  /** What a shell offers if other values are possible. */
  readonly suggested?: readonly string[]
}

export type Options = { readonly [name: string]: Option }

type Value<O extends Option> = O extends { readonly type: 'boolean' }
  ? boolean
  : O extends { readonly multiple: true }
    ? readonly string[]
    : string

export type Values<O extends Options> = { readonly [Name in keyof O]?: Value<O[Name]> | undefined }

/** As they are parsed, for any command. */
export type ParsedValues = { readonly [name: string]: string | boolean | readonly (string | boolean)[] | undefined }

export type Environment = { readonly [name: string]: string | undefined }

/** A command as it was called. */
export interface Invocation<V> {
  readonly values: V
  readonly positionals: readonly string[]
  readonly out: Output
  readonly env: Environment
  readonly stdin: NodeJS.ReadStream
}

interface Declaration<O extends Options> {
  /** Without `loam`; its first word is the name. */
  readonly usage: string
  readonly summary: string
  /** What its own help says in addition. */
  readonly details?: string
  /** Other names it answers to. */
  readonly aliases?: readonly string[]
  /** What its first word may be, if that selects an action. */
  readonly verbs?: readonly string[]
  /** Words besides options. */
  readonly maxWords: number
  readonly options: O
  readonly examples: readonly string[]
}

export interface Command extends Declaration<Options> {
  run(invocation: Invocation<ParsedValues>): Promise<void>
}

export function command<const O extends Options>(
  declaration: Declaration<O>,
  run: (invocation: Invocation<Values<O & typeof everywhere>>) => void | Promise<void>,
): Command {
  // The values are those of its options: arguments.ts parses with them.
  return { ...declaration, run: async (invocation) => run(invocation as Invocation<Values<O & typeof everywhere>>) }
}

export const text = <const More extends Omit<Option, 'type' | 'summary'>>(summary: string, more?: More) =>
  ({ type: 'string', summary, ...more }) as { readonly type: 'string'; readonly summary: string } & More

export const flag = (summary: string, more?: { readonly short: string }) => ({ type: 'boolean', summary, ...more }) as const

export const everywhere = {
  json: flag('print JSON'),
  help: flag('show this help', { short: 'h' }),
  version: flag('show the version'),
}
