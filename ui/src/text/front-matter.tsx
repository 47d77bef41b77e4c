/** A file's fields before its text, as a table of properties; to Markdown alone the last of them would be a heading. */
import type { VNode } from 'preact'
import type { Decorated } from './decorated'

const FRONT_MATTER = /^---[ \t]*\n((?:[\w-]+:.*\n|[ \t]+\S.*\n|- .*\n)+)---[ \t]*(?:\n|$)/

/** The letters it takes, and its fields; null: it has none. */
export function frontMatterOf(source: string): { readonly whole: string; readonly fields: string } | null {
  const [whole = '', fields = ''] = FRONT_MATTER.exec(source) ?? []
  return whole === '' ? null : { whole, fields }
}

interface Property {
  readonly name: string
  readonly values: readonly string[]
}

/** `tags: [a, b]` and a list below `tags:` are several values. */
function propertiesIn(fields: string): readonly Property[] {
  const found: { name: string; values: string[] }[] = []
  for (const line of fields.split('\n')) {
    const [, name, value = ''] = /^([\w-]+):(.*)$/.exec(line) ?? []
    if (name !== undefined) found.push({ name, values: [] })
    const listed = /^\[(.*)\]$/.exec(value.trim())?.[1]?.split(',')
    const written = name === undefined ? [line.trim().replace(/^- +/, '')] : (listed ?? [value])
    found.at(-1)?.values.push(...written.map(unquoted).filter((one) => one !== ''))
  }
  return found.filter(({ values }) => values.length > 0)
}

const unquoted = (value: string): string => value.trim().replace(/^(["'])(.*)\1$/, '$2')

export function FrontMatter({ fields, text }: { readonly fields: string; readonly text: Decorated }): VNode {
  return (
    <table class="properties" aria-label="Properties">
      <tbody>
        {propertiesIn(fields).map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{text.part(name)}</th>
            <td dir="auto">{values.map((value, i) => [i > 0 && ', ', text.part(value)])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
