/**
 * Decisions about an entity: what it is, its name, whether it is shown, and what it is related to. They take effect at once, and can be undone in the list
 * next to it.
 */
import { useState } from 'preact/hooks'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { EntityField, entityCalled } from './entity-field'

interface Props {
  readonly corpus: string
  readonly version: number
  /** The name to begin with. */
  readonly entity: string
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

/** The possible decisions, the button's text for each, and its fields. */
const CHOICES = {
  merge: { name: 'is the same as another', button: 'Merge', other: 'is the same as', text: '', documents: false },
  rename: { name: 'has another name', button: 'Rename', other: '', text: 'is called', documents: false },
  hide: { name: 'is not a name, or not a useful one', button: 'Hide', other: '', text: '', documents: false },
  pin: { name: 'is important', button: 'Pin', other: '', text: '', documents: false },
  relate: { name: 'is related to another', button: 'Relate', other: 'to', text: 'How they are related', documents: false },
  unrelate: { name: 'is not related to another', button: 'Remove the relation', other: 'and', text: '', documents: false },
  split: { name: 'means something else in some documents', button: 'Split', other: '', text: 'Its name there', documents: true },
} as const
type Choice = keyof typeof CHOICES

export function DecideForm({ corpus, version, entity, act }: Props) {
  const [choice, choose] = useState<Choice>('merge')
  const [one, setOne] = useState(entity)
  const [other, setOther] = useState('')
  const [text, setText] = useState('')
  const [documents, setDocuments] = useState('')
  const [fault, fail] = useState<unknown>()
  const { button, other: otherLabel, text: textLabel, documents: hasDocuments } = CHOICES[choice]
  const decide = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    try {
      // Looked up now, not taken from the suggestions: a name may be typed and sent before they have arrived.
      const [first, second] = await Promise.all([entityCalled(corpus, one), otherLabel ? entityCalled(corpus, other) : ''])
      if (first === second) throw new Error('These are already the same entity.')
      const wanted = {
        first,
        second,
        text: text.trim(),
        documents: documents
          .split(',')
          .map((id) => id.trim())
          .filter(Boolean),
      }
      await act(async () => {
        await decided(corpus, choice, wanted)
        for (const clear of [setOne, setOther, setText, setDocuments]) clear('')
      })
    } catch (error) {
      fail(error)
    }
  }
  return (
    <section class="card" aria-labelledby="deciding">
      <h2 id="deciding">Correct an entity</h2>
      <p class="fine">Takes effect at once, and for later documents too. Every decision can be undone in the list.</p>
      <form class="stack" onSubmit={decide}>
        <EntityField id="merge-one" label="This entity" text={one} type={setOne} corpus={corpus} version={version} />
        <label for="decide-what">What to change</label>
        <select id="decide-what" value={choice} onChange={(event) => choose(event.currentTarget.value as Choice)}>
          {Object.entries(CHOICES).map(([value, { name }]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        {otherLabel && <EntityField id="merge-other" label={otherLabel} text={other} type={setOther} corpus={corpus} version={version} />}
        {textLabel && (
          <>
            <label for="decide-text">{textLabel}</label>
            <input
              id="decide-text"
              required
              maxLength={200}
              autocomplete="off"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </>
        )}
        {hasDocuments && (
          <>
            <label for="decide-documents">In these documents (ids, separated by commas)</label>
            <input
              id="decide-documents"
              required
              autocomplete="off"
              value={documents}
              onInput={(event) => setDocuments(event.currentTarget.value)}
            />
          </>
        )}
        <Failure fault={fault} />
        <p>
          <button type="submit" class="primary">
            {button}
          </button>
        </p>
      </form>
    </section>
  )
}

interface Wanted {
  readonly first: string
  readonly second: string
  readonly text: string
  readonly documents: readonly string[]
}

function decided(corpus: string, choice: Choice, { first, second, text, documents }: Wanted): Promise<unknown> {
  const { decisions } = corpusAt(corpus)
  switch (choice) {
    case 'merge':
      return decisions.merge(first, second)
    case 'rename':
      return decisions.rename(first, text)
    case 'hide':
      return decisions.hide(first)
    case 'pin':
      return decisions.pin(first)
    case 'relate':
      return decisions.addRelation({ source: first, target: second, description: text })
    case 'unrelate':
      return decisions.removeRelation(first, second)
    case 'split':
      return decisions.split(first, { name: text, documents: [...documents] })
  }
}
