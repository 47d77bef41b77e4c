/** `loam ask`: the answer and its checked citations. At a terminal it appears as it is written. Plain: the answer, an empty line, a citation a line. */
import { corpusPath } from '../client.mjs'
import { Failure } from '../failure.mjs'
import { field, fields, safe } from '../output.mjs'
import { requestOf } from '../request.mjs'
import { chosen, connected } from '../settings.mjs'

export async function run({ values, positionals, out, env }) {
  const { client, corpus } = connected({ values, env })
  const body = requestOf(values, positionals)
  const path = corpusPath(await chosen({ client, corpus }), '/query')
  if (out.people) return streamed(await client.send('POST', path, { body: { ...body, stream: true } }), out)
  const found = await client.call('POST', path, { body })
  out.result(found, {
    people: () => '',
    plain: ({ answer, citations }) =>
      [safe(answer), '', ...citations.map((one) => fields(one.marker, one.document, one.start, one.end, one.quote))].join('\n'),
  })
}

async function streamed(response, out) {
  const citations = []
  for await (const { event, data } of eventsOf(response)) {
    if (event === 'delta') out.write(safe(data.text ?? ''))
    else if (event === 'citation') citations.push(data)
    else if (event === 'error') throw new Failure(`the answer broke off (${data.code})`, { code: data.code })
    else if (event === 'done') out.line(`${finished(data)}\n${citations.map(cited).join('\n')}`)
  }
}

/** What a reader should know beyond the text. */
function finished({ grounded, insufficient, support = [], degraded = [] }) {
  const doubted = support.filter(({ span, outcome }) => span && outcome !== 'supported')
  const notes = [
    ...(insufficient
      ? ['the evidence does not answer this']
      : grounded === false
        ? [`not supported by what it cites: ${doubted.map(({ claim }) => `“${clip(field(claim))}”`).join(', ') || 'the answer'}`]
        : []),
    ...(degraded.length ? [`without: ${degraded.join(', ')}`] : []),
  ]
  return notes.length ? `\n\n(${notes.join('; ')})` : '\n'
}

const cited = ({ marker, document, title, start, end, quote }) =>
  `[${marker}] ${field(title || document)} ${start}–${end}: “${clip(field(quote))}”`
const clip = (text) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

async function* eventsOf(response) {
  const { createParser } = await import('eventsource-parser')
  const waiting = []
  const parser = createParser({ onEvent: ({ event, data }) => waiting.push({ event, data: JSON.parse(data) }) })
  const decoder = new TextDecoder()
  for await (const part of response.body) {
    parser.feed(decoder.decode(part, { stream: true }))
    yield* waiting.splice(0)
  }
}
