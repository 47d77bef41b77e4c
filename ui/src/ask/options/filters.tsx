/** Keys of metadata and the values that a document must have: any value of a key, but for every key. */
import { useState } from 'preact/hooks'
import { written } from '../../../../src/contract/condition-text'
import { type Filters as All, filterList, withFilter, withoutFilter } from '../choices'
import { Chip } from './chip'

interface Props {
  readonly filters: All
  readonly set: (filters: All) => void
}

export function Filters({ filters, set }: Props) {
  const [key, name] = useState('')
  const [value, write] = useState('')
  const add = () => {
    if (key.trim() === '' || value === '') return
    set(withFilter(filters, key.trim(), value))
    write('')
  }
  return (
    <>
      <Chips filters={filters} set={set} />
      <Pair names={['Key', 'Value']} hint="value, or >= 1990, != draft" values={[key, value]} write={[name, write]} add={add}>
        Add the filter
      </Pair>
    </>
  )
}

export function Chips({ filters, set }: Props) {
  const list = filterList(filters)
  if (list.length === 0) return null
  return (
    <div class="row wrap">
      {list.map(([key, value]) => (
        <Chip key={`${key}=${value}`} remove={() => set(withoutFilter(filters, key, value))}>
          {conditionText(key, value)}
        </Chip>
      ))}
    </div>
  )
}

function conditionText(key: string, text: string): string {
  const { sign, value } = written(text)
  return `${key} ${sign} ${value}`
}

interface PairProps {
  readonly names: readonly [string, string]
  readonly values: readonly [string, string]
  readonly write: readonly [(text: string) => void, (text: string) => void]
  readonly add: () => void
  /** The button's text. */
  readonly children: string
  readonly more?: preact.ComponentChildren
  /** What the second field accepts. */
  readonly hint?: string
}

/** A key, a value and a button. Return in a field presses the button instead of asking the question. */
export function Pair({ names, values, write, add, children, more, hint = 'value' }: PairProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.isComposing) return
    event.preventDefault()
    add()
  }
  return (
    <div class="row given">
      <input
        aria-label={names[0]}
        placeholder="key"
        list="metadata-keys"
        maxLength={256}
        value={values[0]}
        onInput={(event) => write[0](event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <span aria-hidden="true">=</span>
      <input
        aria-label={names[1]}
        placeholder={hint}
        maxLength={1000}
        value={values[1]}
        onInput={(event) => write[1](event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {more}
      <button type="button" class="small" aria-label={children} onClick={add}>
        Add
      </button>
    </div>
  )
}
