/** The help: all commands, or one command's options, from the declarations. In a terminal its lines fit; piped, each stays one line. */
import { type Command, everywhere, type Options } from './command'
import { commands, groups } from './commands'
import { service } from './options'

const MIN_SUMMARY = 28 // columns; if fewer are left next to the form, the summary goes below it
const BELOW = '      '

const EXIT_CODES = 'Exit codes: 0 done, 1 failed or only partly done, 2 wrong usage, 130 interrupted.'
const CLOSING =
  'loam <command> --help shows options and examples. Results go to standard output, in plain lines when piped; --json prints what the service answered.'

/** @param columns of the terminal; infinite: there is none */
export function formatHelp(command: Command | undefined, columns = Number.POSITIVE_INFINITY): string {
  return command ? ownHelp(command, columns) : overview(columns)
}

function ownHelp({ usage, summary, details, aliases = [], options, examples }: Command, columns: number): string {
  const also = aliases.length > 0 ? [wrap(`Also: loam ${aliases.join(', loam ')}`, columns, '  ')] : []
  return [
    [wrap(`loam ${usage}`, columns, '', BELOW), wrap(summary, columns, '  '), ...also].join('\n'),
    ...(details === undefined ? [] : [wrap(details, columns, '  ')]),
    optionLines({ ...options, ...everywhere }, columns),
    `Examples\n${examples.map((one) => `  ${one}`).join('\n')}`, // whole, to be copied
  ].join('\n\n')
}

function overview(columns: number): string {
  const width = Math.max(...[...commands.values()].map((one) => shortUsage(one).length))
  return [
    'Graph RAG for corpora that never stop growing.',
    ...groups.map(
      ([title, some]) =>
        `${title}\n${some.map((one) => row(`loam ${shortUsage(one)}`, one.summary, { width: width + 5, columns })).join('\n')}`,
    ),
    `Options of every command\n${optionLines({ ...service, ...everywhere }, columns)}`,
    `${wrap(EXIT_CODES, columns, '')}\n${wrap(CLOSING, columns, '')}`,
  ].join('\n\n')
}

/** Without the verbs of a command that has several; its own help names them. */
const shortUsage = ({ usage, verbs }: Command): string => (verbs ? `${usage.split(' ')[0]} …` : usage)

function optionLines(options: Options, columns: number): string {
  const lines = Object.entries(options).map(([name, { type, short, summary }]) => {
    return [`${short ? `-${short}, ` : '    '}--${name}${type === 'string' ? ' …' : ''}`, summary] as const
  })
  const width = Math.max(22, ...lines.map(([form]) => form.length))
  return lines.map(([form, summary]) => row(form, summary, { width, columns })).join('\n')
}

function row(form: string, summary: string, { width, columns }: { readonly width: number; readonly columns: number }): string {
  const indent = ' '.repeat(width + 4)
  const longest = Math.max(MIN_SUMMARY, ...summary.split(' ').map((word) => word.length))
  if (columns - indent.length < longest) return `  ${form}\n${wrap(summary, columns, BELOW)}`
  return wrap(summary, columns, `  ${form.padEnd(width)}  `, indent)
}

/** Lines of whole words; `first` begins the first, `other` those below it. */
function wrap(text: string, columns: number, first: string, other = first): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const before = lines.length === 0 ? first : other
    if (line !== '' && before.length + line.length + 1 + word.length > columns) {
      lines.push(before + line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, (lines.length === 0 ? first : other) + line].join('\n')
}
