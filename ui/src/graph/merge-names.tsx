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
  const [one, name] = useState<Chosen>(NOBODY)
  const [other, rename] = useState<Chosen>(NOBODY)
  const [fault, fail] = useState<unknown>()
  const merge = (event: Event) => {
    event.preventDefault()
    fail(undefined)
    const missing = [one, other].find(({ id }) => !id)
    if (missing?.shared) return fail(new Error(`Several entities are called “${missing.text}”. Choose one of those that are suggested.`))
    if (missing) return fail(new Error(`No entity is called “${missing.text}”. Choose one of those that are suggested.`))
    if (one.id === other.id) return fail(new Error('These are the same entity already.'))
    void act(async () => {
      await corpusAt(corpus).names.merge(one.id, other.id)
      name(NOBODY)
      rename(NOBODY)
    })
  }
  return (
    <section class="card" aria-labelledby="merging">
      <h2 id="merging">Merge two names</h2>
      <p class="fine">In force at once. Reports on the communities it touches are written again afterwards.</p>
      <form class="stack" onSubmit={merge}>
        <EntityField id="merge-one" label="This entity" chosen={one} choose={name} corpus={corpus} version={version} />
        <EntityField id="merge-other" label="is the same as" chosen={other} choose={rename} corpus={corpus} version={version} />
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

interface Chosen {
  readonly text: string
  /** Empty: no entity is called so. */
  readonly id: string
  /** Several are called so. */
  readonly shared?: boolean
}

const NOBODY: Chosen = { text: '', id: '' }

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly chosen: Chosen
  readonly choose: (chosen: Chosen) => void
  readonly corpus: string
  readonly version: number
}

function EntityField({ id, label, chosen, choose, corpus, version }: FieldProps) {
  const { value } = useLoad(
    async (signal) => {
      const [looked = ''] = chosen.text.split(' · ') // what follows tells namesakes apart, and is no part of the name
      const { data } = await corpusAt(corpus, signal).entities({ q: looked, limit: 20 })
      const wanted = chosen.text.trim().toLowerCase()
      const called = data.filter((one) => [nameOf(one), nameOf({ text: one.text })].some((name) => name.toLowerCase() === wanted))
      const [same] = called.length === 1 ? called : []
      const shared = called.length > 1
      if ((same && same.id !== chosen.id) || shared !== (chosen.shared ?? false)) choose({ ...chosen, id: same?.id ?? '', shared })
      return data
    },
    [corpus, version, chosen.text],
  )
  return (
    <>
      <label for={id}>{label}</label>
      <input
        id={id}
        required
        list={`${id}-names`}
        autocomplete="off"
        value={chosen.text}
        onInput={(event) => choose({ text: event.currentTarget.value, id: '' })}
      />
      <datalist id={`${id}-names`}>
        {value?.map((one) => (
          <option key={one.id} value={nameOf(one)} />
        ))}
      </datalist>
    </>
  )
}
