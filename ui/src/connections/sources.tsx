/** Sources: pages of the web that are kept as documents, looked at by schedule. */
import { useState } from 'preact/hooks'
import type { Page, Source } from '../../../src/client/client'
import { ReaderTags } from '../access/reader-tags'
import { to } from '../route'
import type { Loaded } from '../shared/load'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { when } from '../shared/numbers'
import { useRepeatWhile } from '../shared/repeat-while'
import { StatusWord } from '../shared/status-word'
import { useActing } from './acting'
import { AddSource } from './add-source'
import { intervalWord } from './intervals'
import { resultWord } from './results'

interface Props {
  readonly corpus: string
  readonly list: Loaded<Page<Source>>
}

/** Every look that ends changes one of these. */
const markOf = ({ seen_at, failures }: Source): string => `${seen_at} ${failures}`

export function Sources({ corpus, list: { value, again } }: Props) {
  const [asked, remember] = useState<Readonly<Record<string, string>>>({})
  const { fault, act } = useActing(again)
  const looking = (one: Source) => one.status === 'new' || asked[one.source] === markOf(one)
  const rows = value?.data ?? []
  useRepeatWhile(rows.some(looking), value, again)
  const fetch = (one: Source) =>
    act(async () => {
      await corpusAt(corpus).sources.fetch(one.source)
      remember({ ...asked, [one.source]: markOf(one) })
    })
  const remove = ({ source, url }: Source) => {
    if (confirm(`Look at ${url} no more? Its document stays.`)) void act(() => corpusAt(corpus).sources.remove(source))
  }
  return (
    <section class="card" aria-labelledby="sources">
      <h2 id="sources">Sources</h2>
      <p class="fine">
        Pages of the web, each kept as a document: looked at by schedule, with respect for robots.txt. What has not changed costs nothing.
      </p>
      {value?.data.length === 0 && (
        <p class="hint">
          No pages are followed yet. Name one that changes, such as a handbook or a changelog, and its document follows it.
        </p>
      )}
      {rows.length > 0 && (
        <ul class="plain linked">
          {rows.map((one) => (
            <li key={one.source}>
              <p class="row wrap">
                {one.seen_at ? (
                  <a class="break" href={to(['c', corpus, 'd', one.document])}>
                    {one.url}
                  </a>
                ) : (
                  <span class="break">{one.url}</span>
                )}
                <StatusWord status={looking(one) ? 'looking' : one.status} />
              </p>
              <p class="fine">{lookOf(one)}</p>
              {one.access.length > 0 && (
                <p class="fine">
                  Its document is read by <ReaderTags readers={one.access} />
                </p>
              )}
              {one.failures > 0 && (
                <p class="failure">
                  {one.failures === 1 ? 'The last look' : `The last ${one.failures} looks`} failed: {resultWord(one.last_result)}.{' '}
                  {statusWords(one)}
                </p>
              )}
              <p class="row wrap">
                <button type="button" class="small" aria-label={`Fetch now: ${one.url}`} disabled={looking(one)} onClick={() => fetch(one)}>
                  Fetch now
                </button>
                <button type="button" class="small danger" aria-label={`Remove ${one.url}`} onClick={() => remove(one)}>
                  Remove
                </button>
              </p>
            </li>
          ))}
        </ul>
      )}
      {value?.next_cursor && <p class="fine">These are the first {rows.length}; the API lists them all.</p>}
      <Failure fault={fault} />
      <AddSource corpus={corpus} act={act} />
    </section>
  )
}

function lookOf({ every, seen_at, changed_at, last_result, failures, next_fetch_at }: Source): string {
  const seen = seen_at ? `seen ${when(seen_at)}${failures === 0 && last_result ? `, ${resultWord(last_result)}` : ''}` : 'not seen yet'
  const changed = changed_at ? `last change ${when(changed_at)}` : ''
  const next = next_fetch_at ? `next look ${when(next_fetch_at)}` : ''
  return [intervalWord(every), seen, changed, next].filter(Boolean).join(' · ')
}

function statusWords({ seen_at, status, on_gone }: Source): string {
  if (seen_at === null) return 'There is no document yet.'
  if (status !== 'gone') return 'The document stands.'
  return on_gone === 'delete' ? 'The page is gone, and its document with it.' : 'The page is gone; its document stands.'
}
