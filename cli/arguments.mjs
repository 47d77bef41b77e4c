/** The command line as a command, its options and its words; and the help that says what they may be. */
import { parseArgs } from 'node:util'
import { commands, everywhere, service } from './commands.mjs'
import { misuse } from './failure.mjs'

/** @returns {{command: keyof typeof commands | undefined, values: Record<string, any>, positionals: string[]}} */
export function argumentsOf(given) {
  const [first, ...rest] = given
  const command = first !== undefined && Object.hasOwn(commands, first) ? first : undefined
  if (command === undefined && first !== undefined && !first.startsWith('-') && first !== 'help')
    throw misuse(`there is no command "${first}"; loam --help names them`)
  if (first === 'help')
    return { command: Object.hasOwn(commands, rest[0] ?? '') ? rest[0] : undefined, values: { help: true }, positionals: [] }
  const options = { ...everywhere, ...(command ? commands[command].options : service) }
  const { values, positionals } = parsed({ args: command ? rest : given, options, allowPositionals: command !== undefined, strict: true })
  if (!values.help) fitting(command, values, positionals)
  return { command, values, positionals }
}

function parsed(config) {
  try {
    return parseArgs(config)
  } catch (error) {
    throw misuse(`${error.message.split('. ')[0]}; --help names what there is`) // the rest explains how to pass what begins with a dash
  }
}

function fitting(command, values, positionals) {
  if (command === undefined) return
  const { takes, options, usage } = commands[command]
  if (positionals.length > takes) throw misuse(`"${positionals[takes]}" is one word too many: loam ${usage}`)
  for (const [name, { among }] of Object.entries(options))
    if (among && values[name] !== undefined && !among.includes(values[name]))
      throw misuse(`--${name} ${values[name]}: say ${among.join(' or ')}`)
}

export function helpOf(command) {
  if (command === undefined) {
    const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length))
    const lines = Object.values(commands).map(({ usage, says }) => `  loam ${usage.padEnd(width)}  ${says}`)
    return [
      'Graph RAG for corpora that never stop growing.',
      lines.join('\n'),
      optionLines({ ...service, ...everywhere }),
      'Exit codes: 0 done, 1 failed or not all of it done, 2 misused, 130 interrupted.\nloam <command> --help says more.',
    ].join('\n\n')
  }
  const { usage, says, options, examples } = commands[command]
  return `loam ${usage}\n  ${says}\n\n${optionLines({ ...options, ...everywhere })}\n\n${examples.map((one) => `  ${one}`).join('\n')}`
}

function optionLines(options) {
  return Object.entries(options)
    .map(
      ([name, { type, short, says }]) =>
        `  ${`${short ? `-${short}, ` : '    '}--${name}${type === 'string' ? ' …' : ''}`.padEnd(24)}${says}`,
    )
    .join('\n')
}
