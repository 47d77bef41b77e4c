/** Parameters of paths, query strings and headers, each declared once: with its description in the reference and its bounds. */

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'header'
  readonly description: string
  readonly schema: object
}

/** A whole number; beyond its bounds it counts as the nearest. */
export interface WholeNumber extends Parameter {
  readonly schema: { readonly type: 'integer'; readonly minimum: number; readonly maximum?: number; readonly default?: number }
}

export interface WholeNumberWithDefault extends WholeNumber {
  readonly schema: WholeNumber['schema'] & { readonly default: number }
}

export const MAX_CURSOR = 8192 // characters; an export's names two document ids
const MAX_PREFIX = 256 // characters: what an id may have at most
const NAME = '[a-z0-9][a-z0-9-]{0,62}'

export const limit = {
  name: 'limit',
  in: 'query',
  description: 'The most items per page.',
  schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
} as const satisfies WholeNumberWithDefault

/** If a page holds fewer than usual. */
export function limitOf(usual: number, maximum: number = limit.schema.maximum): WholeNumberWithDefault {
  return { ...limit, schema: { ...limit.schema, maximum, default: usual } }
}

export const cursor: Parameter = {
  name: 'cursor',
  in: 'query',
  description: 'The `next_cursor` of the previous page.',
  schema: { type: 'string', maxLength: MAX_CURSOR },
}

export const wait: WholeNumberWithDefault = {
  name: 'wait',
  in: 'query',
  description: 'Seconds to wait for the job to end before answering with its current state.',
  schema: { type: 'integer', minimum: 0, maximum: 60, default: 0 },
}

export const idPrefix: Parameter = {
  name: 'prefix',
  in: 'query',
  description: 'Only documents whose id begins with this, letter for letter. None is an empty page.',
  schema: { type: 'string', maxLength: MAX_PREFIX },
}

/** False unless given. */
export function flag(name: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type: 'boolean', default: false } }
}

export function header(name: string, description: string, schema: object = { type: 'string' }): Parameter {
  return { name, in: 'header', description, schema }
}

interface PathParameter {
  readonly description: string
  readonly schema: { readonly type: 'string'; readonly [key: string]: unknown }
  /** An id of ours: a segment without a colon, which would begin an action. */
  readonly isPlain?: true
  /** An id chosen by the caller: 1 to 256 bytes of any characters. */
  readonly isFree?: true
}

const plain = (description: string): PathParameter => ({ description, schema: { type: 'string', pattern: '^[^/:]+$' }, isPlain: true })
const free = (description: string): PathParameter => ({ description, schema: { type: 'string', minLength: 1 }, isFree: true })

export const pathParameters: { readonly [name: string]: PathParameter } = {
  corpus: { description: 'The corpus’s name.', schema: { type: 'string', pattern: `^${NAME}$` } },
  document: free('The document’s id: 1 to 256 bytes of any characters, percent-encoded.'),
  chunk: plain('The chunk’s id, as `…/chunks` lists it.'),
  label: free('The label: 1 to 256 bytes of any characters, percent-encoded.'),
  filter: free('The name of the saved filter: 1 to 256 bytes of any characters, percent-encoded.'),
  learned: free('The id that the classification returned.'),
  job: plain('The job.'),
  entity: plain('The entity’s id, as `…/entities` lists it.'),
  decision: { description: 'The decision’s number.', schema: { type: 'string', pattern: '^[0-9]+$' }, isPlain: true },
  question: plain('The question’s id in the log.'),
  conversation: plain('The conversation’s id.'),
  hook: plain('The webhook.'),
  endpoint: plain('The endpoint.'),
  delivery: plain('The delivery.'),
  source: plain('The source.'),
  key: { description: 'The key’s id.', schema: { type: 'string' } },
  model: { description: '`<corpus>` or `<corpus>:<strategy>`.', schema: { type: 'string' } },
}

/** `/v1/corpora/{corpus}/jobs/{job}:cancel` → `corpus`, `job` */
export function namesInPath(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}
