/** What a corpus's owner tells the model that reads its texts, and in which language it is to describe things. */
import { useState } from 'preact/hooks'
import type { Corpus } from '../../../src/client/client'
import { knownLanguages } from '../shared/languages'

const MOST = 1000 // characters; the service refuses more

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

export function GuidanceCard({ corpus, change }: Props) {
  const known = knownOf(corpus)
  const [written, write] = useState(known)
  return (
    <section class="card" aria-labelledby="guidance">
      <h2 id="guidance">Guidance for reading</h2>
      <p class="fine">
        The model that reads your texts follows these instructions. After a change it reads the passages again, a few at a time, while half
        of the budget is left.
      </p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const { guidance, language } = written
          void change({ settings: { extraction: { guidance: guidance.trim() || null, language: language || null } } })
        }}
      >
        <label for="guidance-words">In your words</label>
        <textarea
          id="guidance-words"
          rows={4}
          maxLength={MOST}
          value={written.guidance}
          placeholder="Parts are named by number; treat vessel names as ships."
          onInput={(event) => write({ ...written, guidance: event.currentTarget.value })}
        />
        <label for="guidance-language">Descriptions in</label>
        <select
          id="guidance-language"
          value={written.language}
          onChange={(event) => write({ ...written, language: event.currentTarget.value })}
        >
          <option value="">the language of each text</option>
          {knownLanguages().map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        <p class="row">
          <button type="submit">Save</button>
        </p>
      </form>
    </section>
  )
}

function knownOf({ settings }: Corpus): { readonly guidance: string; readonly language: string } {
  const { extraction } = settings as { readonly extraction?: { readonly guidance?: string | null; readonly language?: string | null } }
  return { guidance: extraction?.guidance ?? '', language: extraction?.language ?? '' }
}
