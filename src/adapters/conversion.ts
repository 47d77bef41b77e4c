/** Workers AI's Markdown conversion. A stand-in that has no such method says so by a TypeError: then there is no converter. */
import type { Conversion, Converter } from '../catalogue-ports'

interface ToMarkdown {
  toMarkdown(files: { name: string; blob: Blob }[]): Promise<readonly { format?: string; data?: unknown }[]>
}

export function conversion(binding: unknown): Converter {
  return async ({ bytes, type }): Promise<Conversion> => {
    try {
      // The name's ending tells the service the type; the document's own name is not its business.
      const file = { name: `document.${type.split('/')[1] ?? 'bin'}`, blob: new Blob([bytes.slice()], { type }) }
      const [result] = await (binding as ToMarkdown).toMarkdown([file])
      return typeof result?.data === 'string' && result.format === 'markdown'
        ? { kind: 'converted', text: result.data }
        : { kind: 'unreadable' }
    } catch (error) {
      // A binding by RPC has every name; only the call tells. It refuses to carry a Blob, or knows no such method.
      const name = typeof error === 'object' && error !== null ? (error as { name?: unknown }).name : undefined
      if (name === 'TypeError' || name === 'DataCloneError') return { kind: 'unavailable' }
      throw error
    }
  }
}
