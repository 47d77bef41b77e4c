/**
 * What an event says about documents: by a mapping, or by what a preset is known to send. Data in, data out: nothing is fetched, and
 * nothing is believed before its signature is verified. The result is checked by the same schema as any other document.
 */
import type { Mapping, Preset } from '../contract/hooks'
import type { Json } from '../core/graph/types'
import { valueAt } from './pointer'

export interface EventContent {
  readonly upserts: readonly unknown[]
  readonly deletes: readonly unknown[]
}

const OWN: Mapping = {
  id: '/id',
  text: '/text',
  content_base64: '/content_base64',
  content_type: '/content_type',
  title: '/title',
  url: '/url',
  metadata: '/metadata',
  deleted: { pointer: '/deleted' },
}

const CONTENT = ['/text', '/content_base64'] as const

/** Null: correctly signed, but about nothing that we accept. */
export function readEvent(preset: Preset, mapping: Mapping | null, kind: string, event: Json): EventContent | null {
  if (mapping) {
    const content = mapEvent(mapping, event)
    const named =
      [...content.upserts, ...content.deletes].length > 0 && valueAt(itemsOf(mapping, event)[0] ?? null, mapping.id) !== undefined
    return preset === 'github' && !named ? null : content
  }
  if (preset === 'github') return readGithubEvent(kind, event)
  const flat =
    valueAt(event, '/id') !== undefined &&
    (CONTENT.some((place) => valueAt(event, place) !== undefined) || valueAt(event, '/deleted') !== undefined)
  return mapEvent(OWN, flat ? event : (valueAt(event, '/data') ?? event))
}

function itemsOf(mapping: Mapping, event: Json): readonly Json[] {
  const items = mapping.items === undefined ? [event] : valueAt(event, mapping.items)
  return Array.isArray(items) ? items : []
}

function mapEvent(mapping: Mapping, event: Json): EventContent {
  const items = itemsOf(mapping, event)
  const gone = (item: Json): boolean => isDeletion(mapping, item) || (item !== event && isDeletion(mapping, event))
  return {
    upserts: items.filter((item) => !gone(item)).map((item) => documentOf(mapping, item)),
    deletes: items.filter(gone).map((item) => idOf(valueAt(item, mapping.id))),
  }
}

function isDeletion({ deleted }: Mapping, item: Json): boolean {
  if (!deleted) return false
  const value = valueAt(item, deleted.pointer)
  if (deleted.equals === undefined) return value === true
  const among = Array.isArray(deleted.equals) ? deleted.equals : [deleted.equals]
  return among.some((one) => one === value)
}

function documentOf(mapping: Mapping, item: Json): { readonly [key: string]: unknown } {
  const read = (pointer: string | undefined): Json | undefined => (pointer === undefined ? undefined : valueAt(item, pointer))
  return {
    id: idOf(read(mapping.id)),
    text: read(mapping.text),
    content_base64: read(mapping.content_base64),
    content_type: read(mapping.content_type),
    title: read(mapping.title),
    url: read(mapping.url),
    metadata: metadataOf(mapping, item),
  }
}

function metadataOf({ metadata }: Mapping, item: Json): Json | undefined {
  if (metadata === undefined || typeof metadata === 'string') return metadata === undefined ? undefined : valueAt(item, metadata)
  const entries = Object.entries(metadata).map(([key, pointer]) => [key, valueAt(item, pointer)] as const)
  return Object.fromEntries(entries.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined))
}

/** Many systems use numbers as ids. */
const idOf = (value: Json | undefined): Json | undefined => (typeof value === 'number' ? String(value) : value)

// ---------------------------------------------------------------- GitHub's own payloads

const GONE: readonly (Json | undefined)[] = ['deleted', 'unpublished']

/** A release becomes its notes, a push the messages of its commits. Other events carry no document. */
function readGithubEvent(kind: string, event: Json): EventContent | null {
  const repository = valueAt(event, '/repository/full_name')
  if (typeof repository !== 'string') return null
  if (kind === 'release') return readRelease(repository, event)
  if (kind === 'push') return readPush(repository, event)
  return null
}

function readRelease(repository: string, event: Json): EventContent | null {
  const tag = valueAt(event, '/release/tag_name')
  const text = valueAt(event, '/release/body')
  const id = `github/${repository}/release/${String(tag)}`
  if (GONE.includes(valueAt(event, '/action'))) return { upserts: [], deletes: [id] }
  if (typeof text !== 'string' || text.trim() === '') return null
  const title = valueAt(event, '/release/name') ?? tag
  return {
    upserts: [{ id, text, title, url: valueAt(event, '/release/html_url'), metadata: { repository, event: 'release' } }],
    deletes: [],
  }
}

function readPush(repository: string, event: Json): EventContent | null {
  const commits = valueAt(event, '/commits')
  if (!Array.isArray(commits) || commits.length === 0) return null
  const upserts = (commits as readonly Json[]).map((commit) => ({
    id: `github/${repository}/commit/${String(valueAt(commit, '/id'))}`,
    text: valueAt(commit, '/message'),
    url: valueAt(commit, '/url'),
    metadata: { repository, event: 'push' },
  }))
  return { upserts, deletes: [] }
}
