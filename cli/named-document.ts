/** A document's name for people and scripts: with its corpus, if several were asked. */
import type { SeveralSearchResult } from '../src/client/client'
import { field } from './output'

interface OfCorpus {
  readonly corpus?: string
  readonly document: string | null
}

export function documentOf({ corpus, document }: OfCorpus): string | null {
  return corpus === undefined || document === null ? document : `${corpus}/${document}`
}

export function titleOf({ corpus, document, title }: OfCorpus & { readonly title?: string | undefined }): string {
  return `${corpus === undefined ? '' : `${field(corpus)}: `}${field(title || (document ?? ''))}`
}

/** Nothing if all were asked. */
export function formatSkipped(skipped: SeveralSearchResult['skipped'] = []): string {
  return skipped.map(({ corpus, code }) => `${field(corpus)} was not asked: ${field(code)}`).join('\n')
}
