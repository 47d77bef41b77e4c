/**
 * Files that contain no text, or pages without any: the text is what a model reads in pictures and scans, or, if none reads them, the
 * conversion's description; for recordings, what is heard. Only if the corpus has this switched on, and only if its cost was covered before
 * the call. Where such text begins, it is marked.
 */
import { CONVERT } from '../core/cost'
import type { OutlineEntry } from '../core/text/outline'
import { conversionLimits } from '../platform-limits'
import type { Conversion, Converter, Describer, Picture, ScannedPicture, Seer, SentFile } from '../ports/conversion'
import type { DescribingTerms } from '../ports/object'
import { allowanceOf, settle } from './allowance'
import { hashOf, keepingOf, type Made, type PayingDeps, paidFor, type Unread, unread } from './paid-file'
import { joined, MAX_SCANS, type OpenScan, readPages, whyNothing } from './read-scan'
import { type Seeing, seePicture } from './see-picture'
import { type Hearing, transcribeFile } from './transcribe-file'

export interface DescribingDeps extends PayingDeps {
  /** Null: this deployment reads no pictures. */
  readonly seer: Seer | null
  /** Null: this deployment describes no pictures. */
  readonly describer: Describer | null
  readonly hearing: Hearing
  readonly looking: Looking
}

/** What can be said about pictures without a model. */
export interface Looking {
  pictureTypeOf(bytes: Uint8Array): Picture['media'] | null
  flawOf(bytes: Uint8Array, media: ScannedPicture['media']): 'broken' | 'too_large' | null
  readonly openScan: OpenScan
}

const OCR = 'Or recognise its text first (OCR).'
const NOWHERE =
  'No model here reads pictures. In production, Workers AI does, with CONVERSION = "on"; VISION_MODEL names a model of a server of your own (docs/formats.md).'
const OFF =
  'Reading pictures is switched off in this corpus. `settings.pictures.describe` switches it on; each picture costs money (docs/formats.md).'
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
    if (file.type === 'pdf') return describeScan(deps, file, found)
    if (found.kind === 'converted') return found
    if (file.type === 'audio' || file.type === 'video') return transcribeFile(deps, deps.hearing, file, found)
    return file.type === 'image' ? describePicture(deps, file, found) : found
  }
}

async function describePicture(deps: DescribingDeps, file: SentFile, found: Unread): Promise<Conversion> {
  const { seer, describer, looking } = deps
  if (!seer && !describer) return { ...found, detail: `${found.detail} ${NOWHERE} ${OCR}` }
  const media = looking.pictureTypeOf(file.bytes)
  if (!media) return unread('broken', 'This file is broken, or not a supported picture: PNG, JPEG, WebP or SVG.')
  if (!isSeen(media) && !describer) return unread('unsupported', `The model here takes PNG, JPEG and WebP, and no SVG. ${OCR}`)
  const flaw = seer && isSeen(media) ? looking.flawOf(file.bytes, media) : null
  if (flaw === 'broken') return unread('broken', 'This picture is broken, or cut off.')
  if (flaw === 'too_large' && !describer)
    return unread('too_large', 'This picture has more bytes or points than the model takes. Scale it down.')
  const wanted = await termsOf(deps, file)
  if (!wanted?.terms.isOn) return { ...found, detail: `${found.detail} ${OFF} ${OCR}` }
  const { terms, hash } = wanted
  if (terms.known) return { kind: 'converted', title: '', text: terms.known.text, outline: terms.known.outline }
  if (seer && isSeen(media) && !flaw) {
    const picture = { bytes: file.bytes as Uint8Array<ArrayBuffer>, media }
    const seen = await seeing(deps, seer, terms, (around) =>
      seePicture(around, picture, { isPage: false, language: terms.language ?? undefined }),
    )
    if (seen.kind === 'read')
      return {
        kind: 'converted',
        title: '',
        text: seen.text,
        outline: [{ start: 0, described: hash, ...(seen.isCut ? { unread: 'cut' as const } : {}) }],
      }
    if (seen.fault?.fault !== 'missing' || !describer) return whyNothing([seen])
  }
  return describer ? describeFile(deps, describer, { file, media, found, ...wanted }) : found
}

const isSeen = (media: Picture['media']): media is ScannedPicture['media'] => media !== 'image/svg+xml' && media !== 'application/pdf'

/** A PDF with pages that have a picture and no text. */
async function describeScan(deps: DescribingDeps, file: SentFile, found: Conversion): Promise<Conversion> {
  const { seer, describer } = deps
  const isBlank = found.kind === 'unreadable'
  if (isBlank ? found.why !== 'no_text' : !seer || !found.scans?.length) return found
  if (isBlank && !seer && !describer) return { ...found, detail: `${found.detail} ${NOWHERE} ${OCR}` }
  const wanted = await termsOf(deps, file)
  if (!wanted?.terms.isOn) return isBlank ? { ...found, detail: `${found.detail} ${OFF} ${OCR}` } : found
  const { terms, hash } = wanted
  const about = { title: isBlank ? '' : found.title, ...(isBlank || !found.dates ? {} : { dates: found.dates }) }
  if (terms.known) return { kind: 'converted', ...about, text: terms.known.text, outline: terms.known.outline }
  if (!seer) return isBlank && describer ? describeFile(deps, describer, { file, media: 'application/pdf', found, ...wanted }) : found
  const pages = found.scans ?? Array.from({ length: isBlank ? (found.pages ?? 1) : 0 }, (_, i) => i + 1)
  if (isBlank && pages.length > MAX_SCANS)
    return unread('too_large', `At most ${MAX_SCANS} pages of a scan are read at once; this one has ${pages.length}. Split it.`)
  const read = await seeing(deps, seer, terms, (around) => readPages(deps.looking.openScan, around, { file, found, hash, pages, terms }))
  if (isBlank && !read.some(({ kind }) => kind === 'read')) {
    const failed = read.filter((one) => one.kind === 'unread')
    const isMissing = failed.every(({ fault }) => fault?.fault === 'missing')
    return isMissing && describer ? describeFile(deps, describer, { file, media: 'application/pdf', found, ...wanted }) : whyNothing(failed)
  }
  return { kind: 'converted', ...about, ...joined({ found, hash }, read) }
}

interface Terms {
  readonly terms: DescribingTerms
  readonly hash: string
}

/** Null: there is no such corpus. */
async function termsOf({ corpus }: DescribingDeps, file: SentFile): Promise<Terms | null> {
  const hash = await hashOf(file.bytes)
  const terms = await corpus.describing(file.document ?? null, hash)
  return terms && { terms, hash }
}

/** Everything done is paid for in one charge, whatever the outcome. */
async function seeing<T>(deps: DescribingDeps, seer: Seer, terms: DescribingTerms, work: (around: Seeing) => Promise<T>): Promise<T> {
  const keeping = keepingOf(deps, terms)
  const allowance = allowanceOf(keeping)
  try {
    return await work({ seer, allowance })
  } finally {
    settle(keeping, allowance)
  }
}

interface Wanted extends Terms {
  readonly file: SentFile
  readonly media: Picture['media']
  readonly found: Unread
}

/** Described by the conversion: it says what can be seen, and reads out what it can. */
async function describeFile(deps: DescribingDeps, describer: Describer, { file, media, found, terms, hash }: Wanted): Promise<Conversion> {
  const pictures = media === 'application/pdf' ? (found.pages ?? 1) : 1
  if (pictures > conversionLimits.maxPictures)
    return unread(
      'too_large',
      `At most ${conversionLimits.maxPictures} pages of a scan are described at once; this one has ${pictures}. Split it.`,
    )
  const most = { in: pictures * conversionLimits.pictureTokens, out: pictures * conversionLimits.replyTokens }
  return paidFor(deps, terms, { stage: CONVERT, most, words: WORDS }, async (mayRepeat) => {
    const said = await describer.describe(
      { bytes: new Uint8Array(file.bytes), media, language: terms.language ?? undefined },
      { mayRepeat },
    )
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
