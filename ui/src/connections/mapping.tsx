/** Where a sender's events contain which part of a document: JSON Pointers. */

import type { Mapping as Pointers } from '../../../src/client/client'

export interface Field {
  readonly name: string
  readonly label: string
  readonly example: string
}

export const FIELDS: readonly Field[] = [
  { name: 'id', label: 'Id', example: '/page/id' },
  { name: 'text', label: 'Text', example: '/page/body' },
  { name: 'title', label: 'Title', example: '/page/title' },
  { name: 'url', label: 'URL', example: '/page/link' },
  { name: 'deleted', label: 'Deleted, if this is true', example: '/page/removed' },
]

interface Props {
  readonly fields: Readonly<Record<string, string>>
  readonly write: (fields: Readonly<Record<string, string>>) => void
  readonly names: readonly Field[]
}

export function Mapping({ fields, write, names }: Props) {
  return (
    <details>
      <summary>Its events do not look like {'{id, text, title}'}</summary>
      <p class="fine">JSON Pointers: where each of these is in an event. Id and text are required.</p>
      {names.map(({ name, label, example }) => (
        <label key={name}>
          {label}
          <input
            placeholder={example}
            value={fields[name] ?? ''}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => write({ ...fields, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
    </details>
  )
}

/** Undefined if nothing was filled in: the default shape. */
export function mappingOf(fields: Readonly<Record<string, string>>): Pointers | undefined {
  const filled = Object.entries(fields).filter(([, pointer]) => pointer.trim() !== '')
  if (filled.length === 0) return undefined
  const pointers = filled.map(([name, pointer]) => [name, name === 'deleted' ? { pointer: pointer.trim() } : pointer.trim()])
  return Object.fromEntries(pointers) as Pointers // the service reports missing ones
}
