/** What the tools answer: parts of the API's own answers. */
import { z } from 'zod'
import { corpus } from '../../contract/corpora'
import { document } from '../../contract/documents'
import { neighbourhood, node } from '../../contract/graph'
import { queryResult } from '../../contract/questions'

const { corpus: name, status, strategies } = corpus.shape
const { document: id, title, url, metadata } = document.shape
const { answer, citations, grounded, support, answered, insufficient, confidence, generator, superseded, conflicts } = queryResult.shape
const { nodes, edges, truncated } = neighbourhood.shape

export const corporaListed = z.object({
  corpora: z.array(z.object({ corpus: name, documents: z.number(), status, strategies })),
  next_cursor: z.string().nullable().describe('Send it as `cursor` for the next page; null: this was the last.'),
})

export const documentFetched = z.object({ id: z.string(), title, text: z.string(), url: z.string(), metadata })

export const documentRead = z.object({
  corpus: name,
  document: id,
  title,
  url,
  status: document.shape.status,
  text: z.string(),
  start: z.number(),
  end: z.number(),
  length: z.number().describe('The length of the whole text, in characters.'),
})

export const questionAnswered = z.object({
  corpus: name,
  answer,
  citations,
  grounded,
  support,
  answered,
  insufficient,
  confidence,
  generator,
  superseded,
  conflicts,
})

export const entityExplored = z.object({
  corpus: name,
  entity: node,
  namesakes: z.array(node).describe('Other entities with the same name, told apart by `about`. Explore one by its id.'),
  nodes,
  edges,
  truncated,
})

export const documentChanged = z.object({
  corpus: name,
  document: id,
  job: z.string().nullable(),
  status: z.string().describe('The status of the job; `unchanged` if there was nothing to do.'),
})
