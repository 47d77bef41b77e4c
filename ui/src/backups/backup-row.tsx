/** A backup to keep: the whole corpus, at one version. */
import { useState } from 'preact/hooks'
import { LoamError } from '../../../src/client/client'
import { lacking } from '../access/rights'
import { corpusAt } from '../shared/loam'
import { saveAs } from '../shared/save-as'

const TRIES = 3 // for a corpus that changes while it is read

export function BackupRow({ corpus, fail }: { readonly corpus: string; readonly fail: (fault: unknown) => void }) {
  const [read, tell] = useState<number | null>(null)
  const take = async () => {
    fail(undefined)
    tell(0)
    try {
      saveAs(await wholeBackup(corpus, tell), `${corpus}.backup.jsonl`)
    } catch (error) {
      fail(error)
    }
    tell(null)
  }
  return (
    <li class="row">
      <span class="grow">
        A backup, to restore here or elsewhere{' '}
        <span class="fine" role="status">
          {read === null ? 'vectors, decisions and receipts too; no secrets' : `${(read / 1e6).toFixed(1)} MB read …`}
        </span>
      </span>
      <button type="button" disabled={read !== null || lacking('admin') !== ''} title={lacking('admin')} onClick={take}>
        Download
      </button>
    </li>
  )
}

/** All parts are from one version: if the corpus has changed, the service refuses the next part, and the backup starts again. */
async function wholeBackup(corpus: string, tell: (bytes: number) => void): Promise<Blob> {
  for (let tries = 1; ; tries++) {
    try {
      const { body } = await corpusAt(corpus).backup()
      let bytes = 0
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          bytes += piece.length
          tell(bytes)
          controller.enqueue(piece)
        },
      })
      const blob = await new Response(body?.pipeThrough(counting)).blob()
      const last = await blob.slice(Math.max(0, blob.size - 4096)).text()
      if (/\n\{"type":"end",[^\n]*\}\n$/.test(last)) return blob
      throw new Error('The backup was interrupted. Take it again.')
    } catch (error) {
      const hasChanged = error instanceof LoamError && error.code === 'conflict'
      if (!hasChanged) throw error
      if (tries === TRIES) throw new Error('The corpus keeps changing. Take the backup when it is settled.')
    }
  }
}
