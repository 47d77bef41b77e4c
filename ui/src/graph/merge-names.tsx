/** Two entities, looked up by name, said to be one thing. */
import { useState } from 'preact/hooks'
import { useLoad } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { nameOf } from './namesakes'

interface Props {
  readonly corpus: string
  readonly version: number
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

export function MergeNames({ corpus, version, act }: Props) {
  const [one, setOne] = useState('')
  const [other, setOther] = useState('')
  const [fault, fail] = useState<unknown>()
  const merge = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    try {
      // Looked up now, not taken from the suggestions: a name may be typed and sent before they have come.
      const [first, second] = await Promise.all([entityCalled(corpus, one), entityCalled(corpus, other)])
      if (first === second) throw new Error('These are the same entity already.')
      await act(async () => {
        await corpusAt(corpus).names.merge(first, second)
        setOne('')
        setOther('')
      })
    } catch (error) {
      fail(error)
    }
  }
  return (
    <section class="card" aria-labelledby="merging">
      <h2 id="merging">Merge two names</h2>
      <p class="fine">In force at once. Reports on the communities it touches are written again afterwards.</p>
      <form class="stack" onSubmit={merge}>
        <EntityField id="merge-one" label="This entity" text={one} type={setOne} corpus={corpus} version={version} />
        <EntityField id="merge-other" label="is the same as" text={other} type={setOther} corpus={corpus} version={version} />
        <Failure fault={fault} />
        <p>
          <button type="submit" class="primary">
            Merge
          </button>
        </p>
      </form>
    </section>
  )
}

/** Entities whose names match what is typed. What follows ` · ` tells namesakes apart and is no part of the name. */
async function entitiesLike(corpus: string, typed: string, signal?: AbortSignal) {
  const [name = ''] = typed.split(' · ')
  const { data } = await corpusAt(corpus, signal).entities({ q: name, limit: 20 })
  return data
}

/** The id of the one entity that is called so; an error for the person where there is none, or several. */
async function entityCalled(corpus: string, typed: string): Promise<string> {
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

function EntityField({ id, label, text, type, corpus, version }: FieldProps) {
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
