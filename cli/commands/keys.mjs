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
    case 'limit':
      if (!id) throw misuse('which key? loam keys limit <id> --tokens 200000')
      return limit(client, id, values, out)
    case 'master':
      return master(client, out)
    case 'usage':
      return usage(client, out)
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
      throw misuse(`"${action}": say create, limit, rotate, revoke, usage, master or nothing`)
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

async function create(connection, { name, scopes = 'read', corpora, expires, principals, choose, ...more }, out) {
  if (!name) throw misuse('--name: what is it for?')
  const names = corpora ? parts(corpora) : [await chosen(connection)]
  const body = {
    name,
    scopes: parts(scopes),
    corpora: names,
    ...(expires ? { expires_at: timeOf(expires) } : {}),
    ...(principals ? { principals: parts(principals) } : {}),
    ...(choose ? { access_choose: true } : {}),
    ...named(limitsOf(more)),
  }
  const key = await connection.client.call('POST', '/v1/keys', { body })
  const until = key.expires_at ? `, until ${key.expires_at}` : ''
  out.result(key, {
    people: (made) => `${made.key}\n\nShown this once. Id ${made.id}, for ${scopes} of ${names.join(',')}${until}.`,
    plain: (made) => made.key,
  })
}

/** In place of what it had; none named: as much as it likes. */
async function limit(client, id, values, out) {
  const limits = limitsOf(values)
  const key = await client.call('PATCH', `/v1/keys/${encodeURIComponent(id)}`, { body: { limits } })
  out.result(key, {
    people: () => `${id} may use ${said(limits)} (within 60 s)`,
    plain: () => fields(id, said(limits)),
  })
}

/** Of the key that asks, and for an admin key of those that have limits. Plain: id, day, requests, tokens, usd, limits. */
async function usage(client, out) {
  const { key } = await client.call('GET', '/v1/usage')
  const others = []
  for await (const one of listed(client, '/v1/usage')) others.push(one)
  const all = [...(key ? [key] : []), ...others.filter((one) => one.id !== key?.id)]
  const line = (one) => fields(one.id, one.day, one.requests, one.tokens, one.usd.toFixed(6), said(one.limits))
  const lines = (keys) => keys.map(line).join('\n')
  out.result(all, { people: (keys) => lines(keys) || 'No key has limits.', plain: lines })
}

/** How far secrets have been sealed anew under another master key. Plain: its id, status, older keys, sealed anew, unreadable. */
async function master(client, out) {
  const found = await client.call('GET', '/v1/master-key')
  const { key, status, older_keys: older, resealed, unreadable, left } = found
  const toLookAt = left.webhooks + left.corpora > 0 ? `; to be looked at: ${left.webhooks} webhooks, ${left.corpora} corpora` : ''
  out.result(found, {
    people: () => `${status}: ${resealed} secrets sealed anew, ${unreadable} open under no key, ${older} older keys set${toLookAt}`,
    plain: () => fields(key, status, older, resealed, unreadable),
  })
}

const LIMITS = [
  ['tokens', 'tokens_a_day'],
  ['usd', 'usd_a_day'],
  ['requests', 'requests_a_day'],
]

/** Null: none was named. */
function limitsOf(values) {
  const given = LIMITS.filter(([option]) => values[option] !== undefined).map(([option, name]) => {
    const value = Number(values[option])
    if (values[option] === '' || !(value >= 0)) throw misuse(`--${option}: so many a day`)
    return [name, value]
  })
  return given.length > 0 ? Object.fromEntries(given) : null
}

const named = (limits) => (limits ? { limits } : {})

function said(limits) {
  const parts = LIMITS.filter(([, name]) => limits?.[name] !== undefined).map(([option, name]) => `${limits[name]} ${option}`)
  return parts.length > 0 ? `${parts.join(', ')} a day` : 'as much as it likes'
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
