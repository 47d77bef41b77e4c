/** The command line as a command, its options and its words; and the help that says what they may be. */
import { parseArgs } from 'node:util'
import { nearest } from '../src/contract/nearest'
import { type Command, everywhere, type Options, type ParsedValues } from './command'
import { commands, groups } from './commands'
import { misuse } from './failure'
import { service } from './options'

export interface Arguments {
  /** Undefined: none was named, so that the help is wanted. */
  readonly command: Command | undefined
  readonly values: ParsedValues
  readonly positionals: readonly string[]
}

export function parseArguments(given: readonly string[]): Arguments {
  const [first, ...rest] = given
  const command = first === undefined ? undefined : commands.get(first)
  if (first === 'help') return { command: commands.get(rest[0] ?? ''), values: { help: true }, positionals: [] }
  if (command === undefined && first !== undefined && !first.startsWith('-'))
    throw misuse(`there is no command "${first}"; ${meant(first, [...commands.keys()], 'loam ') ?? 'loam --help lists them'}`)
  const options: Options = { ...everywhere, ...(command ? command.options : service) }
  const { values, positionals } = parse(command ? rest : given, options, command !== undefined)
  if (command && !values.help) checkFit(command, values, positionals)
  return { command, values, positionals }
}

function parse(args: readonly string[], options: Options, allowPositionals: boolean): Omit<Arguments, 'command'> {
  try {
    return parseArgs({ args: [...args], options: { ...options }, allowPositionals, strict: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const unknown = /^Unknown option '--([\w-]+)'/.exec(error.message)?.[1]
    const hint = unknown === undefined ? undefined : meant(unknown, Object.keys(options), '--')
    throw misuse(`${error.message.split('. ')[0]}; ${hint ?? '--help lists what there is'}`) // the rest explains how to pass what begins with a dash
  }
}

function meant(name: string, known: readonly string[], before: string): string | undefined {
  const near = nearest(name, known)
  return near === undefined ? undefined : `did you mean ${before}${near}?`
}

function checkFit({ maxWords, options, usage }: Command, values: ParsedValues, positionals: readonly string[]): void {
  if (positionals.length > maxWords) throw misuse(`"${positionals[maxWords]}" is one word too many: loam ${usage}`)
  for (const [name, { choices }] of Object.entries(options)) {
    const value = values[name]
    if (choices && value !== undefined && !choices.some((choice) => choice === value))
      throw misuse(`--${name} ${value}: say ${choices.join(' or ')}`)
  }
}

export function formatHelp(command: Command | undefined): string {
  if (command) {
    const { usage, summary, aliases = [], options, examples } = command
    const also = aliases.length > 0 ? `\n  Also: loam ${aliases.join(', loam ')}` : ''
    return `loam ${usage}\n  ${summary}${also}\n\n${optionLines({ ...options, ...everywhere })}\n\nExamples\n${examples.map((one) => `  ${one}`).join('\n')}`
  }
  const width = Math.max(...[...commands.values()].map((one) => shortUsage(one).length))
  return [
    'Graph RAG for corpora that never stop growing.',
    ...groups.map(
      ([title, some]) => `${title}\n${some.map((one) => `  loam ${shortUsage(one).padEnd(width)}  ${one.summary}`).join('\n')}`,
    ),
    `Options of every command\n${optionLines({ ...service, ...everywhere })}`,
    'Exit codes: 0 done, 1 failed or only partly done, 2 wrong usage, 130 interrupted.\nloam <command> --help says more. Results go to standard output, in plain lines when piped; --json prints what the service answered.',
  ].join('\n\n')
}

/** Without the verbs of a command that has several; its own help names them. */
const shortUsage = ({ usage, verbs }: Command): string => (verbs ? `${usage.split(' ')[0]} …` : usage)

function optionLines(options: Options): string {
  const lines = Object.entries(options).map(([name, { type, short, summary }]) => {
    return [`${short ? `-${short}, ` : '    '}--${name}${type === 'string' ? ' …' : ''}`, summary] as const
  })
  const width = Math.max(22, ...lines.map(([form]) => form.length))
  return lines.map(([form, summary]) => `  ${form.padEnd(width)}  ${summary}`).join('\n')
}
