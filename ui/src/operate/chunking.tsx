/** Where passages and chunks end. */
import type { Corpus } from '../../../src/client/client'

interface Props {
  readonly corpus: Corpus
  readonly change: (body: object) => Promise<void>
}

export function Chunking({ corpus, change }: Props) {
  return (
    <section class="card" aria-labelledby="chunking">
      <h2 id="chunking">Passage boundaries</h2>
      <p class="fine">Documents you have keep their passages; add them again to apply a change.</p>
      <label for="chunk-method">Passages and chunks</label>
      <select
        id="chunk-method"
        value={methodOf(corpus)}
        onChange={(event) => void change({ settings: { chunk_method: event.currentTarget.value } })}
      >
        <option value="length">are filled with whole sentences and paragraphs</option>
        <option value="topic">end where the topic changes</option>
      </select>
    </section>
  )
}

function methodOf({ settings }: Corpus): string {
  const { chunk_method } = settings as { readonly chunk_method?: string }
  return chunk_method ?? 'length'
}
