/**
 * The arguments of the tools: members of the API's own bodies, with the names, bounds and descriptions they have there. A new member
 * of a question or a document becomes an argument automatically.
 */
import { z } from 'zod'
import { newDocumentSchema } from '../../contract/documents'
import { exact } from '../../contract/exact'
import { idSchema } from '../../contract/fields'
import { querySchema, searchSchema } from '../../contract/questions'
import { cursor, MAX_CURSOR } from '../parameters'

const corpus = z.string().max(63).optional().describe('The corpus, as named by `list_corpora`. Not needed if there is only one.')
const id = idSchema.describe('An id of your choice for the document.')

export const listArguments = exact({ cursor: z.string().max(MAX_CURSOR).optional().describe(cursor.description) })

// Left out: a tool's answer is neither streamed nor traced, and a strategy's own options mean nothing to a model that does not know
// the strategy.
const { trace: _, options: __, ...searching } = searchSchema.shape
const { trace: ___, options: ____, stream: _____, query: question, ...asking } = querySchema.shape

export const searchArguments = exact({ ...searching, corpus })
export const askArguments = exact({ question, corpus, ...asking })

export const fetchArguments = exact({ id: z.string().min(1) })

export const readArguments = exact({
  document: z.string().min(1).describe('The document’s id.'),
  corpus,
  start: z.int().min(0).optional(),
  end: z.int().min(0).optional(),
})

export const exploreArguments = exact({
  entity: z.string().min(1).max(200).describe('The entity’s name or part of it, or the id of a node.'),
  corpus,
  depth: z.int().min(1).max(3).optional().describe('How many steps to go from it; 1 by default.'),
  limit: z.int().min(1).max(200).optional().describe('The most nodes to return; 40 by default.'),
})

const { url, ...content } = newDocumentSchema.shape

/** Models send an empty address where they know none. */
export const addArguments = exact({ id, corpus, ...content, url: url.or(z.literal('')) })
export const deleteArguments = exact({ id, corpus })
