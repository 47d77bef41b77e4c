/** What a source of many documents has listed: counts, and on demand the failing items, with the reason. */
import { useState } from 'preact/hooks'
import { collected, type Paging, type Source, type SourceItem } from '../../../src/client/client'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { useActing } from './acting'
import { advice, resultWord } from './results'

const SHOWN = 50

interface Props {
  readonly corpus: string
  readonly source: Source
}

export function SourceItems({ corpus, source: { source, url, items } }: Props) {
  const [shown, show] = useState<readonly SourceItem[] | null>(null)
  const { fault, act } = useActing(() => undefined)
  if (!items) return null
  const { known, waiting, failing, gone } = items
  const counts = [`${known} listed`, ...(waiting ? [`${waiting} to be fetched`] : []), ...(gone ? [`${gone} gone`] : [])].join(' · ')
  const failed = (paging: Paging) => corpusAt(corpus).sources.items(source, { ...paging, status: 'failing' })
  const open = () => act(async () => show((await collected(failed, SHOWN)).data.slice(0, SHOWN)))
  return (
    <>
      <p class="fine">{counts}</p>
      {failing > 0 && (
        <p>
          <button
            type="button"
            class="small"
            aria-expanded={shown !== null}
            aria-label={`What failed at ${url}`}
            onClick={() => (shown ? show(null) : void open())}
          >
            {failing === 1 ? '1 failed' : `${failing} failed`}
          </button>
        </p>
      )}
      {shown && (
        <ul class="fine">
          {shown.map(({ item, last_result }) => (
            <li key={item} class="break">
              {item}: {resultWord(last_result)}. {advice(last_result)}
            </li>
          ))}
        </ul>
      )}
      <Failure fault={fault} />
    </>
  )
}
