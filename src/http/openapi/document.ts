/** The OpenAPI 3.1 document, made from the declarations of the routes. Made once per isolate, when it is first requested. */
import type { z } from 'zod'
import { chatError } from '../../contract/chat'
import type { ProblemCode } from '../../contract/problem'
import { problem } from '../../contract/problem'
import { type Content, type Operation, tags } from '../operation'
import { namesInPath, type Parameter, pathParameters } from '../parameters'
import { statusOf } from '../problem'
import { describedSchemas, type JsonSchema, type Side } from './schemas'

const repeat: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Repeating the request within 24 hours returns the same answer without carrying it out again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}
const INTRODUCTION = `Graph RAG for corpora that never stop growing, on your own Cloudflare account.

**Keys.** Send \`Authorization: Bearer <key>\`. A corpus a key may not see is 404, a missing scope 403. A public corpus may be read without a key, a limited number of times a minute.

**Who may read what.** Documents may carry labels (\`access\`); a key reads those that share one with its \`principals\`, and those without. \`Loam-Identity: <JWT>\` adds what a signed token of your identity provider says; a key with \`access_choose\` may say on whose behalf it asks: \`Loam-As: group:finance, user:ana@example.org\`.

**Errors** are \`application/problem+json\` with a \`code\` to branch on and the \`request_id\`. 429 and 503 say in \`Retry-After\` when to come back.

**Jobs.** A change to a corpus is accepted (202) with a job. When it has succeeded, the change is visible in every call. A receipt says what was touched.

**Lists** are pages: \`{data, next_cursor}\`.`

const NEEDS_SCOPE: ReadonlySet<string> = new Set(['reader', 'self', 'admin', 'deployment'])

const made = new WeakMap<readonly Operation[], JsonSchema>()

export function openapi(operations: readonly Operation[], version: string): JsonSchema {
  const document = made.get(operations) ?? build(operations, version)
  made.set(operations, document)
  return document
}

type Described = ReturnType<typeof describedSchemas>

function build(operations: readonly Operation[], version: string): JsonSchema {
  const schemas = describedSchemas([['output', 'ChatError', chatError], ...operations.flatMap(schemasOf)])
  const paths: { [path: string]: { [method: string]: unknown } } = {}
  for (const one of operations) {
    const path = paths[one.path] ?? {}
    path[one.method] = operation(one, schemas)
    paths[one.path] = path
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Loam', version, description: INTRODUCTION, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({
      name,
      description,
      'x-displayName': `${name[0]?.toUpperCase()}${name.slice(1)}`,
    })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An admin key, or one created by `POST /v1/keys`.' } },
      schemas: schemas.components,
    },
  }
}

/** A schema that only this route uses is named after it. */
function schemasOf({ id, body, answers }: Operation): (readonly [Side, string, z.ZodType])[] {
  const name = `${id[0]?.toUpperCase()}${id.slice(1)}`
  const sent = body?.schema ? [['input', `${name}Body`, body.schema] as const] : []
  const answered = Object.values(answers).flatMap(({ schema }) => (schema ? [['output', `${name}Answer`, schema] as const] : []))
  return [...sent, ...answered]
}

function operation(one: Operation, schemas: Described): JsonSchema {
  const inPath = namesInPath(one.path).map((name) => {
    const { description, schema } = pathParameters[name] ?? {}
    return { name, in: 'path', required: true, description, schema }
  })
  const { parameters = [], repeatable, body } = one
  return {
    operationId: one.id,
    tags: [one.tag],
    summary: one.summary,
    description: [one.description, accessText(one)].filter(Boolean).join('\n\n'),
    security: one.access === 'open' || one.access === 'signed' ? [] : [{ key: [] }, ...(isPublic(one) ? [{}] : [])],
    parameters: [...inPath, ...parameters, ...(repeatable ? [repeat] : [])],
    ...(body ? { requestBody: { required: !body.optional, content: { ...content(body, schemas), ...rawContent(body.raw) } } } : {}),
    responses: { ...problemsOf(one, schemas), ...answersOf(one, schemas) },
  }
}

function content({ schema, type = 'application/json', example }: Content, schemas: Described): JsonSchema {
  return { [type]: { ...(schema ? { schema: schemas.of(schema) } : {}), ...(example === undefined ? {} : { example }) } }
}

function rawContent(raw: { readonly [type: string]: string } = {}): JsonSchema {
  return Object.fromEntries(Object.entries(raw).map(([type, description]) => [type, { schema: { description } }]))
}

function answersOf(one: Operation, schemas: Described): JsonSchema {
  const entries = Object.entries(one.answers).map(([status, answer]) => {
    const events = answer.events ? { 'text/event-stream': { schema: { type: 'string' }, example: answer.events } } : {}
    const has = answer.schema !== undefined || answer.type !== undefined
    return [status, { description: answer.description, ...(has ? { content: { ...content(answer, schemas), ...events } } : {}) }]
  })
  return Object.fromEntries(entries)
}

/** By status, with every code it may have. What every route may answer is added here. */
function problemsOf(one: Operation, schemas: Described): JsonSchema {
  const byStatus = new Map<number, Set<string>>()
  for (const code of codesOf(one)) {
    const status = one.foreign && statusOf(code) === 422 ? 400 : statusOf(code)
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  const form = schemas.of(one.foreign ? chatError : problem)
  const type = one.foreign ? 'application/json' : 'application/problem+json'
  const entries = [...byStatus].map(([status, codes]) => [
    status,
    {
      description: [...codes].map((code) => `\`${code}\``).join(', '),
      ...(status === 429 || status === 503 ? { headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } } } : {}),
      content: { [type]: { schema: form } },
    },
  ])
  return Object.fromEntries(entries)
}

function codesOf({ access, body, repeatable, problems = [], path }: Operation): readonly ProblemCode[] {
  if (access === 'open') return []
  const inCorpus = path.includes('{corpus}')
  const signed = access === 'signed'
  // The query string may contain unknown names.
  const codes: ProblemCode[] = [
    ...(signed ? [] : (['unauthorized', 'invalid'] as const)),
    ...problems,
    'internal',
    'unavailable',
    'overloaded',
  ]
  if (inCorpus) codes.push('corpus_not_found')
  if (typeof access !== 'string' || NEEDS_SCOPE.has(access)) codes.push('forbidden')
  if (!signed) codes.push('rate_limited', 'key_limit')
  if (body) codes.push('too_large', 'unsupported_media_type', 'invalid', 'malformed_json', 'too_deep', 'invalid_encoding')
  if (body && (inCorpus || path.startsWith('/v1/chat/'))) codes.push('embedding_mismatch')
  if (repeatable) codes.push('invalid', 'too_large', 'idempotency_conflict', 'idempotency_in_flight')
  return codes.sort((a, b) => statusOf(a) - statusOf(b))
}

/** Whether no key is needed for a public corpus. */
function isPublic({ access, needsKey }: Operation): boolean {
  return typeof access !== 'string' && access.includes('read') && !needsKey
}

function accessText(one: Operation): string {
  const { access } = one
  switch (access) {
    case 'open':
      return 'Needs no key.'
    case 'signed':
      return 'Needs a signature instead of a key.'
    case 'body':
    case 'key':
    case 'reader':
    case 'self':
      return 'Needs a key.'
    case 'admin':
    case 'deployment':
      return 'Needs an admin key.'
    default:
      return `Needs the scope ${access.map((scope) => `\`${scope}\``).join(' or ')}${publicText(one)}.`
  }
}

function publicText(one: Operation): string {
  if (isPublic(one)) return ', or a public corpus'
  return one.needsKey ? ', for a public corpus too' : ''
}
