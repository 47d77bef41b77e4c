/** Adds an entity that neither rules nor a model found. It takes effect at once, and can be undone in the list of decisions. */
import { Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'

interface Props {
  readonly corpus: string
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

const NOTHING = { name: '', type: '', description: '', documents: '' }
type Field = keyof typeof NOTHING

/** Fields with their labels and the most letters they take. */
const FIELDS: readonly (readonly [field: Field, label: string, most: number | undefined])[] = [
  ['name', 'Its name, as texts say it', 200],
  ['type', 'What it is (optional)', 64],
  ['description', 'What is to be known about it (optional)', 500],
  ['documents', 'Only in these documents (ids, separated by commas; optional)', undefined],
]

export function AddForm({ corpus, act }: Props) {
  const [entered, enter] = useState(NOTHING)
  const [fault, fail] = useState<unknown>()
  const add = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    try {
      const { name, type, description } = entered
      const documents = listed(entered.documents)
      const wanted = { name, type, description, ...(documents.length > 0 ? { documents } : {}) }
      const { status } = await corpusAt(corpus).decisions.add(wanted)
      if (status === 'unchanged') throw new Error(`“${name.trim()}” is already an entity.`)
      await act(async () => enter(NOTHING))
    } catch (error) {
      fail(error)
    }
  }
  return (
    <section class="card" aria-labelledby="adding">
      <h2 id="adding">Add an entity</h2>
      <p class="fine">
        For a name that was not recognised. Every text that says it is then linked by it, later ones too. Without a capital at its
        beginning, it is found in lower case as well.
      </p>
      <form class="stack" onSubmit={add}>
        {FIELDS.map(([field, label, most]) => (
          <Fragment key={field}>
            <label for={`add-${field}`}>{label}</label>
            <input
              id={`add-${field}`}
              required={field === 'name'}
              maxLength={most}
              autocomplete="off"
              value={entered[field]}
              onInput={(event) => enter({ ...entered, [field]: event.currentTarget.value })}
            />
          </Fragment>
        ))}
        <Failure fault={fault} />
        <p>
          <button type="submit" class="primary">
            Add
          </button>
        </p>
      </form>
    </section>
  )
}

function listed(ids: string): readonly string[] {
  return ids
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)
}
