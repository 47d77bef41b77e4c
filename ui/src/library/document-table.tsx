/** Documents as rows, with the actions for one of them, and for the ticked ones. */
import { useState } from 'preact/hooks'
import type { Document } from '../../../src/client/client'
import { lacking } from '../access/rights'
import { faultWords } from '../jobs/fault-words'
import { to } from '../route'
import { corpusAt } from '../shared/loam'
import { Failure } from '../shared/notices'
import { plural } from '../shared/numbers'
import { StatusWord } from '../shared/status-word'
import { AccessOfMany } from './access-of-many'
import { dayOf, type Order, type Wanted } from './arrange'
import { type Gone, removeDocuments } from './remove-documents'

interface Props {
  readonly corpus: string
  readonly documents: readonly Document[]
  readonly wanted: Wanted
  readonly set: (part: Partial<Wanted>) => void
  readonly changed: (gone: Gone) => void
  readonly again: () => void
}

export function DocumentTable({ corpus, documents, wanted, set, changed, again }: Props) {
  const [fault, fail] = useState<unknown>()
  const [turned, keep] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [ticked, tick] = useState<ReadonlySet<string>>(new Set())
  const [said, tell] = useState('')
  const chosen = documents.map(({ document }) => document).filter((id) => ticked.has(id))
  const turn = async (ids: readonly string[], active: boolean) => {
    fail(undefined)
    const set = (to: boolean, some: readonly string[]) => keep((known) => new Map([...known, ...some.map((id) => [id, to] as const)]))
    set(active, ids)
    for (const [done, id] of ids.entries()) {
      try {
        const { version } = await corpusAt(corpus).setActive(id, active)
        const what = ids.length === 1 ? `“${id}” is` : `${done + 1} of ${plural(ids.length, 'document')} are`
        tell(`${what} switched ${active ? 'on' : 'off'} since version ${version}.`)
      } catch (error) {
        set(!active, ids.slice(done))
        return fail(error)
      }
    }
    again()
  }
  const label = async (labels: readonly string[]) => {
    fail(undefined)
    for (const [done, id] of chosen.entries()) {
      try {
        const { version } = await corpusAt(corpus).setAccess(id, labels)
        tell(`${done + 1} of ${plural(chosen.length, 'document')} can be read by ${readersIn(labels)} since version ${version}.`)
      } catch (error) {
        return fail(error)
      }
    }
    again()
  }
  const remove = (ids: readonly string[]) => {
    tick(new Set())
    removeDocuments(corpus, ids, changed)
  }
  const flip = (id: string) => tick((known) => new Set(known.has(id) ? [...known].filter((one) => one !== id) : [...known, id]))
  const areAll = documents.length > 0 && chosen.length === documents.length
  return (
    <>
      <Failure fault={fault} />
      <p role="status">{said}</p>
      {chosen.length > 0 && (
        <p class="row wrap chosen">
          <span class="grow">{plural(chosen.length, 'document')} chosen</span>
          <button type="button" class="small" onClick={() => turn(chosen, false)}>
            Switch off
          </button>
          <button type="button" class="small" onClick={() => turn(chosen, true)}>
            Switch on
          </button>
          <button type="button" class="small danger" onClick={() => remove(chosen)}>
            Delete the chosen
          </button>
        </p>
      )}
      {chosen.length > 0 && lacking('write') === '' && <AccessOfMany many={plural(chosen.length, 'document')} set={label} />}
      <table class="list documents">
        <caption class="visually-hidden">Documents</caption>
        <thead>
          <tr>
            <Head of="document" wanted={wanted} set={set}>
              Document
            </Head>
            <Head of="status" wanted={wanted} set={set}>
              State
            </Head>
            <Head of="chunks" wanted={wanted} set={set} isNumber>
              Chunks
            </Head>
            <Head of="published" wanted={wanted} set={set}>
              Published
            </Head>
            <Head of="updated" wanted={wanted} set={set}>
              Updated
            </Head>
            <th scope="col">Used in answers</th>
            <th scope="col" class="number">
              <label class="check fine">
                <input
                  type="checkbox"
                  disabled={lacking('write') !== ''}
                  aria-label="Choose all that are shown"
                  checked={areAll}
                  onChange={() => tick(new Set(areAll ? [] : documents.map(({ document }) => document)))}
                />
                all
              </label>
            </th>
          </tr>
        </thead>
        <tbody>
          {documents.map((one) => (
            <Row
              key={one.document}
              corpus={corpus}
              one={one}
              isActive={turned.get(one.document) ?? one.active}
              isTicked={ticked.has(one.document)}
              turn={(active) => turn([one.document], active)}
              flip={() => flip(one.document)}
              remove={() => remove([one.document])}
            />
          ))}
        </tbody>
      </table>
    </>
  )
}

const readersIn = (labels: readonly string[]): string => labels.join(', ') || 'those named by the corpus’s default'

interface HeadProps {
  readonly of: Order
  readonly wanted: Wanted
  readonly set: (part: Partial<Wanted>) => void
  readonly isNumber?: boolean
  readonly children: string
}

function Head({ of, wanted: { order, isDown }, set, isNumber = false, children }: HeadProps) {
  const isHere = order === of
  const next = () => set({ order: of, isDown: isHere && !isDown })
  return (
    <th scope="col" class={isNumber ? 'number' : undefined} aria-sort={isHere ? (isDown ? 'descending' : 'ascending') : 'none'}>
      <button type="button" class="small quiet sort" onClick={next}>
        {children}
        <span aria-hidden="true">{isHere ? (isDown ? ' ▾' : ' ▴') : ''}</span>
      </button>
    </th>
  )
}

interface RowProps {
  readonly corpus: string
  readonly one: Document
  readonly isActive: boolean
  readonly isTicked: boolean
  readonly turn: (active: boolean) => void
  readonly flip: () => void
  readonly remove: () => void
}

function Row({ corpus, one, isActive, isTicked, turn, flip, remove }: RowProps) {
  const { document, title, status, chunks, error } = one
  const name = title || document
  const isLocked = lacking('write') !== ''
  return (
    <tr>
      <td>
        <a href={to(['c', corpus, 'd', document])}>{name}</a>
        {title && title !== document && <span class="fine id">{document}</span>}
      </td>
      <td class="state">
        <StatusWord status={status} />
        {error && <span class="fine"> {faultWords(error)}</span>}
      </td>
      <td class="number">
        <span class="visually-hidden">{plural(chunks, 'chunk')}</span>
        <span aria-hidden="true">{chunks}</span>
      </td>
      <td class="fine">{dayOf(one, 'published')}</td>
      <td class="fine">{dayOf(one, 'updated')}</td>
      <td class="used">
        <input
          type="checkbox"
          disabled={isLocked}
          aria-label={`${name} takes part in questions`}
          checked={isActive}
          onChange={(event) => turn(event.currentTarget.checked)}
        />
      </td>
      <td class="number acts">
        <span class="row end">
          <button type="button" class="small quiet" disabled={isLocked} aria-label={`Delete ${name}`} onClick={remove}>
            Delete
          </button>
          <input type="checkbox" disabled={isLocked} aria-label={`Choose ${name}`} checked={isTicked} onChange={flip} />
        </span>
      </td>
    </tr>
  )
}
