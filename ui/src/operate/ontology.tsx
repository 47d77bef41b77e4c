/** What kinds of things and relations a model should extract, and what happens to others. */
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { type Ontology, relationLines, relationsFrom, typeLines, typesFrom } from './ontology-lines'
import { type Proposal, Proposed } from './ontology-proposed'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

const NONE: Ontology = { mode: 'open', types: [], relations: [] }

export function OntologyCard({ corpus, change }: Props) {
  const known = ontologyOf(corpus)
  const [written, write] = useState(linesOf(known ?? NONE))
  const [proposal, hold] = useState<Proposal>()
  const [before, keep] = useState(written)
  const [isAsking, setAsking] = useState(false)
  const [fault, fail] = useState<unknown>()
  const put = (ontology: Ontology | null) => change({ settings: { extraction: { ontology, ...(ontology ? { types: [] } : {}) } } })
  const propose = async () => {
    setAsking(true)
    fail(undefined)
    try {
      const found = await corpusAt(corpus.corpus).proposeOntology()
      hold(found)
      keep(written)
      if (found.ontology) write({ ...linesOf(found.ontology), mode: written.mode })
    } catch (error) {
      fail(error)
    }
    setAsking(false)
  }
  return (
    <section class="card" aria-labelledby="ontology">
      <h2 id="ontology">Kinds of names and relations</h2>
      <p class="fine">
        What a model is to look for in texts. After a change, passages are read again a few at a time while half of the budget is left.
      </p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          hold(undefined)
          void put({ mode: written.mode, types: typesFrom(written.types), relations: relationsFrom(written.relations) })
        }}
      >
        <label for="ontology-types">Types, one per line: name &lt; broader type: description</label>
        <textarea
          id="ontology-types"
          rows={4}
          value={written.types}
          placeholder={'person: somebody with a name\nengineer < person'}
          onInput={(event) => write({ ...written, types: event.currentTarget.value })}
        />
        <label for="ontology-relations">Relations, one per line: name (subjects &gt; objects): description</label>
        <textarea
          id="ontology-relations"
          rows={4}
          value={written.relations}
          placeholder={'works for (person > company): is paid by'}
          onInput={(event) => write({ ...written, relations: event.currentTarget.value })}
        />
        <label for="ontology-mode">What does not fit</label>
        <select
          id="ontology-mode"
          value={written.mode}
          onChange={(event) => write({ ...written, mode: event.currentTarget.value === 'strict' ? 'strict' : 'open' })}
        >
          <option value="open">is kept and marked</option>
          <option value="strict">is left out</option>
        </select>
        <p class="row">
          <button type="submit">Save</button>
          <button type="button" disabled={isAsking} onClick={() => void propose()}>
            {isAsking ? 'Reading a sample…' : 'Propose'}
          </button>
          {known && (
            <button
              type="button"
              onClick={() => {
                hold(undefined)
                write({ mode: 'open', types: '', relations: '' })
                void put(null)
              }}
            >
              Remove
            </button>
          )}
        </p>
      </form>
      <Failure fault={fault} />
      {proposal && (
        <Proposed
          proposal={proposal}
          undo={() => {
            write(before)
            hold(undefined)
          }}
        />
      )}
    </section>
  )
}

function linesOf(ontology: Ontology) {
  return { mode: ontology.mode, types: typeLines(ontology), relations: relationLines(ontology) }
}

function ontologyOf({ settings }: Corpus): Ontology | null {
  const { extraction } = settings as { readonly extraction?: { readonly ontology?: Ontology | null } }
  return extraction?.ontology ?? null
}
