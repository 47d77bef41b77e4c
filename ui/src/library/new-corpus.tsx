/** A form for a new corpus. Without a choice the server's default strategies are switched on. */
import { useState } from 'preact/hooks'
import { go } from '../route'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { usual as defaults, optional } from '../strategies/strategies'
import { StrategyChoice } from '../strategies/strategy-choice'
import { isThere } from './is-there'

export function NewCorpus() {
  const [name, rename] = useState('')
  const [usual, keep] = useState(true)
  const [chosen, pick] = useState<readonly string[]>(defaults)
  const [fault, fail] = useState<unknown>()
  const make = async (event: Event) => {
    event.preventDefault()
    fail(undefined)
    try {
      // A PUT would change an existing one.
      if (await isThere(name)) return fail(new Error(`There is a corpus “${name}” already. Open it from the list, or choose another name.`))
      await corpusAt(name).create(usual ? {} : { strategies: chosen })
      go(['c', name])
    } catch (error) {
      fail(error)
    }
  }
  return (
    <form onSubmit={make} class="card">
      <h2>New corpus</h2>
      <label for="name">Name</label>
      <div class="row">
        <input
          id="name"
          class="grow"
          required
          maxLength={63}
          pattern="[a-z0-9][a-z0-9\-]*"
          title="lower-case letters, digits and hyphens"
          placeholder="notes"
          autocomplete="off"
          value={name}
          onInput={(event) => rename(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Create
        </button>
      </div>
      <label class="check">
        <input type="checkbox" checked={usual} onChange={(event) => keep(event.currentTarget.checked)} /> Default strategies
      </label>
      {!usual && <StrategyChoice legend="Strategies" names={optional} chosen={chosen} pick={pick} />}
      <Failure fault={fault} />
    </form>
  )
}
