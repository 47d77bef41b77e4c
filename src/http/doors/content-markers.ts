/**
 * Markers of citations in the text of an answer, in the requested form, so that a client that shows only the text also shows its
 * sources. A text model writes its markers itself; in what was read without one, they are added at the end of each cited statement.
 */
import type { AnswerEvent, Evidence, QueryResult } from '../../client/client'
import type { MarkerStyle } from '../../contract/chat'
import { decided, placesOfMarkers } from '../../flows/markers'

type Style = MarkerStyle | null | undefined // no form given: the answer as it was written
type Answer = Pick<QueryResult, 'answer' | 'citations' | 'support' | 'generator'>
type Sources = readonly Pick<Evidence, 'url' | 'link'>[]

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** The answer with these markers, and with every place in it adjusted. */
export function withMarkers<T extends Answer & { readonly evidence: Sources }>(answer: T, style: Style): T {
  return style ? marked(answer, style, answer.evidence) : answer
}

/** `sources`: the evidence, which markers number from 1. */
function marked<T extends Answer>(answer: T, style: MarkerStyle, sources: Sources): T {
  const edits = answer.generator === 'model' ? rewriting(answer.answer, style, sources) : adding(answer, style, sources)
  const at = (offset: number): number =>
    edits.reduce((sum, { from, to, text }) => (to <= offset ? sum + text.length - (to - from) : sum), offset)
  const moved = <S extends { readonly start: number; readonly end: number }>(span: S): S => ({
    ...span,
    start: at(span.start),
    end: at(span.end),
  })
  return {
    ...answer,
    answer: edited(answer.answer, edits),
    citations: answer.citations.map((one) => ({ ...one, span: moved(one.span) })),
    support: answer.support.map((one) => ({ ...one, span: one.span && moved(one.span) })),
  }
}

/** The same of a stream: its deltas are the answer's text. */
export async function* streamWithMarkers(events: AsyncIterable<AnswerEvent>, style: Style): AsyncGenerator<AnswerEvent, void, void> {
  if (style) yield* rewritten(events, style)
  else yield* events
}

/**
 * Only the end shows whether a model wrote: what was read without one is a single delta, so the first delta is held until another
 * comes.
 */
async function* rewritten(events: AsyncIterable<AnswerEvent>, style: MarkerStyle): AsyncGenerator<AnswerEvent, void, void> {
  let sources: Sources = []
  let [deltas, held] = [0, '']
  const written = (text: string): string => edited(text, rewriting(text, style, sources))
  for await (const event of events) {
    if (event.event === 'delta') {
      held += event.data.text
      if (++deltas === 1) continue
      const [ready, open] = decided(held)
      held = open
      yield* deltaOf(written(ready))
      continue
    }
    if (event.event === 'retrieval') sources = event.data.evidence
    if (event.event !== 'done') {
      yield event
      continue
    }
    const data = marked(event.data, style, sources)
    yield* deltaOf(deltas > 1 ? written(held) : data.answer)
    yield { event: 'done', data }
  }
}

const deltaOf = (text: string): readonly AnswerEvent[] => (text === '' ? [] : [{ event: 'delta', data: { text } }])

function rewriting(text: string, style: MarkerStyle, sources: Sources): readonly Edit[] {
  if (style === 'numbers') return []
  return placesOfMarkers(text).map(({ start, end, space, numbers }) => ({
    from: start,
    to: end,
    text: style === 'none' ? '' : space + markers(numbers, style, sources),
  }))
}

function adding({ answer, citations }: Answer, style: MarkerStyle, sources: Sources): readonly Edit[] {
  if (style === 'none') return []
  const at = new Map<number, number[]>()
  for (const { span, marker } of citations) {
    const end = /[.!?。！？]/.test(answer[span.end - 1] ?? '') ? span.end - 1 : span.end
    const before = at.get(end) ?? []
    if (!before.includes(marker)) at.set(end, [...before, marker])
  }
  return [...at].sort(([a], [b]) => a - b).map(([end, numbers]) => ({ from: end, to: end, text: ` ${markers(numbers, style, sources)}` }))
}

export function markers(numbers: readonly number[], style: MarkerStyle, sources: Sources): string {
  if (style === 'numbers') return `[${numbers.join(', ')}]`
  return numbers.map((n) => linked(n, sources[n - 1])).join(' ')
}

/** A source without an address stays a number. */
function linked(n: number, source: Sources[number] | undefined): string {
  const url = source?.link ?? source?.url
  return url ? `[[${n}]](${url.replace(/[\s()<>]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)})` : `[${n}]`
}

function edited(text: string, edits: readonly Edit[]): string {
  let [out, from] = ['', 0]
  for (const edit of edits) {
    out += text.slice(from, edit.from) + edit.text
    from = edit.to
  }
  return out + text.slice(from)
}
