/** An answer with its citations in place, a button for each after the statement it supports, and whether its sources support each statement. */
import type { Citation, ClaimSupport } from '../../../src/client/client'
import { useLoad } from '../shared/load'
import { Decorated, type Inset } from '../text/decorated'
import { namesOf } from './numbers'
import { Support } from './support'

const MARKER = /\s*\[\s*\d{1,4}(?:\s*[,;]\s*\d{1,4})*\s*\]/g

interface Props {
  readonly answer: string
  readonly citations: readonly Citation[]
  readonly support: readonly ClaimSupport[]
  readonly open: (citation: Citation) => void
}

const reading = async () => ({ Markdown: (await import('../text/markdown')).Markdown })

/** Until the Markdown parser has been fetched, and for an answer without Markdown: the plain letters. */
export function CitedText({ answer, citations, support, open }: Props) {
  const { value } = useLoad(reading, [])
  const insets = [...markers(answer, citations, open), ...signs(answer, support)]
  return (
    <div class="answer" dir="auto">
      {value ? <value.Markdown source={answer} insets={insets} show={withoutMarkers} /> : new Decorated(answer, [], insets).whole()}
    </div>
  )
}

/** The buttons replace the model's own markers. */
const withoutMarkers = (text: string): string => text.replace(MARKER, '')

function markers(answer: string, citations: readonly Citation[], open: Props['open']): readonly Inset[] {
  const names = namesOf(citations)
  const there = new Set<string>()
  return citations.flatMap((one, i) => {
    const name = names[i] ?? ''
    const at = afterMarkers(answer, one.span.end)
    if (there.has(`${name} ${at}`)) return []
    there.add(`${name} ${at}`)
    const node = (
      <button
        key={`${name}-${at}`}
        type="button"
        class="marker"
        aria-label={`Citation ${name}: ${one.title || one.document}`}
        onClick={() => open(one)}
      >
        {name}
      </button>
    )
    return [{ at, node }]
  })
}

function signs(answer: string, support: readonly ClaimSupport[]): readonly Inset[] {
  return support.flatMap((one, i) => {
    if (!one.span) return []
    return [{ at: afterMarkers(answer, one.span.end), node: <Support key={`support-${i}`} of={one} /> }]
  })
}

/** A marker of the model right after the statement belongs to it. */
function afterMarkers(answer: string, place: number): number {
  const following = new RegExp(`^(?:${MARKER.source})+`).exec(answer.slice(place))
  return place + (following?.[0].length ?? 0)
}
