/** What the tools share: which corpus is meant, how a result and a failure are returned, how documents are named. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Immutable } from '../../contract/immutable'
import { problemOf } from '../failures'
import { isLoamError } from './inside'
import type { Door } from './mcp-door'

export const readOnly = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const

/** Answered as a failed tool, never as a failed protocol: a model can read it and try another way. */
export class ToolFailure extends Error {}

export async function chooseCorpus(door: Door, named: string | undefined): Promise<string> {
  const name = named ?? door.fixed
  if (name !== undefined) return name
  const all = await door.corpora()
  if (all.length === 1 && all[0] !== undefined) return all[0]
  throw new ToolFailure(all.length === 0 ? 'This key cannot read any corpus.' : `Name a corpus: ${all.slice(0, 50).join(', ')}`)
}

/** The same twice, as MCP requires: as data of exactly the declared form, and as text for clients that read no data. */
export function structured<T extends z.ZodObject>(form: T, data: Immutable<z.input<T>>, text?: string): CallToolResult {
  const structuredContent = form.parse(data)
  return { content: [{ type: 'text', text: text ?? JSON.stringify(structuredContent) }], structuredContent }
}

export async function reportFailure(act: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await act()
  } catch (error) {
    return { content: [{ type: 'text', text: failureText(error) }], isError: true }
  }
}

function failureText(error: unknown): string {
  if (error instanceof ToolFailure) return error.message
  if (!isLoamError(error)) return problemOf(error).detail
  const faults = (error.more.errors ?? []).map(({ path, message }) => `${path}: ${message}`)
  return [`${error.code}: ${error.message}`, ...faults].join('\n')
}

/** `manuals/a%2Fb`: one string for a document of a corpus, as `search` gives it and `fetch` takes it. */
export function documentRef(corpus: string, document: string): string {
  return `${corpus}/${encodeURIComponent(document)}`
}

export function fromRef(ref: string): { readonly corpus: string; readonly document: string } {
  const at = ref.indexOf('/')
  try {
    if (at > 0) return { corpus: ref.slice(0, at), document: decodeURIComponent(ref.slice(at + 1)) }
  } catch {
    // not percent-encoded: not one of our references
  }
  throw new ToolFailure('This id is not one that `search` returned.')
}

export function linkTo(door: Door, corpus: string, document: string, url: string | null | undefined): string {
  return url || `${door.origin}/v1/corpora/${corpus}/documents/${encodeURIComponent(document)}`
}
