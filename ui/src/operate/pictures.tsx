/** Whether a model reads pictures and scans, and transcribes recordings; whether PDFs are kept. */
import type { Corpus } from '../../../src/client/client'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

export function Pictures({ corpus, change }: Props) {
  const { pictures, recordings, files } = corpus.settings as {
    readonly pictures?: { readonly describe?: boolean }
    readonly recordings?: { readonly transcribe?: boolean }
    readonly files?: { readonly keep?: boolean }
  }
  return (
    <section class="card" aria-labelledby="pictures">
      <h2 id="pictures">Files</h2>
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
      <label class="check">
        <input
          type="checkbox"
          checked={files?.keep ?? false}
          onChange={(event) => void change({ settings: { files: { keep: event.currentTarget.checked } } })}
        />
        <span>
          Keep PDFs beside their text{' '}
          <span class="fine">
            Their pages can then be shown. A PDF that is already here is kept when it comes again; if you switch this off, those that are
            kept are deleted.
          </span>
        </span>
      </label>
    </section>
  )
}
