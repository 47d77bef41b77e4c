/** `loam keys`: listed, made, taken back. Plain: id, name, scopes, corpora; a new key alone on its line. */
import { listed } from '../client.mjs'
import { misuse } from '../failure.mjs'
import { fields } from '../output.mjs'
import { connected } from '../settings.mjs'

const parts = (text) => text.split(',').map((part) => part.trim())

export async function run({ values, positionals, out, env }) {
  const { client } = connected({ values, env })
  const [action = 'list', id] = positionals
  switch (action) {
    case 'list':
      return list(client, out)
    case 'create':
      return create(client, values, out)
    case 'revoke':
      if (!id) throw misuse('which key? loam keys revoke <id>')
      await client.send('DELETE', `/v1/keys/${encodeURIComponent(id)}`)
      return out.result(
        { id, revoked: true },
        { people: () => `${id} opens nothing any more (within 60 s)`, plain: () => fields(id, 'revoked') },
      )
    default:
      throw misuse(`"${action}": say create, revoke or nothing`)
  }
}

async function list(client, out) {
  const keys = []
  for await (const key of listed(client, '/v1/keys')) keys.push(key)
  const lines = (all) => all.map(({ id, name, scopes, corpora }) => fields(id, name, scopes.join(','), corpora.join(','))).join('\n')
  out.result(keys, { people: (all) => lines(all) || 'No keys but the admin key.', plain: lines })
}

async function create(client, { name, scopes = 'read', corpora = '*' }, out) {
  if (!name) throw misuse('--name: what is it for?')
  const key = await client.call('POST', '/v1/keys', { body: { name, scopes: parts(scopes), corpora: parts(corpora) } })
  out.result(key, {
    people: (made) => `${made.key}\n\nShown this once. Id ${made.id}, for ${scopes} of ${corpora}.`,
    plain: (made) => made.key,
  })
}
