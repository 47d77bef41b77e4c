/** One document as it is stored, with a place in it marked if the address names one. */

import type { Corpus } from '../../../src/client/client'
import { DocumentAccess } from '../access/document-access'
import { DocumentText } from '../ask/passage'
import { faultWords } from '../jobs/fault-words'
import { Changes } from '../library/changes'
import { DocumentChunks } from '../library/document-chunks'
import { DocumentEntities } from '../library/document-entities'
import { DocumentGraph } from '../library/document-graph'
import { DocumentHistory } from '../library/document-history'
import { DocumentLanguage } from '../library/document-language'
import { DocumentReceipt } from '../library/document-receipt'
import { to } from '../route'
import { DocumentDates } from '../shared/dates'
import { useLoad } from '../shared/load'
import { corpusAt, isStatus } from '../shared/loam'
import { Busy, Empty, Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { StatusWord } from '../shared/status-word'

interface Props {
  readonly corpus: Corpus
  readonly id: string
  readonly query: URLSearchParams
}

export function DocumentPage({ corpus: about, id, query }: Props) {
  const { corpus } = about
  const { value, fault, again } = useLoad((signal) => corpusAt(corpus, signal).document(id), [corpus, id])
  if (isStatus(fault, 404)) return <Gone corpus={corpus} id={id} />
  if (fault) return <Failure fault={fault} again={again} />
  if (!value) return <Busy />
  const { title, url, status, chunks, metadata, active, corrected, dates, error, graph } = value
  const more = Object.entries(metadata)
  return (
    <article class="reading">
      <h1>{title || id}</h1>
      <p class="row fine">
        <StatusWord status={status} /> {!active && <StatusWord status="off" />} <span>{id}</span> <span>{plural(chunks, 'chunk')}</span>{' '}
        {corrected && <span title="Sending the original text again keeps the correction.">corrected</span>}
        <DocumentDates dates={dates} />
        {url && (
          <a href={url} rel="noreferrer">
            {url}
          </a>
        )}
        <a href={to(['c', corpus, 'explore'], { node: id })}>In the graph</a>
      </p>
      {graph && <DocumentGraph graph={graph} />}
      {error && <p class="failure">{faultWords(error)}.</p>}
      {more.length > 0 && (
        <dl class="pairs fine">
          {more.map(([name, entry]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof entry === 'object' ? JSON.stringify(entry) : String(entry)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div class="facts">
        <DocumentLanguage key={`language of ${value.document}`} corpus={corpus} document={value} again={again} />
        <DocumentAccess key={value.document} corpus={about} document={value} />
        <DocumentReceipt corpus={about} document={value} />
        {value.content_version > 1 && (
          <Changes key={`changes of ${value.document}`} corpus={corpus} document={id} summary="What new versions changed" />
        )}
        <DocumentHistory key={`history of ${value.document}`} corpus={corpus} document={value.document} />
        <DocumentEntities key={`names of ${value.document}`} corpus={corpus} document={value.document} />
        <DocumentChunks key={`chunks of ${value.document}`} corpus={corpus} document={id} changed={again} />
      </div>
      <DocumentText
        key={`text of ${value.document} ${value.content_version}`}
        corpus={corpus}
        document={value}
        start={place(query, 'start')}
        end={place(query, 'end')}
      />
    </article>
  )
}

function Gone({ corpus, id }: { readonly corpus: string; readonly id: string }) {
  return (
    <Empty title="This document is not here">
      <p>
        There is no “{id}” in this corpus. If it was deleted, the <a href={to(['c', corpus, 'checks'])}>receipts</a> say when; otherwise see{' '}
        <a href={to(['c', corpus])}>all documents</a>.
      </p>
    </Empty>
  )
}

function place(query: URLSearchParams, name: string): number {
  const number = Number(query.get(name) ?? '')
  return Number.isInteger(number) && number >= 0 ? number : 0
}
