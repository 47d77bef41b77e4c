/** The OpenAPI document: valid, complete, and made from what validates. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Job, job as schemaOfJob } from '../../../src/contract/jobs'
import { descriptions, operations as list } from '../../../src/contract/operations'
import { type Evidence, evidence as schemaOfEvidence } from '../../../src/contract/questions'
import { createApp } from '../../../src/http/app'
import { tools } from '../../../src/http/doors/mcp-tool-list'
import { openapi } from '../../../src/http/openapi/document'
import { listed } from '../../../src/http/openapi/listed'
import { operations } from '../../../src/http/routes'
import { fakeWorld } from '../http/world'

const document = openapi(operations, '1.2.3') as unknown as Described
interface Described {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: unknown } }
}
interface Operation {
  readonly operationId: string
  readonly responses: { readonly [status: string]: { readonly content?: { readonly [type: string]: { readonly schema?: unknown } } } }
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
}
const nothing = { done: 0, total: 0 }
const counted = { documents: nothing, chunks: nothing, texts: nothing }
const app = createApp(() => fakeWorld().wired)
const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }

/** `/v1/corpora/:corpus{[^/:]+:reindex}` → `/v1/corpora/{}:reindex` */
function unnamed(path: string): string {
  return path
    .replace(/\/:\w+(\{[^}]*\})?/g, (_, pattern: string | undefined) => `/{}${/\+(:[\w-]+)\}$/.exec(pattern ?? '')?.[1] ?? ''}`)
    .replace(/\{\w+\}/g, '{}')
}

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' && typeof inner === 'string' ? [inner] : refsIn(inner)))
}

describe('the OpenAPI document', () => {
  it('[D1] is valid OpenAPI 3.1, and every reference in it leads somewhere', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    const known = new Set(Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`))
    expect(refsIn(document).filter((ref) => !known.has(ref))).toEqual([])
    expect(refsIn(document).length).toBeGreaterThan(200)
  })

  it('[D1] describes every registered route and no other', () => {
    const registered = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${unnamed(path)}`)
    const described = operations.map(({ method, path }) => `${method.toUpperCase()} ${unnamed(path)}`)
    expect([...new Set(registered)].sort()).toEqual(described.sort())
  })

  it('[H1924] whatever changes something takes an Idempotency-Key, but what may be sent again as it is', () => {
    const asks = new Set(['search', 'query', 'compare', 'searchCorpora', 'queryCorpora', 'estimateDocuments'])
    const again = new Set(['deleteCorpus', 'undeleteCorpus', 'restoreCorpus', 'reseal'])
    const without = operations.filter((one) => one.method !== 'get' && !one.repeatable && !one.foreign && one.access !== 'signed')
    expect(without.map(({ id }) => id).filter((id) => !asks.has(id) && !again.has(id) && !/mcp$/i.test(id))).toEqual([])
  })

  it('[D1] names each operation once, and each parameter of its path', () => {
    const all = Object.entries(document.paths).flatMap(([path, methods]) => Object.values(methods).map((one) => ({ path, ...one })))
    expect(new Set(all.map((one) => one.operationId)).size).toBe(all.length)
    for (const { path, parameters } of all) {
      const named = parameters.filter((one) => one.in === 'path').map((one) => `{${one.name}}`)
      expect(named).toEqual(path.match(/\{\w+\}/g) ?? [])
    }
  })

  it('[D1] has nothing that does not answer', async () => {
    for (const { id, method, path } of operations) {
      const request = new Request(`https://loam.test${path.replace(/\{\w+\}/g, 'x')}`, { method: method.toUpperCase() })
      const text = await (await app.fetch(request, {}, context)).text()
      expect([id, text.includes('"code":"not_found"')]).toEqual([id, false])
    }
  })

  it('[D1] says of each operation what it does, in a verb phrase', () => {
    const verbs = new Set(
      'Add Answer Ask Cancel Change Check Classify Consolidate Create Delete Detect Embed Estimate Export Fetch Find Get Give Hide Import Limit List Merge Pin Propose Put Read Rebuild Receive Refuse Remove Rename Replace Reseal Restore Retry Revoke Rotate Send Speak Split Undelete Undo'.split(
        ' ',
      ),
    )
    for (const { id, summary } of operations) {
      const [first = ''] = summary.split(' ')
      expect([id, first, verbs.has(first), /[.]$/.test(summary)]).toEqual([id, first, true, false])
    }
  })

  it('[D1] is listed for clients as it is declared', () => {
    expect({ calls: list, descriptions }).toEqual(listed(operations)) // else: npm run operations
  })

  it('[D1] has the operation each tool stands for, open to keys that are shown the tool', () => {
    for (const [name, { operation, scope }] of Object.entries(tools)) {
      const access = operations.find(({ id }) => id === operation)?.access
      expect([name, access === 'key' || access?.includes(scope)]).toEqual([name, true])
    }
  })

  it('[D1] shows examples that the schemas themselves accept', () => {
    for (const { id, body, answers } of operations) {
      for (const { schema, example } of [...(body ? [body] : []), ...Object.values(answers)]) {
        if (schema && example !== undefined) expect([id, schema.safeParse(example).error?.issues ?? []]).toEqual([id, []])
      }
      if (body) expect([id, body.example === undefined]).toEqual([id, false])
    }
  })

  it('[D1] says of every route with a key what is answered without one, and names the form of every error', () => {
    for (const { id, path, method, access } of operations) {
      const responses = document.paths[path]?.[method]?.responses ?? {}
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400 && id !== 'getMcp' && id !== 'deleteMcp')
      expect([id, '401' in responses]).toEqual([id, access !== 'open'])
      for (const [, { content }] of errors) expect(Object.values(content ?? {})[0]?.schema).toMatchObject({ $ref: expect.any(String) })
    }
  })

  it('[D730] holds nothing that generators of clients stumble over: no places of a list, no schema that is false, no union that names itself', () => {
    const { schemas } = document.components
    const faults: string[] = []
    const walk = (value: unknown, at: string): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, one] of Object.entries(value)) {
        if (key === 'prefixItems' || (key === 'items' && typeof one === 'boolean')) faults.push(`${at}.${key}`)
        walk(one, `${at}.${key}`)
      }
    }
    for (const [name, schema] of Object.entries(schemas)) {
      walk(schema, name)
      const { anyOf = [] } = schema as { anyOf?: readonly object[] }
      if (JSON.stringify(anyOf).includes(`"#/components/schemas/${name}"`)) faults.push(`${name} names itself`)
    }
    expect(faults).toEqual([])
    expect(schemas.Value).toEqual({ description: 'Any JSON value.' })
  })

  it('[D6] lets answers grow and refuses unknown settings, as the service does', () => {
    expect(document.components.schemas.Job).not.toHaveProperty('additionalProperties')
    expect(document.components.schemas.NewCorpus).toHaveProperty('properties.settings.additionalProperties', false)
  })

  it('[D7] takes no answer that lacks a member which is always there', () => {
    let lacking = 0
    for (const { id, answers } of operations) {
      for (const { schema, example } of Object.values(answers)) {
        if (!(schema instanceof z.ZodObject) || typeof example !== 'object' || example === null) continue
        const needed = Object.keys(schema.shape).filter((name) => !schema.shape[name]?.safeParse(undefined).success)
        for (const name of needed) {
          const { [name]: _, ...rest } = example as Readonly<Record<string, unknown>>
          expect([id, name, schema.safeParse(rest).success]).toEqual([id, name, false])
          lacking += 1
        }
      }
    }
    expect(lacking).toBeGreaterThan(100)
    // The compiler says the same: what the object, the flows and the client pass on is inferred from these schemas.
    // @ts-expect-error a job without what it has used
    const job: Job = { job: 'j', kind: 'ingest', status: 'queued', progress: { done: 0, total: 0, ...counted } }
    // @ts-expect-error evidence that does not say where it stands
    const evidence: Evidence = { id: 'p', kind: 'passage', layer: 0, score: 1, text: '', tokens: 0, document: null, chunk: null, via: '' }
    expect(schemaOfJob.safeParse(job).success || schemaOfEvidence.safeParse(evidence).success).toBe(false)
  })
})
