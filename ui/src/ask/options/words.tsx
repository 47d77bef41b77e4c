/** A list of words, each of which can be removed again. */
import { useState } from 'preact/hooks'
import { Chip } from './chip'

interface Props {
  readonly label: string
  readonly words: readonly string[]
  readonly most: number
  readonly set: (words: readonly string[]) => void
}

export function Words({ label, words, most, set }: Props) {
  const [word, write] = useState('')
  const add = () => {
    const said = word.trim()
    if (said === '' || words.length >= most) return
    set([...new Set([...words, said])])
    write('')
  }
  return (
    <>
      {words.length > 0 && (
        <div class="row wrap">
          {words.map((one) => (
            <Chip key={one} remove={() => set(words.filter((other) => other !== one))}>
              {one}
            </Chip>
          ))}
        </div>
      )}
      <div class="row given">
        <input
          aria-label={label}
          placeholder="key"
          list="metadata-keys"
          maxLength={256}
          value={word}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return
            event.preventDefault()
            add()
          }}
        />
        <button type="button" class="small" aria-label="Add the key" disabled={words.length >= most} onClick={add}>
          Add
        </button>
      </div>
    </>
  )
}
