/** Sources: pages and collections kept as documents and checked on a schedule. */
import { useState } from 'preact/hooks'
import type { Page, Source, SourceCredential } from '../../../src/client/client'
import type { Loaded } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { isRemoved, removeLater } from '../shared/removal'
import { useRepeatWhile } from '../shared/repeat-while'
import { useActing } from './acting'
import { AddSource } from './add-source'
import { SourceRow } from './source-row'

interface Props {
  readonly corpus: string
  readonly list: Loaded<Page<Source>>
}

/** Every finished check changes one of these. */
const markOf = ({ seen_at, failures, items }: Source): string => `${seen_at} ${failures} ${items?.waiting ?? 0}`

export function Sources({ corpus, list: { value, again } }: Props) {
  const [asked, remember] = useState<Readonly<Record<string, string>>>({})
  const { fault, act } = useActing(again)
  const looking = (one: Source) =>
    one.status === 'new' || one.status === 'removing' || (one.items?.waiting ?? 0) > 0 || asked[one.source] === markOf(one)
  const keyOf = (source: string) => `source ${corpus} ${source}`
  const rows = (value?.data ?? []).filter(({ source }) => !isRemoved(keyOf(source)))
  useRepeatWhile(rows.some(looking), value, again)
  const fetch = (one: Source) =>
    act(async () => {
      await corpusAt(corpus).sources.fetch(one.source)
      remember({ ...asked, [one.source]: markOf(one) })
    })
  const rotate = (source: string, credential: SourceCredential) => act(() => corpusAt(corpus).sources.rotate(source, credential))
  const remove = ({ source, url }: Source, documents: 'keep' | 'delete') => {
    const here = corpusAt(corpus).sources
    const words = documents === 'keep' ? `${url} is no longer followed` : `${url} is no longer followed, and its documents are deleted`
    removeLater({ keys: [keyOf(source)], words, send: () => here.remove(source, { documents }).then(again) })
  }
  return (
    <section class="card" aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      <p class="fine">
        Web pages, sitemaps, feeds, repositories and buckets, kept as documents. Loam checks them on a schedule and respects robots.txt.
        What has not changed costs nothing.
      </p>
      {value && rows.length === 0 && (
        <p class="hint">
          No pages are followed yet. Add one that changes, such as a handbook or a changelog, and its document stays up to date.
        </p>
      )}
      {rows.length > 0 && (
        <ul class="plain linked">
          {rows.map((one) => (
            <SourceRow
              key={one.source}
              corpus={corpus}
              source={one}
              isLooking={looking(one)}
              fetch={() => void fetch(one)}
              rotate={(credential) => void rotate(one.source, credential)}
              remove={(documents) => remove(one, documents)}
            />
          ))}
        </ul>
      )}
      {value?.next_cursor && <p class="fine">These are the first {rows.length}; the API lists them all.</p>}
      <Failure fault={fault} />
      <AddSource corpus={corpus} act={act} />
    </section>
  )
}
