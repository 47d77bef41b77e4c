/** A field for an entity's name, with suggestions, and the one entity with that name. */
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { nameOf } from './namesakes'

/** Entities whose names match what is typed. The part after ` · ` distinguishes namesakes and is not part of the name. */
export async function entitiesLike(corpus: string, typed: string, signal?: AbortSignal) {
  const [name = ''] = typed.split(' · ')
  const { data } = await corpusAt(corpus, signal).entities({ q: name, limit: 20 })
  return data
}

/** The id of the one entity with this name; an error for the user if there is none, or several. */
export async function entityCalled(corpus: string, typed: string): Promise<string> {
  const wanted = typed.trim().toLowerCase()
  const called = (await entitiesLike(corpus, typed)).filter((entity) =>
    [nameOf(entity), nameOf({ text: entity.text })].some((name) => name.toLowerCase() === wanted),
  )
  const [only] = called
  if (!only) throw new Error(`No entity is called “${typed}”. Choose one of those that are suggested.`)
  if (called.length > 1) throw new Error(`Several entities are called “${typed}”. Choose one of those that are suggested.`)
  return only.id
}

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly text: string
  readonly type: (text: string) => void
  readonly corpus: string
  readonly version: number
}

export function EntityField({ id, label, text, type, corpus, version }: FieldProps) {
  const { value } = useLoad((signal) => entitiesLike(corpus, text, signal), [corpus, version, text])
  return (
    <>
      <label for={id}>{label}</label>
      <input id={id} required list={`${id}-names`} autocomplete="off" value={text} onInput={(event) => type(event.currentTarget.value)} />
      <datalist id={`${id}-names`}>
        {value?.map((one) => (
          <option key={one.id} value={nameOf(one)} />
        ))}
      </datalist>
    </>
  )
}
