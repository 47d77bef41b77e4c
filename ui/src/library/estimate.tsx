/** Before a text model reads new documents: what that will cost, and whether to go ahead. */
import type { VNode } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { messageOf } from '../shared/advice'
import { count, dollars, plural } from '../shared/numbers'
import { type Estimate, estimateTexts } from './estimates'
import type { Text } from './text-batches'

interface EstimateRequest {
  readonly documents: number
  /** Files about which nothing can be said before they are sent. */
  readonly unread: number
  /** An error if it could not be determined. */
  readonly found: Estimate | { readonly fault: unknown }
  readonly answer: (yes: boolean) => void
}

interface Offer {
  /** True if nothing speaks against sending them; false if the reader declines. */
  readonly agreed: (texts: readonly Text[], unread?: number) => Promise<boolean>
  /** To be shown while it is present. */
  readonly question: VNode | null
}

/** A newer question replaces an older one, which counts as declined. */
export function useOffer(corpus: string): Offer {
  const [asked, ask] = useState<EstimateRequest | null>(null)
  const open = useRef<EstimateRequest | null>(null)
  const put = (next: EstimateRequest | null) => {
    open.current?.answer(false)
    open.current = next
    ask(next)
  }
  useEffect(() => () => open.current?.answer(false), [])
  const agreed = async (texts: readonly Text[], unread = 0) => {
    if (texts.length === 0) return true
    const found = await estimateTexts(corpus, texts).catch((fault: unknown) => ({ fault }))
    if (found === null) return true
    return new Promise<boolean>((answer) => put({ documents: texts.length, unread, found, answer }))
  }
  const answered = (yes: boolean) => {
    asked?.answer(yes)
    open.current = null
    ask(null)
  }
  return { agreed, question: asked && <Question asked={asked} answered={answered} /> }
}

function Question({
  asked: { documents, unread, found },
  answered,
}: {
  readonly asked: EstimateRequest
  readonly answered: (yes: boolean) => void
}) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [found])
  return (
    <section class="card estimate" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        Add {plural(documents + unread, 'document')}?
      </h2>
      {'fault' in found ? (
        <p class="failure">The cost could not be estimated. {found.fault instanceof Error && messageOf(found.fault)}</p>
      ) : (
        <Costs estimate={found} />
      )}
      {unread > 0 && <p class="fine">Not counted: {plural(unread, 'file')}, whose text is known only after sending.</p>}
      <p class="row">
        <button type="button" class="primary" onClick={() => answered(true)}>
          Add
        </button>
        <button type="button" onClick={() => answered(false)}>
          Cancel
        </button>
      </p>
    </section>
  )
}

function Costs({ estimate: { chunks, likely, least, most, basis } }: { readonly estimate: Estimate }) {
  const rows = [
    ['Read by the text model', 'in'],
    ['Written by it', 'out'],
    ['Embedded', 'embedded'],
  ] as const
  return (
    <>
      <p>
        About <strong>{dollars(likely.usd)}</strong>, between {dollars(least.usd)} and {dollars(most.usd)}.
      </p>
      <table class="list">
        <caption class="visually-hidden">Estimated tokens</caption>
        <thead>
          <tr>
            <th scope="col">Tokens</th>
            <th scope="col" class="number">
              Likely
            </th>
            <th scope="col" class="number">
              Between
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, kind]) => (
            <tr key={kind}>
              <th scope="row">{name}</th>
              <td class="number">{count(likely.tokens[kind])}</td>
              <td class="number fine">
                {count(least.tokens[kind])} – {count(most.tokens[kind])}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="fine">
        {plural(chunks, 'passage')}.{' '}
        {basis === 'measured'
          ? 'Based on what this corpus’s own passages have cost.'
          : 'Based on typical rates: too little has been read here yet to do better.'}{' '}
        Documents already here cost nothing again.
      </p>
    </>
  )
}
