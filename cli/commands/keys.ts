/** `loam keys`: lists, creates, rotates and revokes keys. Plain: id, name, scopes, corpora, expiry, last use; a new key alone on its line. */
import type { Key, KeyLimits, KeyUsage, Loam, NewKey } from '../../src/client/client'
import { command, flag, text, type Values } from '../command'
import { all, type Connection, connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { service } from '../options'
import { fields, type Output } from '../output'

const UNITS: { readonly [unit: string]: number } = { h: 3_600_000, d: 86_400_000 } // ms
const OVERLAP = '86400' // seconds, by default
const split = (list: string): string[] => list.split(',').map((part) => part.trim())

const options = {
  ...service,
  name: text('what it is for, instead of <name>'),
  scopes: text('read,write,admin (read)'),
  corpus: text('the corpus it reads, as in other commands', { short: 'c' }),
  corpora: text('several corpora, or * for all, including future ones (LOAM_CORPUS; the one of `loam init`; the only one there is)'),
  principals: text('the principals its holder acts for, separated by commas: group:finance,user:ana@example.org'),
  choose: flag('a request with it may say on whose behalf it asks (Loam-As)'),
  expires: text('when it expires: 30d, 12h or a time (never)'),
  tokens: text('tokens it may use in a day (UTC); `limit` with none of the five removes the limits'),
  usd: text('dollars it may spend in a day'),
  requests: text('requests it may make in a day'),
  'requests-a-minute': text('requests it may make in any minute'),
  'questions-a-minute': text('searches and questions it may ask in any minute'),
  overlap: text('seconds for which a rotated key’s old secret stays valid (86400)'),
}
type Given = Values<typeof options>

export const keys = command(
  {
    usage: 'keys [create <name> | limit <id> | rotate <id> | revoke <id> | usage | master]',
    verbs: ['create', 'limit', 'rotate', 'revoke', 'usage', 'master'],
    summary: 'list, create (shown once), limit, rotate and revoke keys; show their use, and the progress of a new master key',
    maxWords: 2,
    options,
    examples: ['loam keys create website --corpora birds --expires 90d', 'loam keys rotate 905986f3e03085f4 --overlap 3600'],
  },
  async ({ values, positionals: [action = 'list', id], out, env }) => {
    const connection = connect({ values, env })
    const { loam } = connection
    switch (action) {
      case 'list':
        return list(loam, out)
      case 'create':
        return create(connection, { ...values, name: values.name ?? id }, out)
      case 'limit':
        if (!id) throw misuse('which key? loam keys limit <id> --tokens 200000')
        return limit(loam, id, values, out)
      case 'master':
        return showMaster(loam, out)
      case 'usage':
        return showUsage(loam, out)
      case 'rotate':
        if (!id) throw misuse('which key? loam keys rotate <id>')
        return rotate(loam, id, values.overlap, out)
      case 'revoke':
        if (!id) throw misuse('which key? loam keys revoke <id>')
        return revoke(loam, id, out)
      default:
        throw misuse(`"${action}": expected create, limit, rotate, revoke, usage, master or nothing`)
    }
  },
)

async function list(loam: Loam, out: Output): Promise<void> {
  const line = ({ id, name, scopes, corpora, expires_at: expires, last_used_at: used }: Key): string =>
    fields(id, name, scopes.join(','), corpora.join(','), expires ?? 'never', used ?? 'unused')
  const lines = (found: readonly Key[]): string => found.map(line).join('\n')
  out.result(await all((paging) => loam.keys(paging)), { people: (found) => lines(found) || 'No keys but the admin key.', plain: lines })
}

async function create(connection: Connection, values: Given, out: Output): Promise<void> {
  const { name, scopes = 'read', corpus, corpora = corpus, expires, principals, choose } = values
  if (!name) throw misuse('what is it for? loam keys create <name>')
  const names = corpora ? split(corpora) : [(await findCorpus(connection)).name]
  const limits = limitsIn(values)
  const key = await connection.loam.mintKey({
    name,
    scopes: split(scopes) as NewKey['scopes'], // the service knows the valid ones
    corpora: names,
    ...(expires ? { expires_at: parseTime(expires) } : {}),
    ...(principals ? { principals: split(principals) } : {}),
    ...(choose ? { access_choose: true } : {}),
    ...(limits ? { limits } : {}),
  })
  const until = key.expires_at ? `, until ${key.expires_at}` : ''
  out.result(key, {
    people: (made) => `${made.key}\n\nShown only this once. Id ${made.id}, for ${scopes} of ${names.join(',')}${until}.`,
    plain: (made) => made.key,
  })
}

/** Replaces its limits; none named: no limits. */
async function limit(loam: Loam, id: string, values: Given, out: Output): Promise<void> {
  const limits = limitsIn(values)
  out.result(await loam.limitKey(id, limits), {
    people: () => `${id} may use ${formatLimits(limits)} (within 60 s)`,
    plain: () => fields(id, formatLimits(limits)),
  })
}

/** For the key that asks and, for an admin key, for those that have limits. Plain: id, day, requests, tokens, usd, limits. */
async function showUsage(loam: Loam, out: Output): Promise<void> {
  const { key } = await loam.keyUsage()
  const others = await all((paging) => loam.keyUsage(paging))
  const line = (one: KeyUsage): string => fields(one.id, one.day, one.requests, one.tokens, one.usd.toFixed(6), formatLimits(one.limits))
  const lines = (used: readonly KeyUsage[]): string => used.map(line).join('\n')
  const used = [...(key ? [key] : []), ...others.filter((one) => one.id !== key?.id)]
  out.result(used, { people: (found) => lines(found) || 'No key has limits.', plain: lines })
}

/** How far secrets have been resealed under another master key. Plain: its id, status, older keys, sealed again, unreadable. */
async function showMaster(loam: Loam, out: Output): Promise<void> {
  const found = await loam.masterKey()
  const { key, status, older_keys: older, resealed, unreadable, left } = found
  const toDo = left.webhooks + left.corpora > 0 ? `; to check: ${left.webhooks} webhooks, ${left.corpora} corpora` : ''
  out.result(found, {
    people: () => `${status}: ${resealed} secrets sealed again, ${unreadable} that no key opens, ${older} older keys set${toDo}`,
    plain: () => fields(key, status, older, resealed, unreadable),
  })
}

const LIMITS = [
  ['tokens', 'tokens_a_day'],
  ['usd', 'usd_a_day'],
  ['requests', 'requests_a_day'],
  ['requests-a-minute', 'requests_a_minute'],
  ['questions-a-minute', 'questions_a_minute'],
] as const

/** Null: none was named. */
function limitsIn(values: Given): KeyLimits | null {
  const given = LIMITS.filter(([option]) => values[option] !== undefined).map(([option, name]) => {
    const value = Number(values[option])
    if (values[option] === '' || !(value >= 0)) throw misuse(`--${option}: so many ${name.endsWith('_a_minute') ? 'a minute' : 'a day'}`)
    return [name, value]
  })
  return given.length > 0 ? Object.fromEntries(given) : null
}

function formatLimits(limits: KeyLimits | null): string {
  const said = (window: 'a_day' | 'a_minute'): string[] => {
    const some = LIMITS.filter(([, name]) => name.endsWith(window) && limits?.[name] !== undefined)
    const parts = some.map(([option, name]) => `${limits?.[name]} ${option.split('-')[0]}`)
    return parts.length > 0 ? [`${parts.join(', ')} ${window.replace('_', ' ')}`] : []
  }
  return [...said('a_day'), ...said('a_minute')].join('; ') || 'without limits'
}

async function rotate(loam: Loam, id: string, overlap = OVERLAP, out: Output): Promise<void> {
  if (!/^\d+$/.test(overlap)) throw misuse('--overlap: expected the seconds for which the old secret stays valid')
  out.result(await loam.rotateKey(id, { overlap: Number(overlap) }), {
    people: (made) => `${made.key}\n\nShown only this once. The old secret of ${made.id} stays valid for ${overlap} more seconds.`,
    plain: (made) => made.key,
  })
}

async function revoke(loam: Loam, id: string, out: Output): Promise<void> {
  await loam.revokeKey(id)
  const done = { id, revoked: true }
  out.result(done, { people: () => `${id} is revoked (within 60 s)`, plain: () => fields(id, 'revoked') })
}

/** `30d`, `12h`, or a time of ISO 8601. */
function parseTime(given: string): string {
  const [, count, unit = ''] = /^(\d{1,5})([hd])$/.exec(given) ?? []
  const time = count ? Date.now() + Number(count) * (UNITS[unit] ?? Number.NaN) : Date.parse(given)
  if (Number.isNaN(time)) throw misuse('--expires: expected 30d, 12h, or a time such as 2027-01-31T00:00:00Z')
  return new Date(time).toISOString()
}
