/** Deletes documents from a list, one or several together: this can be undone until the service is told. */
import type { Job } from '../../../src/client/client'
import { follow } from '../jobs/followed'
import { corpusAt } from '../shared/loam'
import { plural } from '../shared/numbers'
import { removeLater } from '../shared/removal'

export interface Gone {
  /** “leave.md”, or “12 documents”. */
  readonly what: string
  readonly job: Job
}

export const keyOf = (corpus: string, id: string): string => `document ${corpus} ${id}`

export function removeDocuments(corpus: string, ids: readonly string[], changed: (gone: Gone) => void): void {
  const here = corpusAt(corpus)
  const [only] = ids
  if (only === undefined) return
  const what = ids.length === 1 ? `“${only}”` : plural(ids.length, 'document')
  const send = async () => {
    const { job } = ids.length === 1 ? await here.remove(only) : await here.batch({ deletes: ids })
    if (job) changed({ what, job: await follow(corpus, job, `deletion of ${ids.length === 1 ? only : what}`) })
  }
  removeLater({ keys: ids.map((id) => keyOf(corpus, id)), words: `${what} deleted`, send })
}
