/** The graph as it is listed. */
import { z } from 'zod'
import type { ListedEdge, ListedNode } from '../core/graph/listed'
import { count, json } from './fields'
import type { Immutable } from './immutable'

export const node = z.object({
  id: z.string(),
  kind: z.string(),
  layer: count,
  text: z.string(),
  tokens: count,
  stale: z.literal(true).optional(),
  about: z
    .object({ document: z.string(), title: z.string() })
    .optional()
    .describe('If other entities have the same name: a document about this one, to tell them apart.'),
  partition: z
    .int()
    .min(-1)
    .optional()
    .describe(
      'For a segment in a corpus with partitions: the partition whose tree it is in, or -1 if it summarises what several of them say. Otherwise absent.',
    ),
  data: json.optional(),
}) satisfies z.ZodType<ListedNode>

export const edge = z.object({
  kind: z.string(),
  source: z.string(),
  target: z.string(),
  weight: z.number(),
  data: json.optional(),
}) satisfies z.ZodType<ListedEdge>

export const neighbourhood = z.object({
  nodes: z.array(node),
  edges: z.array(edge),
  truncated: z.boolean().describe('There is more than `limit` allows.'),
  version: count,
})

export const nodes = z.object({ data: z.array(node), next_cursor: z.string().nullable(), version: count })
export const layers = z.object({ layers: z.array(z.object({ layer: count, count })), version: count })

export type Node = Immutable<z.output<typeof node>>
export type Edge = Immutable<z.output<typeof edge>>
export type Neighbourhood = Immutable<z.output<typeof neighbourhood>>
export type Nodes = Immutable<z.output<typeof nodes>>
export type Layers = Immutable<z.output<typeof layers>>
