/**
 * Files that hold no text, by what a model says of them: pictures, and PDFs of pictures. Only where the corpus has it switched on, and covered before it is
 * asked for. What it costs is known by our count alone: the conversion does not say. Its text is marked from where it begins.
 */
import { CONVERT } from '../core/cost'
import type { OutlineEntry } from '../core/text/outline'
import { countTokens } from '../core/text/tokens'
import { conversionLimits } from '../platform-limits'
import type { Conversion, Converter, Describer, Picture, SentFile } from '../ports/conversion'
import type { CorpusObject, DescribingTerms } from '../ports/object'
import type { Prices } from '../ports/spending'
import { allowanceOf, type KeyKeeper, settle } from './allowance'
import { faultOf } from './faults'

export interface DescribingDeps {
  readonly corpus: Pick<CorpusObject, 'describing' | 'reserve' | 'charge'>
  /** Null: this deployment describes no pictures. */
  readonly describer: Describer | null
  pictureTypeOf(bytes: Uint8Array): Picture['media'] | null
  /** Of a key that may spend so much a day. */
  key?(prices: Prices | undefined): KeyKeeper | undefined
  /** Runs beside the answer, which does not wait for it. Never rejects. */
  later(work: Promise<unknown>): void
}

type Unread = Extract<Conversion, { kind: 'unreadable' }>

const OCR = 'Or recognise its text first (OCR).'
const NOWHERE = 'Nothing here describes pictures. In production Workers AI does, with CONVERSION = "on" (docs/formats.md).'
const OFF =
  'This corpus does not have pictures described. `settings.pictures.describe` switches it on; each picture costs money (docs/formats.md).'
const PAGE_BREAK = '\n\n'

/** The converter, and where a file holds no text what a model says of it. Never rejects. */
export function describing(read: Converter, deps: DescribingDeps): Converter {
  return async (file) => {
    const found = await read(file)
    if (found.kind === 'converted') return found
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
  const hash = hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  const terms = await deps.corpus.describing(file.document ?? null, hash)
  if (!terms?.isOn) return { ...found, detail: `${found.detail} ${OFF} ${OCR}` }
  if (terms.known) return { kind: 'converted', title: '', text: terms.known.text, outline: terms.known.outline }
  const pictures = media === 'application/pdf' ? (found.pages ?? 1) : 1
  if (pictures > conversionLimits.maxPictures)
    return unread(
      'too_large',
      `At most ${conversionLimits.maxPictures} pages of a scan are described at once; this one has ${pictures}. Split it.`,
    )
  return paidFor(deps, terms, pictures, async (mayRepeat) => {
    const said = await describer.describe({ bytes, media, language: terms.language ?? undefined }, { mayRepeat })
    return said.kind === 'described' ? { ...asText(said.pages, hash), calls: said.calls } : null
  })
}

type Made = { readonly text: string; readonly outline: readonly OutlineEntry[]; readonly calls: number } | null
type MayRepeat = NonNullable<NonNullable<Parameters<Describer['describe']>[1]>['mayRepeat']>

/** Covered before it is asked for, and charged at what it comes to by our count. */
async function paidFor(
  { corpus, key, later }: DescribingDeps,
  { budget, prices }: DescribingTerms,
  pictures: number,
  make: (mayRepeat: MayRepeat) => Promise<Made>,
): Promise<Conversion> {
  const keeping = { corpus, config: { budget, ...(prices ? { prices } : {}) }, key: key?.(prices), later }
  const allowance = allowanceOf(keeping)
  const read = { in: pictures * conversionLimits.pictureTokens, embedded: 0 }
  try {
    const call = await allowance.begin(CONVERT, () => ({ ...read, out: pictures * conversionLimits.replyTokens }))
    if (!call) return unread('over_budget', 'What is left of the budget does not cover the description of this file.')
    try {
      const made = await make(call.mayRepeat)
      call.paid({ ...read, out: countTokens(made?.text ?? '') }, made?.calls ?? 1)
      if (made) return { kind: 'converted', title: '', text: made.text, outline: made.outline }
      return unread('broken', 'The conversion found nothing in this file.')
    } catch (error) {
      call.failed(error)
      const { fault, retryAfter } = faultOf(error)
      if (fault === 'too_large') return unread('too_large', 'This file is larger than the conversion accepts.')
      const detail = 'The model that describes pictures is not answering. Send the file again later.'
      return { ...unread('unavailable', detail), ...(retryAfter === undefined ? {} : { retryAfter }) }
    }
  } finally {
    settle(keeping, allowance)
  }
}

function asText(pages: readonly { readonly page?: number; readonly text: string }[], hash: string): Omit<NonNullable<Made>, 'calls'> {
  const outline: OutlineEntry[] = []
  let text = ''
  for (const [n, { page, text: said }] of pages.entries()) {
    if (n > 0) text += PAGE_BREAK
    outline.push({ start: text.length, ...(n === 0 ? { described: hash } : {}), ...(page === undefined ? {} : { page }) })
    text += said
  }
  return { text, outline }
}

const unread = (why: Unread['why'], detail: string): Unread => ({ kind: 'unreadable', why, detail })
const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
