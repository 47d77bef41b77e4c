/** A source: the result of its last check, what it brings, and what can be done. */
import { useState } from 'preact/hooks'
import type { Source, SourceCredential } from '../../../src/client/client'
import { ReaderTags } from '../access/reader-tags'
import { to } from '../route'
import { when } from '../shared/numbers'
import { StatusWord } from '../shared/status-word'
import { intervalWord } from './intervals'
import { NewToken } from './new-token'
import { advice, resultWord } from './results'
import { SourceItems } from './source-items'

interface Props {
  readonly corpus: string
  readonly source: Source
  readonly isLooking: boolean
  readonly fetch: () => void
  readonly rotate: (credential: SourceCredential) => void
  readonly remove: (documents: 'keep' | 'delete') => void
}

export function SourceRow({ corpus, source, isLooking, fetch, rotate, remove }: Props) {
  const [isAsked, ask] = useState(false)
  const [isRenewed, renew] = useState(false)
  const { url, document, access, failures, last_result, items, status } = source
  const what = document === null ? 'its documents' : 'its document'
  return (
    <li>
      <p class="row wrap">
        {source.seen_at && document !== null ? (
          <a class="break" href={to(['c', corpus, 'd', document])}>
            {url}
          </a>
        ) : (
          <span class="break">{url}</span>
        )}
        <StatusWord status={isLooking ? 'looking' : status} />
      </p>
      <p class="fine">{lookOf(source)}</p>
      {access.length > 0 && (
        <p class="fine">
          {document === null ? 'Its documents are' : 'Its document is'} read by <ReaderTags readers={access} />
        </p>
      )}
      {failures > 0 && (
        <p class="failure">
          {failures === 1 ? 'The last look' : `The last ${failures} looks`} failed: {resultWord(last_result)}. {statusWords(source)}{' '}
          {advice(last_result)}
        </p>
      )}
      <Pause source={source} />
      {items && <SourceItems corpus={corpus} source={source} />}
      {isAsked ? (
        <p class="row wrap">
          <span>Stop following it, and</span>
          <button type="button" class="small" onClick={() => remove('keep')}>
            Keep {what}
          </button>
          <button type="button" class="small danger" onClick={() => remove('delete')}>
            Delete {what}
          </button>
          <button type="button" class="small" onClick={() => ask(false)}>
            Cancel
          </button>
        </p>
      ) : isRenewed ? (
        <NewToken
          id={source.source}
          isKey={source.kind === 's3'}
          save={(credential) => {
            renew(false)
            rotate(credential)
          }}
          cancel={() => renew(false)}
        />
      ) : (
        <p class="row wrap">
          <button
            type="button"
            class="small"
            aria-label={`Fetch now: ${url}`}
            disabled={isLooking || status === 'removing'}
            onClick={fetch}
          >
            Fetch now
          </button>
          <Renew source={source} renew={() => renew(true)} />
          <button
            type="button"
            class="small danger"
            aria-label={`Remove ${url}`}
            disabled={status === 'removing'}
            onClick={() => ask(true)}
          >
            Remove
          </button>
        </p>
      )}
    </li>
  )
}

function lookOf({ every, seen_at, changed_at, last_result, failures, next_fetch_at }: Source): string {
  const seen = seen_at ? `seen ${when(seen_at)}${failures === 0 && last_result ? `, ${resultWord(last_result)}` : ''}` : 'not seen yet'
  const changed = changed_at ? `last change ${when(changed_at)}` : ''
  const next = next_fetch_at ? `next check ${when(next_fetch_at)}` : ''
  return [intervalWord(every), seen, changed, next].filter(Boolean).join(' · ')
}

function statusWords({ seen_at, status, on_gone, document }: Source): string {
  if (document === null) return 'The documents are kept.'
  if (seen_at === null) return 'There is no document yet.'
  if (status !== 'gone') return 'The document is kept.'
  return on_gone === 'delete' ? 'The page is gone, and its document with it.' : 'The page is gone; its document is kept.'
}

function Pause({ source: { status, last_result, next_fetch_at } }: Pick<Props, 'source'>) {
  if (status !== 'waiting') return null
  return (
    <p class="fine">
      {resultWord(last_result)}: continues {next_fetch_at ? when(next_fetch_at) : 'later'}.
    </p>
  )
}

function Renew({ source: { credential, kind, url }, renew }: Pick<Props, 'source'> & { readonly renew: () => void }) {
  if (!credential) return null
  const what = kind === 's3' ? 'New key' : 'New token'
  return (
    <button type="button" class="small" aria-label={`${what} for ${url}`} onClick={renew}>
      {what}
    </button>
  )
}
