/** A form for a new source: a page, or what a site lists. */
import { useState } from 'preact/hooks'
import { LabelsField } from '../access/labels-field'
import { labelsIn } from '../access/readers'
import { corpusAt } from '../shared/loam'
import { CredentialFields, credentialOf, NO_CREDENTIAL } from './credential-fields'
import { INTERVALS } from './intervals'
import { hasPaths, isBucket, KIND_NAMES, KINDS, kindOf } from './source-kinds'

interface Props {
  readonly corpus: string
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

const EMPTY = { url: '', labels: '', include: '', exclude: '', max: '1000', ...NO_CREDENTIAL }
const listIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter((one) => one !== '')

export function AddSource({ corpus, act }: Props) {
  const [kind, choose] = useState(kindOf('page'))
  const [typed, type] = useState(EMPTY)
  const [every, repeat] = useState('1d')
  const [gone, decide] = useState<'keep' | 'delete'>('keep')
  const [content, take] = useState<'linked' | 'feed'>('linked')
  const words = KINDS[kind]
  const fill = (field: keyof typeof EMPTY) => (event: { readonly currentTarget: HTMLInputElement }) =>
    type({ ...typed, [field]: event.currentTarget.value })
  const place = { id: 'source-url', required: true, maxLength: 2048, placeholder: words.example, value: typed.url, onInput: fill('url') }
  const add = (event: Event) => {
    event.preventDefault()
    const access = labelsIn(typed.labels)
    const paths = { include: listIn(typed.include), exclude: listIn(typed.exclude) }
    void act(async () => {
      await corpusAt(corpus).sources.create({
        ...(kind === 'page' ? {} : { kind }),
        url: typed.url,
        every,
        on_gone: gone,
        ...(hasPaths(kind) ? paths : {}),
        ...(kind === 'page' ? {} : { max_items: Number(typed.max) || 1000 }),
        ...(kind === 'feed' ? { content } : {}),
        ...credentialOf(kind, typed),
        ...(access.length > 0 ? { access } : {}),
      })
      type(EMPTY)
    })
  }
  return (
    <form class="stack" onSubmit={add}>
      <label for="source-kind">Follow</label>
      <select
        id="source-kind"
        value={kind}
        onChange={(event) => {
          const next = kindOf(event.currentTarget.value)
          choose(next)
          decide(isBucket(next) ? 'delete' : 'keep')
        }}
      >
        {KIND_NAMES.map((one) => (
          <option key={one} value={one}>
            {KINDS[one].name}
          </option>
        ))}
      </select>
      <p class="fine">{words.does}</p>
      <label for="source-url">{words.address}</label>
      {kind === 'r2' ? <input type="text" {...place} /> : <input type="url" {...place} />}
      {hasPaths(kind) && (
        <>
          <div class="pair">
            <div>
              <label for="source-include">Include only</label>
              <input id="source-include" placeholder="/docs/**" value={typed.include} onInput={fill('include')} />
            </div>
            <div>
              <label for="source-exclude">Leave out</label>
              <input id="source-exclude" placeholder="/docs/old/**" value={typed.exclude} onInput={fill('exclude')} />
            </div>
          </div>
        </>
      )}
      {kind !== 'page' && (
        <>
          <label for="source-max">Documents at most</label>
          <input id="source-max" type="number" min={1} max={10_000} value={typed.max} onInput={fill('max')} />
        </>
      )}
      <CredentialFields kind={kind} typed={typed} fill={fill} />
      {kind === 'feed' && (
        <>
          <label for="source-content">An item’s text</label>
          <select id="source-content" value={content} onChange={(event) => take(event.currentTarget.value as 'linked' | 'feed')}>
            <option value="linked">is the page it links to</option>
            <option value="feed">is the feed’s own content</option>
          </select>
        </>
      )}
      <div class="pair">
        <div>
          <label for="source-every">Check</label>
          <select id="source-every" value={every} onChange={(event) => repeat(event.currentTarget.value)}>
            {INTERVALS.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for="source-gone">When {kind === 'page' ? 'the page' : 'one'} is gone</label>
          <select id="source-gone" value={gone} onChange={(event) => decide(event.currentTarget.value as 'keep' | 'delete')}>
            <option value="keep">keep its document</option>
            <option value="delete">delete its document</option>
          </select>
        </div>
      </div>
      <LabelsField
        id="source-labels"
        name={kind === 'page' ? 'Who may read its document' : 'Who may read its documents'}
        text={typed.labels}
        change={(labels) => type({ ...typed, labels })}
      >
        Labels given to a document each time its page changes. Without labels: the corpus’s default.
      </LabelsField>
      <p>
        <button type="submit">{words.button}</button>
      </p>
    </form>
  )
}
