/** Whether a model says what pictures and scans show. */
import type { Corpus } from '../../../src/client/client'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

export function Pictures({ corpus, change }: Props) {
  return (
    <section class="card" aria-labelledby="pictures">
      <h2 id="pictures">Pictures and scans</h2>
      <label class="check">
        <input
          type="checkbox"
          checked={isDescribed(corpus)}
          onChange={(event) => void change({ settings: { pictures: { describe: event.currentTarget.checked } } })}
        />
        <span>
          Have a model describe them{' '}
          <span class="fine">Each is sent to Workers AI and costs; what it says is the document’s text, and is marked.</span>
        </span>
      </label>
    </section>
  )
}

function isDescribed({ settings }: Corpus): boolean {
  const { pictures } = settings as { readonly pictures?: { readonly describe?: boolean } }
  return pictures?.describe ?? false
}
