/** `loam completion`: what a shell needs to complete commands and options, made from their declarations. */
import { type Command, command, everywhere, type Option, type Options } from '../command'
import { misuse } from '../failure'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `all`: every command, read when it is run, since it is one of them. */
export const completionOf = (all: () => readonly Command[]): Command =>
  command(
    {
      usage: 'completion <bash | zsh | fish>',
      verbs: SHELLS,
      summary: 'print the completion of commands and options for your shell',
      maxWords: 1,
      options: {},
      examples: [
        'source <(loam completion bash)',
        'loam completion zsh >~/.zfunc/_loam',
        'loam completion fish >~/.config/fish/completions/loam.fish',
      ],
    },
    ({ positionals: [shell = ''], out }) => {
      const script = SCRIPTS.get(shell)
      if (!script) throw misuse(`which shell? loam completion <${SHELLS.join(' | ')}>`)
      out.line(script(all()))
    },
  )

const SCRIPTS: ReadonlyMap<string, (all: readonly Command[]) => string> = new Map([
  ['bash', formatBash],
  ['zsh', formatZsh],
  ['fish', formatFish],
])

const nameOf = ({ usage }: Command): string => usage.split(' ')[0] ?? ''
const allOf = ({ options }: Command): Options => ({ ...options, ...everywhere })
const optionsOf = (one: Command): readonly string[] => Object.keys(allOf(one)).map((name) => `--${name}`)

const valuesOf = ({ choices, suggested }: Option): readonly string[] => choices ?? suggested ?? []

function formatBash(all: readonly Command[]): string {
  const cases = all.map((one) => `    ${nameOf(one)}) words="${[...(one.verbs ?? []), ...optionsOf(one)].join(' ')}" ;;`)
  const values = all.flatMap((one) =>
    Object.entries(allOf(one)).flatMap(([name, option]) =>
      [`--${name}`, ...(option.short ? [`-${option.short}`] : [])].flatMap((form) =>
        valuesOf(option).length > 0 ? [`    "${nameOf(one)} ${form}") words="${valuesOf(option).join(' ')}" ;;`] : [],
      ),
    ),
  )
  return `_loam() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${all.map(nameOf).join(' ')} --help --version"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _loam loam`
}

/** Works from a folder of `fpath`, where the first Tab runs the file itself, and where it is sourced. */
function formatZsh(all: readonly Command[]): string {
  const quote = (text: string): string => text.replace(/[':[\]]/g, (sign) => (sign === "'" ? "'\\''" : `\\${sign}`))
  const described = all.map((one) => `    '${nameOf(one)}:${quote(one.summary)}'`)
  const takenBy = (name: string, option: Option): string =>
    `:${name}:${valuesOf(option).length > 0 ? `(${valuesOf(option).join(' ')})` : '_files'}`
  const cases = all.map((one) => {
    const options = Object.entries(allOf(one)).flatMap(([name, option]) => {
      const rest = `[${quote(option.summary)}]${option.type === 'string' ? takenBy(name, option) : ''}'`
      const again = option.multiple ? '*' : ''
      return [`'${again}--${name}${rest}`, ...(option.short ? [`'${again}-${option.short}${rest}`] : [])]
    })
    const verbs = one.verbs ? [`'2:what:(${one.verbs.join(' ')})'`] : []
    return `      ${nameOf(one)}) _arguments ${[...options, ...verbs, "'*:file:_files'"].join(' ')} ;;`
  })
  return `#compdef loam
_loam() {
  local -a commands
  commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands
  else
    case $words[2] in
${cases.join('\n')}
    esac
  fi
}
if [ "$funcstack[1]" = _loam ]; then _loam "$@"; else compdef _loam loam; fi`
}

function formatFish(all: readonly Command[]): string {
  const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
  const lines = all.flatMap((one) => {
    const within = `-n ${quote(`__fish_seen_subcommand_from ${nameOf(one)}`)}`
    return [
      `complete -c loam -n __fish_use_subcommand -a ${nameOf(one)} -d ${quote(one.summary)}`,
      ...(one.verbs ?? []).map((verb) => `complete -c loam ${within} -a ${verb}`),
      ...Object.entries(allOf(one)).map(([name, option]) => {
        const values = valuesOf(option).length > 0 ? ` -f -a ${quote(valuesOf(option).join(' '))}` : ''
        const form = `-l ${name}${option.short ? ` -s ${option.short}` : ''}${option.type === 'string' ? ` -r${values}` : ''}`
        return `complete -c loam ${within} ${form} -d ${quote(option.summary)}`
      }),
    ]
  })
  return lines.join('\n')
}
