/** Which text model does what for this corpus, among those that the deployment offers. */
import { Fragment } from 'preact'
import type { Corpus, ModelList } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { loam } from '../shared/loam'
import { Busy, Failure } from '../shared/notices'
import { count, dollars } from '../shared/numbers'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

const ROLES: readonly (readonly [role: string, does: string])[] = [
  ['extract', 'Extracts names and relations'],
  ['summarise', 'Summarises'],
  ['describe', 'Describes'],
  ['answer', 'Answers'],
  ['classify', 'Classifies'],
  ['judge', 'Judges claims'],
]

export function RoleModels({ corpus, change }: Props) {
  const { value, fault, again } = useLoad((signal) => loam({ signal }).models(), [])
  const chosen = chosenOf(corpus)
  const choices = value?.choices ?? []
  return (
    <section class="card" aria-labelledby="role-models">
      <h2 id="role-models">Models for this corpus</h2>
      <Failure fault={fault} again={again} />
      {!value && !fault && <Busy />}
      {value && choices.length === 0 && (
        <p class="fine">
          This deployment has no text model to choose. On your own machine, start Loam with <code>npm start -- --text-model</code> and a
          model’s name; in production, set <code>TEXT_MODEL</code> (docs/models.md).
        </p>
      )}
      {value && choices.length > 0 && (
        <>
          <div class="stack">
            {ROLES.map(([role, does]) => (
              <Fragment key={role}>
                <label for={`model-${role}`}>{does}</label>
                <select
                  id={`model-${role}`}
                  value={chosen[role] ?? ''}
                  onChange={(event) => void change({ settings: { models: { [role]: event.currentTarget.value || null } } })}
                >
                  <option value="">the deployment’s default</option>
                  {optionsFor(choices, chosen[role]).map(([id, words]) => (
                    <option key={id} value={id}>
                      {words}
                    </option>
                  ))}
                </select>
              </Fragment>
            ))}
          </div>
          <p class="fine">
            Passages read by another model are read again, a few at a time. Changing the model that summarises or describes builds a new
            graph beside the one in use.
          </p>
        </>
      )}
    </section>
  )
}

/** Including a chosen one that is no longer offered. */
function optionsFor(choices: ModelList['choices'], own: string | undefined): readonly (readonly [id: string, words: string])[] {
  const offered = choices.map(({ model, window, usd_per_million: { in: read, out } }) => {
    const price = read + out > 0 ? `, ${dollars(read)} and ${dollars(out)} per million tokens read and written` : ''
    return [model, `${model}: ${count(window)} tokens${price}`] as const
  })
  const isGone = own !== undefined && !choices.some(({ model }) => model === own)
  return isGone ? [...offered, [own, `${own}: no longer offered`] as const] : offered
}

function chosenOf({ settings }: Corpus): { readonly [role: string]: string | undefined } {
  const { models = {} } = settings as { readonly models?: { readonly [role: string]: string | null } }
  return Object.fromEntries(Object.entries(models).map(([role, model]) => [role, model ?? undefined]))
}
