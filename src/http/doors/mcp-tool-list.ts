/**
 * The tools, each with the operation of the API that it stands for: its rights follow from that, and its arguments are checked by the
 * same schemas. Descriptions are written for models, which choose a tool by them.
 */

import type { Scope } from '../../contract/keys'
import type { OperationId } from '../../contract/operations'

interface Tool {
  readonly scope: Scope
  /** The operation it stands for (routes/). */
  readonly operation: OperationId
  readonly title: string
  readonly description: string
}

export const tools = {
  list_corpora: {
    scope: 'read',
    operation: 'listCorpora',
    title: 'List corpora',
    description: 'Lists the corpora that can be searched, a page at a time.',
  },
  search: {
    scope: 'read',
    operation: 'search',
    title: 'Search',
    description: 'Finds documents and passages relevant to a question. Without a corpus it searches all of them, at most the first eight.',
  },
  fetch: {
    scope: 'read',
    operation: 'getDocument',
    title: 'Fetch a document',
    description: 'Returns the whole text of a document that `search` found, by its id.',
  },
  ask: {
    scope: 'read',
    operation: 'query',
    title: 'Ask',
    description: 'Answers a question from a corpus, with citations checked against the documents, and says which statements they support.',
  },
  get_document: {
    scope: 'read',
    operation: 'getDocument',
    title: 'Read a document',
    description: 'Returns a document’s text, or the part from `start` to `end`, counted in characters as in citations and passages.',
  },
  explore_entity: {
    scope: 'read',
    operation: 'getGraph',
    title: 'Explore an entity',
    description: 'Shows what the graph knows about a person, place or thing: what it is connected with, and where it is mentioned.',
  },
  add_document: {
    scope: 'write',
    operation: 'putDocument',
    title: 'Add a document',
    description:
      'Adds a document to a corpus, replacing any with the same id: a text, or a file in base64 (PDF, HTML, Markdown; a message holds at most 4 MiB, so a file at most 3 MiB). It can be found once its job has succeeded.',
  },
  delete_document: {
    scope: 'write',
    operation: 'deleteDocument',
    title: 'Delete a document',
    description: 'Removes a document and everything derived from it alone. This cannot be undone.',
  },
} as const satisfies { readonly [name: string]: Tool }

/** What is shown of it to a client. */
export function presentationOf(name: keyof typeof tools): Pick<Tool, 'title' | 'description'> {
  const { title, description } = tools[name]
  return { title, description }
}
