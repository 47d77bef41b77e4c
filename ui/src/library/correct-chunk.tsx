/** Corrects a chunk's text: the document is indexed again with the new text in its place. */
import { useState } from 'preact/hooks'
import type { DocumentChunk } from '../../../src/client/client'
import { Allowed } from '../access/rights'
import { follow } from '../jobs/followed'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'

interface Props {
  readonly corpus: string
  readonly document: string
  readonly chunk: DocumentChunk
  readonly done: () => void
}

export function CorrectChunk({ corpus, document, chunk: { chunk, ordinal, text }, done }: Props) {
  const [edited, edit] = useState<string | undefined>()
  const [sending, send] = useState(false)
  const [fault, fail] = useState<unknown>()
  const save = async (by: string) => {
    fail(undefined)
    send(true)
    try {
      const { job } = await corpusAt(corpus).correctChunk(document, chunk, { text: by, ordinal })
      if (job) await follow(corpus, job, `correction of ${document}`)
      edit(undefined)
      done()
    } catch (error) {
      fail(error)
    }
    send(false)
  }
  if (edited === undefined)
    return (
      <Allowed scope="write" silent>
        <button type="button" class="small quiet" aria-label={`Correct chunk ${ordinal + 1}`} onClick={() => edit(text)}>
          Correct
        </button>
      </Allowed>
    )
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void save(edited)
      }}
    >
      <textarea
        aria-label={`Text of chunk ${ordinal + 1}`}
        rows={8}
        value={edited}
        disabled={sending}
        onInput={(event) => edit(event.currentTarget.value)}
      />
      <p class="row">
        <button type="submit" disabled={sending || edited === text}>
          {edited.trim() === '' ? 'Remove it' : 'Save'}
        </button>
        <button type="button" class="quiet" disabled={sending} onClick={() => edit(undefined)}>
          Cancel
        </button>
        <span role="status">{sending ? 'Indexing again …' : ''}</span>
      </p>
      <Failure fault={fault} />
    </form>
  )
}
