/** What stands in the fences of the documentation, as it stands there: page, line, language, text. Nothing is copied into a test. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../..')

const folders = ['docs', 'examples', 'encoder']
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...folders.flatMap((folder) => readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : []))),
]

export interface Snippet {
  readonly page: string
  /** Of its first line of text, from 1 on. */
  readonly line: number
  /** What stands behind the fence: `sh`, `ts run`. */
  readonly kind: string
  readonly text: string
}

export const snippets: readonly Snippet[] = pages.flatMap((page) => {
  const whole = readFileSync(join(root, page), 'utf8')
  return [...whole.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ index, 1: kind = '', 2: text = '' }) => ({
    page,
    line: whole.slice(0, index).split('\n').length + 1,
    kind,
    text,
  }))
})

/** The commands of a block, each with the lines it goes on over. */
export function commandsIn({ text }: Snippet): string[] {
  return text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
}
