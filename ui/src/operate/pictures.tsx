/** Whether a model reads pictures and scans, and transcribes recordings. */
import type { Corpus } from '../../../src/client/client'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

export function Pictures({ corpus, change }: Props) {
  const { pictures, recordings } = corpus.settings as {
    readonly pictures?: { readonly describe?: boolean }
    readonly recordings?: { readonly transcribe?: boolean }
  }
  return (
    <section class="card" aria-labelledby="pictures">
      <h2 id="pictures">Pictures, scans and recordings</h2>
      <label class="check">
        <input
          type="checkbox"
          checked={pictures?.describe ?? false}
          onChange={(event) => void change({ settings: { pictures: { describe: event.currentTarget.checked } } })}
        />
        <span>
          Have a model read and describe them{' '}
          <span class="fine">
            Each picture, and each page of a PDF that has a picture and no text, is sent to the model and costs; what it reads is the
            document’s text, cited by page, and is marked.
          </span>
        </span>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={recordings?.transcribe ?? false}
          onChange={(event) => void change({ settings: { recordings: { transcribe: event.currentTarget.checked } } })}
        />
        <span>
          Have a model transcribe recordings, and the sound of videos{' '}
          <span class="fine">
            Each is sent to the model and costs by the minute; what it hears is the document’s text, with its times, and is marked.
          </span>
        </span>
      </label>
    </section>
  )
}
