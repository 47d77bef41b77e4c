/** `loam keys`: listed, made, given a new secret, taken back. Plain: id, name, scopes, corpora, expiry, last use; a new key alone on its line. */
import { listed } from '../client.mjs'
import { misuse } from '../failure.mjs'
import { fields } from '../output.mjs'
import { chosen, connected } from '../settings.mjs'

const UNITS = { h: 3_600_000, d: 86_400_000 } // ms
const parts = (text) => text.split(',').map((part) => part.trim())

export async function run({ values, positionals, out, env }) {
  const connection = connected({ values, env })
  const { client } = connection
  const [action = 'list', id] = positionals
  switch (action) {
    case 'list':
      return list(client, out)
    case 'create':
      return create(connection, values, out)
    case 'rotate':
      if (!id) throw misuse('which key? loam keys rotate <id>')
      return rotate(client, id, values, out)
    case 'revoke':
      if (!id) throw misuse('which key? loam keys revoke <id>')
      await client.send('DELETE', `/v1/keys/${encodeURIComponent(id)}`)
      return out.result(
        { id, revoked: true },
        { people: () => `${id} opens nothing any more (within 60 s)`, plain: () => fields(id, 'revoked') },
      )
    default:
      throw misuse(`"${action}": say create, rotate, revoke or nothing`)
  }
}

async function list(client, out) {
  const keys = []
  for await (const key of listed(client, '/v1/keys')) keys.push(key)
  const line = (key) => [
    key.id,
    key.name,
    key.scopes.join(','),
    key.corpora.join(','),
    key.expires_at ?? 'never',
    key.last_used_at ?? 'unused',
  ]
  const lines = (all) => all.map((key) => fields(...line(key))).join('\n')
  out.result(keys, { people: (all) => lines(all) || 'No keys but the admin key.', plain: lines })
}

async function create(connection, { name, scopes = 'read', corpora, expires }, out) {
  if (!name) throw misuse('--name: what is it for?')
  const names = corpora ? parts(corpora) : [await chosen(connection)]
  const body = { name, scopes: parts(scopes), corpora: names, ...(expires ? { expires_at: timeOf(expires) } : {}) }
  const key = await connection.client.call('POST', '/v1/keys', { body })
  const until = key.expires_at ? `, until ${key.expires_at}` : ''
  out.result(key, {
    people: (made) => `${made.key}\n\nShown this once. Id ${made.id}, for ${scopes} of ${names.join(',')}${until}.`,
    plain: (made) => made.key,
  })
}

async function rotate(client, id, { overlap = '86400' }, out) {
  if (!/^\d+$/.test(overlap)) throw misuse('--overlap: seconds for which the old secret is still good')
  const key = await client.call('POST', `/v1/keys/${encodeURIComponent(id)}:rotate`, { body: { overlap: Number(overlap) } })
  out.result(key, {
    people: (made) => `${made.key}\n\nShown this once. The old secret of ${made.id} is good for ${overlap} seconds more.`,
    plain: (made) => made.key,
  })
}

/** `30d`, `12h`, or a time of ISO 8601. */
function timeOf(text) {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  const time = count ? Date.now() + Number(count) * UNITS[unit] : Date.parse(text)
  if (Number.isNaN(time)) throw misuse('--expires: 30d, 12h, or a time such as 2027-01-31T00:00:00Z')
  return new Date(time).toISOString()
}
