/** `loam completion`: what a shell needs to complete commands and options, made from their declarations. */
import { type Command, command, everywhere, type Options } from '../command'
import { misuse } from '../failure'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `all`: every command, asked for when it is run, since it is one of them. */
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
      const script = { bash: formatBash, zsh: formatZsh, fish: formatFish }[shell]
      if (!script) throw misuse(`which shell? loam completion <${SHELLS.join(' | ')}>`)
      out.line(script(all()))
    },
  )

const nameOf = ({ usage }: Command): string => usage.split(' ')[0] ?? ''
const allOf = ({ options }: Command): Options => ({ ...options, ...everywhere })
const optionsOf = (one: Command): readonly string[] => Object.keys(allOf(one)).map((name) => `--${name}`)

function formatBash(all: readonly Command[]): string {
  const cases = all.map((one) => `    ${nameOf(one)}) words="${[...(one.verbs ?? []), ...optionsOf(one)].join(' ')}" ;;`)
  return `_loam() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${all.map(nameOf).join(' ')} --help --version"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _loam loam`
}

function formatZsh(all: readonly Command[]): string {
  const quote = (text: string): string => text.replace(/[':[\]]/g, (sign) => (sign === "'" ? "'\\''" : `\\${sign}`))
  const described = all.map((one) => `    '${nameOf(one)}:${quote(one.summary)}'`)
  const cases = all.map((one) => {
    const options = Object.entries(allOf(one)).map(
      ([name, { type, summary }]) => `'--${name}[${quote(summary)}]${type === 'string' ? `:${name}:_files` : ''}'`,
    )
    return `      ${nameOf(one)}) _arguments ${options.join(' ')} '*:file:_files' ;;`
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
compdef _loam loam`
}

function formatFish(all: readonly Command[]): string {
  const quote = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
  const lines = all.flatMap((one) => {
    const within = `-n ${quote(`__fish_seen_subcommand_from ${nameOf(one)}`)}`
    return [
      `complete -c loam -n __fish_use_subcommand -a ${nameOf(one)} -d ${quote(one.summary)}`,
      ...(one.verbs ?? []).map((verb) => `complete -c loam ${within} -a ${verb}`),
      ...Object.entries(allOf(one)).map(
        ([name, { type, short, summary }]) =>
          `complete -c loam ${within} -l ${name}${short ? ` -s ${short}` : ''}${type === 'string' ? ' -r' : ''} -d ${quote(summary)}`,
      ),
    ]
  })
  return lines.join('\n')
}
