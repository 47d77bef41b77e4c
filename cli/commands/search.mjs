/** `loam search`: evidence, best first. Plain: score, document, start, end, text. */
import { corpusPath } from '../client.mjs'
import { field, fields, safe } from '../output.mjs'
import { requestOf } from '../request.mjs'
import { chosen, connected } from '../settings.mjs'

export async function run({ values, positionals, out, env }) {
  const { client, corpus } = connected({ values, env })
  const body = requestOf(values, positionals)
  const found = await client.call('POST', corpusPath(await chosen({ client, corpus }), '/search'), { body })
  out.result(found, {
    people: ({ evidence }) =>
      evidence.map((one, at) => `${at + 1}. ${placed(one)}\n${safe(one.text).trim()}\n`).join('\n') || 'Nothing was found.',
    plain: ({ evidence }) => evidence.map((one) => fields(scored(one), one.document, one.start, one.end, one.text)).join('\n'),
  })
}

function placed({ kind, score, document, title, start, end }) {
  const where = document === null ? kind : `${field(title || document)} ${start}–${end}`
  return `${where}  (${scored({ score })})`
}

/** Keyword scores of a small corpus are tiny; their order must stay visible. */
const scored = ({ score }) => String(Number(score.toPrecision(4)))
