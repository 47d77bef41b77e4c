/**
 * Files without text, described by a model: pictures, and PDFs of pictures; recordings are transcribed. Only if the corpus has it switched on, and covered
 * before it is requested. The cost is known only by our own count: the conversion does not state it. The model's text is marked from where it begins.
 */
import { CONVERT } from '../core/cost'
import type { OutlineEntry } from '../core/text/outline'
import { conversionLimits } from '../platform-limits'
import type { Conversion, Converter, Describer, Picture, SentFile } from '../ports/conversion'
import { hashOf, type Made, type PayingDeps, paidFor, type Unread, unread } from './paid-file'
import { type Hearing, transcribeFile } from './transcribe-file'

export interface DescribingDeps extends PayingDeps {
  /** Null: this deployment describes no pictures. */
  readonly describer: Describer | null
  readonly hearing: Hearing
  pictureTypeOf(bytes: Uint8Array): Picture['media'] | null
}

const OCR = 'Or recognise its text first (OCR).'
const NOWHERE = 'No model here describes pictures. In production, Workers AI does, with CONVERSION = "on" (docs/formats.md).'
const OFF =
  'Describing pictures is switched off in this corpus. `settings.pictures.describe` switches it on; each picture costs money (docs/formats.md).'
const WORDS = {
  over_budget: 'The remaining budget does not cover describing this file.',
  broken: 'The conversion found nothing in this file.',
  too_large: 'This file is larger than the conversion accepts.',
  unavailable: 'The model that describes pictures is not answering. Send the file again later.',
}
const PAGE_BREAK = '\n\n'

/** The converter and, for a file without text, a model's description. Never rejects. */
export function describing(read: Converter, deps: DescribingDeps): Converter {
  return async (file) => {
    const found = await read(file)
    if (found.kind === 'converted') return found
    if (file.type === 'audio') return transcribeFile(deps, deps.hearing, file, found)
    const isScan = file.type === 'pdf' && found.why === 'no_text'
    if (file.type !== 'image' && !isScan) return found
    if (!deps.describer) return { ...found, detail: `${found.detail} ${NOWHERE} ${OCR}` }
    const media = isScan ? 'application/pdf' : deps.pictureTypeOf(file.bytes)
    if (!media) return unread('broken', 'This file is broken, or not a supported picture: PNG, JPEG, WebP or SVG.')
    return describeFile(deps, deps.describer, { file, media, found })
  }
}

interface Wanted {
  readonly file: SentFile
  readonly media: Picture['media']
  readonly found: Unread
}

async function describeFile(deps: DescribingDeps, describer: Describer, { file, media, found }: Wanted): Promise<Conversion> {
  const bytes = new Uint8Array(file.bytes)
  const hash = await hashOf(bytes)
  const terms = await deps.corpus.describing(file.document ?? null, hash)
  if (!terms?.isOn) return { ...found, detail: `${found.detail} ${OFF} ${OCR}` }
  if (terms.known) return { kind: 'converted', title: '', text: terms.known.text, outline: terms.known.outline }
  const pictures = media === 'application/pdf' ? (found.pages ?? 1) : 1
  if (pictures > conversionLimits.maxPictures)
    return unread(
      'too_large',
      `At most ${conversionLimits.maxPictures} pages of a scan are described at once; this one has ${pictures}. Split it.`,
    )
  const most = { in: pictures * conversionLimits.pictureTokens, out: pictures * conversionLimits.replyTokens }
  return paidFor(deps, terms, { stage: CONVERT, most, words: WORDS }, async (mayRepeat) => {
    const said = await describer.describe({ bytes, media, language: terms.language ?? undefined }, { mayRepeat })
    return said.kind === 'described' ? { ...asText(said.pages, hash), calls: said.calls } : null
  })
}

function asText(pages: readonly { readonly page?: number; readonly text: string }[], hash: string): Omit<Made, 'calls'> {
  const outline: OutlineEntry[] = []
  let text = ''
  for (const [n, { page, text: said }] of pages.entries()) {
    if (n > 0) text += PAGE_BREAK
    outline.push({ start: text.length, ...(n === 0 ? { described: hash } : {}), ...(page === undefined ? {} : { page }) })
    text += said
  }
  return { text, outline }
}
