/**
 * A last paragraph of an answer that says where its sources disagree, for clients that show only the text. A model that cited all
 * sides has said so itself.
 */
import type { AnswerEvent, Evidence, QueryResult } from '../../client/client'
import type { MarkerStyle } from '../../contract/chat'
import { markers } from './content-markers'

type Style = MarkerStyle | null | undefined
type Answer = Pick<QueryResult, 'answer' | 'citations' | 'generator' | 'superseded' | 'conflicts' | 'tool_calls'>
type Statement = NonNullable<Answer['conflicts']>[number]['statements'][number]
type Sources = readonly Pick<Evidence, 'url' | 'link'>[]

/** The places of citations and statements stay as they are: it stands behind all of them. */
export function withDisagreements<T extends Answer & { readonly evidence: Sources }>(answer: T, style: Style): T {
  return { ...answer, answer: answer.answer + paragraphOf(answer, style, answer.evidence) }
}

/** The same of a stream. */
export async function* streamWithDisagreements(events: AsyncIterable<AnswerEvent>, style: Style): AsyncGenerator<AnswerEvent, void, void> {
  let sources: Sources = []
  for await (const event of events) {
    if (event.event === 'retrieval') sources = event.data.evidence
    const text = event.event === 'done' ? paragraphOf(event.data, style, sources) : ''
    if (event.event !== 'done' || text === '') {
      yield event
      continue
    }
    yield { event: 'delta', data: { text } }
    yield { event: 'done', data: { ...event.data, answer: event.data.answer + text } }
  }
}

function paragraphOf(answer: Answer, style: Style, sources: Sources): string {
  const { superseded = [], conflicts = [], tool_calls: calls } = answer
  if (calls) return ''
  const quoted = (one: Statement): string => `“${one.quote}” (${one.title || one.document})${markerOf(one, answer, style, sources)}`
  const isUnsaid = (statements: readonly Statement[]): boolean => !hasCited(answer, statements)
  const said = [
    ...conflicts
      .filter(({ statements }) => isUnsaid(statements))
      .map(({ statements }) => `Sources disagree: ${statements.map(quoted).join(' / ')}.`),
    ...superseded
      .filter(({ current, replaced, earlier = [] }) => earlier.length > 0 || isUnsaid([current, ...replaced]))
      .map(({ current, replaced, earlier = [] }) => {
        const before = earlier.map((one) => `“${one.quote}” (an older version, until ${one.replaced_at.slice(0, 10)})`)
        const newer = replaced.length > 0 ? 'A newer source contradicts an older one' : 'A newer version of this source says something else'
        return `${newer}: ${quoted(current)} replaces ${[...replaced.map(quoted), ...before].join(', ')}.`
      }),
  ]
  return said.length > 0 ? `\n\n${said.join('\n\n')}` : ''
}

function hasCited({ generator, citations }: Answer, statements: readonly Statement[]): boolean {
  return generator === 'model' && statements.every(({ marker }) => citations.some((one) => one.marker === marker))
}

/** As in the answer itself: without a form given, only a model writes markers. */
function markerOf({ marker }: Statement, { generator }: Answer, style: Style, sources: Sources): string {
  const own = style ?? (generator === 'model' ? 'numbers' : 'none')
  return own === 'none' ? '' : ` ${markers([marker], own, sources)}`
}
