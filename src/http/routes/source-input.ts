/** What a caller says about a source, as it is stored: its address and its credentials. */
import { bucketPlace } from '../../contract/bucket-place'
import { channelOf } from '../../contract/slack-channel'
import type { SourceKind } from '../../contract/source-kinds'
import type { Ctx } from '../context'
import { Problem } from '../problem'
import { vaultOf } from '../webhook-secrets'
import { requireCallable } from './callable'

/** Its address, as it is stored; refused if it must not be called, or is not bound. */
export async function urlOf(c: Ctx, { kind, url }: { readonly kind: SourceKind; readonly url: string }): Promise<string> {
  if (kind !== 'r2') {
    const { href } = await requireCallable(c, url)
    if (kind === 'notion') return notionAddress(href)
    if (kind === 'slack') return `https://slack.com/archives/${channelOf(href)}`
    return kind === 'github' ? href.replace(/(\.git)?\/?$/, '') : href
  }
  const { names } = c.get('world').buckets
  if (names.includes(bucketPlace('r2', url).bucket)) return url
  const message =
    names.length > 0 ? `is not one of the buckets bound here: ${names.join(', ')}` : 'no bucket is bound here (docs/sources.md)'
  throw new Problem('invalid', 'This bucket is not bound to the deployment.', { errors: [{ path: 'url', message }] })
}

/** Without the title and the view in the copied address. */
function notionAddress(href: string): string {
  const id = /([0-9a-f]{32})$/.exec(new URL(href).pathname)?.[1]
  return id ? `https://www.notion.so/${id}` : 'https://www.notion.so'
}

interface Credential {
  readonly token?: string | null | undefined
  readonly access_key_id?: string | null | undefined
  readonly secret_access_key?: string | null | undefined
}

/** What is sealed. Null: nothing. */
export function secretOf({ token, access_key_id, secret_access_key }: Credential): string | null {
  if (access_key_id != null && secret_access_key != null) return JSON.stringify({ access_key_id, secret_access_key })
  return token ?? null
}

/** Sealed under the source's id. */
export const sealed = async (c: Ctx, id: string, secret: string) => [{ sealed: await vaultOf(c).seal(secret, id), until: null }]
