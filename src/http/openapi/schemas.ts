/** Schemas by name, and what OpenAPI makes of them. Bodies are described as they are sent, answers as they are read. */
import { z } from 'zod'
import * as answers from '../schemas/answers'
import * as ask from '../schemas/ask'
import { chatSchema } from '../schemas/chat'
import * as corpora from '../schemas/corpora'
import * as documents from '../schemas/documents'
import * as findings from '../schemas/findings'
import * as lines from '../schemas/import'
import * as labels from '../schemas/labels'

export type JsonSchema = { readonly [key: string]: unknown }
type Named = { readonly [name: string]: z.ZodType }

const bodies: Named = {
  NewCorpus: corpora.corpusSchema,
  NewDocument: documents.documentSchema,
  NewBatch: documents.batchSchema,
  NewKey: corpora.keySchema,
  Upkeep: corpora.maintenanceSchema,
  ToEstimate: documents.estimateSchema,
  NewLabel: labels.labelSchema,
  Search: ask.searchSchema,
  Query: ask.querySchema,
  Compare: ask.compareSchema,
  Classify: labels.classifySchema,
  ImportLine: lines.importedSchema,
  ChatRequest: chatSchema,
}

const results: Named = {
  Corpus: answers.corpus,
  Document: answers.document,
  Job: answers.job,
  Receipt: answers.receipt,
  Key: answers.key,
  Problem: answers.problem,
  Spent: answers.spent,
  Value: answers.json,
  Evidence: findings.evidence,
  Citation: findings.citation,
  Usage: findings.usage,
  SearchResult: findings.searchResult,
  QueryResult: findings.queryResult,
  Classified: findings.classified,
  Label: findings.label,
  Node: findings.node,
  Edge: findings.edge,
  Estimate: findings.estimate,
  Accepted: answers.accepted,
  Put: answers.put,
  Batch: answers.batch,
  Deleted: findings.deleted,
  CompareResult: findings.compareResult,
  Neighbourhood: findings.neighbourhood,
  Nodes: findings.nodes,
  Layers: findings.layers,
  Imported: lines.imported,
  MintedKey: answers.mintedKey,
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
      override: ({ zodSchema, jsonSchema }) => opened(side, zodSchema, jsonSchema),
    })
    for (const [name, schema] of Object.entries(schemas)) components[name] = plain(schema)
  }
  return {
    components,
    of: (schema) => ({ $ref: `#/components/schemas/${names.get(schema)}` }),
  }
}

/** Without the names a schema has where it stands alone. */
function plain(schema: unknown): JsonSchema {
  const { $schema: _, $id: __, id: ___, ...rest } = schema as JsonSchema
  return rest
}

/** Answers may grow: a client that forbids what it does not know would break. */
function opened(side: Side, schema: unknown, made: { additionalProperties?: unknown }): void {
  if (side === 'output' && schema instanceof z.ZodObject && made.additionalProperties === false) delete made.additionalProperties
}
