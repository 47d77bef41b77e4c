/** A form for a page to follow. */
import { useState } from 'preact/hooks'
import { LabelsField } from '../access/labels-field'
import { labelsIn } from '../access/readers'
import { corpusAt } from '../shared/loam'
import { INTERVALS } from './intervals'

interface Props {
  readonly corpus: string
  readonly act: (work: () => Promise<unknown>) => Promise<void>
}

export function AddSource({ corpus, act }: Props) {
  const [url, name] = useState('')
  const [every, repeat] = useState('1d')
  const [gone, decide] = useState<'keep' | 'delete'>('keep')
  const [text, label] = useState('')
  const access = labelsIn(text)
  const add = (event: Event) => {
    event.preventDefault()
    void act(async () => {
      await corpusAt(corpus).sources.create({ url, every, on_gone: gone, ...(access.length > 0 ? { access } : {}) })
      name('')
      label('')
    })
  }
  return (
    <form class="stack" onSubmit={add}>
      <label for="source-url">Page</label>
      <input
        id="source-url"
        type="url"
        required
        maxLength={2048}
        placeholder="https://example.org/handbook"
        value={url}
        onInput={(event) => name(event.currentTarget.value)}
      />
      <div class="pair">
        <div>
          <label for="source-every">Look</label>
          <select id="source-every" value={every} onChange={(event) => repeat(event.currentTarget.value)}>
            {INTERVALS.map(([value, word]) => (
              <option key={value} value={value}>
                {word}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label for="source-gone">When the page is gone</label>
          <select id="source-gone" value={gone} onChange={(event) => decide(event.currentTarget.value as 'keep' | 'delete')}>
            <option value="keep">keep its document</option>
            <option value="delete">delete its document</option>
          </select>
        </div>
      </div>
      <LabelsField id="source-labels" name="Readers of its document" text={text} change={label}>
        Labels that the document is given whenever the page has changed. None: as the corpus says of documents without labels.
      </LabelsField>
      <p>
        <button type="submit">Follow the page</button>
      </p>
    </form>
  )
}
