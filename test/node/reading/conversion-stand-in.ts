/**
 * `env.AI.toMarkdown` as its documentation and workerd's source have it (2026-08): one file gives one result, several a list; what is wrong with a file is a
 * result of `format: 'error'`, what is wrong with the call an `AiInternalError`. A PDF comes page by page under the conversion's own headings.
 */
import type { ConversionBinding } from '../../../src/adapters/markdown-conversion'

const TAKEN: ReadonlySet<string> = new Set(['application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'])

export interface Conversions {
  readonly binding: ConversionBinding
  /** What was asked for. */
  readonly asked: { readonly name: string; readonly type: string; readonly size: number; readonly options: unknown }[]
  /** What the next calls come to, in their order: words of an error that is thrown, or any reply. Then what `says` gives. */
  readonly script: ({ readonly fails: string } | { readonly reply: unknown } | { readonly never: true })[]
  says: readonly string[]
}

export function conversionStandIn(says: readonly string[] = ['A grey heron waits by the mill pond.']): Conversions {
  const all: Conversions = { binding: { toMarkdown }, asked: [], script: [], says }
  return all

  async function toMarkdown(file: { readonly name: string; readonly blob: Blob }, options?: unknown): Promise<unknown> {
    const { name, blob } = file
    all.asked.push({ name, type: blob.type, size: blob.size, options })
    const next = all.script.shift()
    if (next && 'never' in next) return new Promise(() => undefined)
    if (next && 'fails' in next) throw Object.assign(new Error(next.fails), { name: 'AiInternalError' })
    if (next) return next.reply
    const about = { id: 'x', name, mimeType: blob.type }
    if (!TAKEN.has(blob.type)) return { ...about, format: 'error', error: `Unsupported format ${blob.type} of ${name}` }
    return { ...about, format: 'markdown', tokens: 0, data: blob.type === 'application/pdf' ? asPdf(name, all.says) : all.says.join(' ') }
  }
}

const asPdf = (name: string, pages: readonly string[]): string =>
  `# ${name}\n## Contents\n${pages.map((text, i) => `### Page ${i + 1}\n${text}\n`).join('\n')}`
