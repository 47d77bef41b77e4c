/** Parses the command line into a command, its options and its words; and the help that says what they may be. */
import { parseArgs } from 'node:util'
import { nearest } from '../src/contract/nearest'
import { type Command, everywhere, type Options, type ParsedValues } from './command'
import { commands } from './commands'
import { misuse } from './failure'
import { service } from './options'
import { calledHere } from './other-names'

export interface Arguments {
  /** Undefined: no command was named, so the help is shown. */
  readonly command: Command | undefined
  readonly values: ParsedValues
  readonly positionals: readonly string[]
}

export function parseArguments(given: readonly string[]): Arguments {
  const [first, ...rest] = given
  const command = first === 'help' ? undefined : known(first)
  if (first === 'help') return { command: known(rest[0]), values: { help: true }, positionals: [] }
  const options: Options = { ...everywhere, ...(command ? command.options : service) }
  const { values, positionals } = parse(command ? rest : given, options, command !== undefined)
  if (command && !values.help) checkFit(command, values, positionals)
  return { command, values, positionals }
}

/** Undefined: there is an option, or nothing, instead. */
function known(name: string | undefined): Command | undefined {
  if (name === undefined || name.startsWith('-')) return undefined
  const command = commands.get(name)
  if (command) return command
  const here = calledHere(name)
  const hint = here === undefined ? meant(name, [...commands.keys()], 'loam ') : `here it is ${here}`
  throw misuse(`there is no command "${name}"; ${hint ?? 'loam --help lists them'}`)
}

function parse(args: readonly string[], options: Options, allowPositionals: boolean): Omit<Arguments, 'command'> {
  try {
    return parseArgs({ args: [...args], options: { ...options }, allowPositionals, strict: true })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const unknown = /^Unknown option '--([\w-]+)'/.exec(error.message)?.[1]
    const hint = unknown === undefined ? undefined : meant(unknown, Object.keys(options), '--')
    throw misuse(`${error.message.split('. ')[0]}; ${hint ?? '--help lists the options'}`) // the rest explains how to pass arguments that begin with a dash
  }
}

function meant(name: string, known: readonly string[], before: string): string | undefined {
  const near = nearest(name, known)
  return near === undefined ? undefined : `did you mean ${before}${near}?`
}

function checkFit({ maxWords, options, usage }: Command, values: ParsedValues, positionals: readonly string[]): void {
  if (positionals.length > maxWords) throw misuse(`unexpected argument "${positionals[maxWords]}": loam ${usage}`)
  for (const [name, { choices }] of Object.entries(options)) {
    const value = values[name]
    if (choices && value !== undefined && !choices.some((choice) => choice === value))
      throw misuse(`--${name} ${value}: expected ${choices.join(' or ')}`)
  }
}
