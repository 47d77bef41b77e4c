/** The command line as a command, its options and its words; and the help that says what they may be. */
import { parseArgs } from 'node:util'
import { type Command, everywhere, type Options, type ParsedValues } from './command'
import { commands } from './commands'
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
    throw misuse(`there is no command "${first}"; loam --help names them`)
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
    throw misuse(`${error.message.split('. ')[0]}; --help names what there is`) // the rest explains how to pass what begins with a dash
  }
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
    const { usage, summary, options, examples } = command
    return `loam ${usage}\n  ${summary}\n\n${optionLines({ ...options, ...everywhere })}\n\n${examples.map((one) => `  ${one}`).join('\n')}`
  }
  const all = [...commands.values()]
  const width = Math.max(...all.map(({ usage }) => usage.length))
  return [
    'Graph RAG for corpora that never stop growing.',
    all.map(({ usage, summary }) => `  loam ${usage.padEnd(width)}  ${summary}`).join('\n'),
    optionLines({ ...service, ...everywhere }),
    'Exit codes: 0 done, 1 failed or not all of it done, 2 misused, 130 interrupted.\nloam <command> --help says more.',
  ].join('\n\n')
}

function optionLines(options: Options): string {
  return Object.entries(options)
    .map(
      ([name, { type, short, summary }]) =>
        `  ${`${short ? `-${short}, ` : '    '}--${name}${type === 'string' ? ' …' : ''}`.padEnd(24)}${summary}`,
    )
    .join('\n')
}
