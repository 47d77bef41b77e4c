/**
 * The arguments of the scripts in package.json: `--help` prints the usage, and anything not in it is refused in a sentence, before anything
 * is installed or started. Imports only Node's own modules.
 */
import { parseArgs } from 'node:util'

/** @param {readonly string[]} args */
export const asksForHelp = (args) => args.includes('--help') || args.includes('-h')

/**
 * @template {import('node:util').ParseArgsConfig['options']} T
 * @param {readonly string[]} args
 * @param {{ usage: string, options?: T, words?: number }} takes how many words in addition to options
 */
export function parsed(args, { usage, options, words = 0 }) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: options ?? {}, allowPositionals: words > 0 })
    if (positionals.length > words) throw new Error(`Unexpected argument '${positionals[words]}'`)
    return { values, positionals }
  } catch (error) {
    throw misuse(`${error.message.split('. ')[0]}.\n\n${usage}`) // the rest explains how to pass arguments that begin with a dash
  }
}

/** A wrong call exits with 2. @param {string} message */
export const misuse = (message) => Object.assign(new Error(message), { exit: 2 })

/**
 * For a script's own start: ends the process with 0 after `--help`, and with 2 if the arguments are wrong.
 * @template {import('node:util').ParseArgsConfig['options']} T
 * @param {{ usage: string, options?: T, words?: number }} takes
 */
export function ownArguments(takes, args = process.argv.slice(2)) {
  helpIfAsked(takes.usage, args)
  try {
    return parsed(args, takes)
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

/** For scripts that pass their arguments on. @param {string} usage */
export function helpIfAsked(usage, args = process.argv.slice(2)) {
  if (!asksForHelp(args)) return
  console.log(usage)
  process.exit(0)
}
