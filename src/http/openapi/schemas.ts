/** Schemas by name, and what OpenAPI makes of them. Bodies are described as they are sent, answers as they are read. */

import { z } from 'zod'
import { chatSchema } from '../../contract/chat'
import * as corpora from '../../contract/corpora'
import * as documents from '../../contract/documents'
import * as estimates from '../../contract/estimates'
import * as fields from '../../contract/fields'
import * as graph from '../../contract/graph'
import * as lines from '../../contract/imports'
import * as jobs from '../../contract/jobs'
import * as keys from '../../contract/keys'
import * as labels from '../../contract/labels'
import * as problem from '../../contract/problem'
import * as questions from '../../contract/questions'
import * as usage from '../../contract/usage'

export type JsonSchema = { readonly [key: string]: unknown }
type Named = { readonly [name: string]: z.ZodType }

const bodies: Named = {
  NewCorpus: corpora.corpusSchema,
  NewDocument: documents.documentSchema,
  NewBatch: documents.batchSchema,
  NewKey: keys.keySchema,
  Upkeep: corpora.maintenanceSchema,
  ToEstimate: estimates.estimateSchema,
  NewLabel: labels.labelSchema,
  Search: questions.searchSchema,
  Query: questions.querySchema,
  Compare: questions.compareSchema,
  Classify: labels.classifySchema,
  ImportLine: lines.importedSchema,
  ChatRequest: chatSchema,
}

const results: Named = {
  Corpus: corpora.corpus,
  Document: documents.document,
  Job: jobs.job,
  Receipt: jobs.receipt,
  Key: keys.key,
  Problem: problem.problem,
  Spent: usage.spent,
  Value: fields.json,
  Evidence: questions.evidence,
  Citation: questions.citation,
  Usage: questions.usage,
  SearchResult: questions.searchResult,
  QueryResult: questions.queryResult,
  Classified: labels.classified,
  Label: labels.label,
  Node: graph.node,
  Edge: graph.edge,
  Estimate: estimates.estimate,
  Accepted: jobs.accepted,
  Put: documents.put,
  Batch: documents.batch,
  Deleted: labels.deleted,
  CompareResult: questions.compareResult,
  Neighbourhood: graph.neighbourhood,
  Nodes: graph.nodes,
  Layers: graph.layers,
  Imported: lines.imported,
  MintedKey: keys.mintedKey,
}

export type Side = 'input' | 'output'

/** JSON Schemas of all schemas by name, `extra` being those that only one route uses, and a reference to each. */
export function describedSchemas(extra: readonly (readonly [side: Side, name: string, schema: z.ZodType])[]): {
  readonly components: JsonSchema
  of(schema: z.ZodType): JsonSchema
} {
  const names = new Map<z.ZodType, string>()
  const components: { [name: string]: JsonSchema } = {}
  for (const [side, shared] of [['input', bodies] as const, ['output', results] as const]) {
    const registry = z.registry<{ id: string }>()
    const own = extra.flatMap(([where, name, schema]) => (where === side ? [[name, schema] as const] : []))
    for (const [id, schema] of [...Object.entries(shared), ...own]) {
      if (names.has(schema)) continue
      names.set(schema, id)
      registry.add(schema, { id })
    }
    const { schemas } = z.toJSONSchema(registry, {
      io: side,
      unrepresentable: 'any',
      uri: (id) => `#/components/schemas/${id}`,
      override: ({ zodSchema, jsonSchema }) => {
        allowGrowth(side, zodSchema, jsonSchema)
        sayPlainly(zodSchema, jsonSchema)
      },
    })
    for (const [name, schema] of Object.entries(schemas)) components[name] = withoutNames(schema)
  }
  return {
    components,
    of: (schema) => ({ $ref: `#/components/schemas/${names.get(schema)}` }),
  }
}

/** Without the names that a schema has on its own. */
function withoutNames(schema: unknown): JsonSchema {
  const { $schema: _, $id: __, id: ___, ...rest } = schema as JsonSchema
  return rest
}

/**
 * What only few client generators understand is written so that all of them do: any JSON value without a recursive union, and a list
 * with a length without a schema for each place.
 */
function sayPlainly(schema: unknown, made: { [key: string]: unknown }): void {
  if (schema === fields.json) {
    delete made.anyOf
    made.description = 'Any JSON value.'
  }
  const places = made.prefixItems
  if (!Array.isArray(places)) return
  const kinds = [...new Map(places.map((one: unknown) => [JSON.stringify(one), one])).values()]
  delete made.prefixItems
  made.items = kinds.length === 1 ? kinds[0] : { anyOf: kinds }
  made.minItems = places.length
  made.maxItems = places.length
}

/** Answers may grow: a client that forbids what it does not know would break. */
function allowGrowth(side: Side, schema: unknown, made: { additionalProperties?: unknown }): void {
  if (side === 'output' && schema instanceof z.ZodObject && made.additionalProperties === false) delete made.additionalProperties
}
