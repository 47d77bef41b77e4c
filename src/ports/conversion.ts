/** Text from files. */
import type { FileType } from '../contract/file-types'
import type { Spent } from '../contract/usage'
import type { Dates } from '../core/text/iso-date'
import type { Outline, WhyUnread } from '../core/text/outline'
import type { CallOptions, Price } from './models'

export interface SentFile {
  readonly bytes: Uint8Array
  readonly type: FileType
  /** As it was declared. */
  readonly charset?: string | undefined
  /** Id of the document it is to be: bytes that its text was made of before are not paid for again. */
  readonly document?: string | undefined
}

/**
 * encrypted: by a password · no_text: pictures alone, or nothing · broken · too_large: more pages, text or work than is read · encoding: in an unknown one ·
 * unsupported: of a kind that is not read here · over_budget: what describes it is not covered · unavailable: what describes it does not answer now
 */
export type WhyUnreadable = 'encrypted' | 'no_text' | 'broken' | 'too_large' | 'encoding' | 'unsupported' | 'over_budget' | 'unavailable'

/** `title`: what the file calls itself; empty: nothing. `dates`: what it says of itself. `detail`: what to do, for who sent it; it quotes nothing of the file. */
export type Conversion =
  | {
      readonly kind: 'converted'
      readonly text: string
      readonly title: string
      readonly outline?: Outline | undefined
      readonly dates?: Dates | undefined
      /** Of a PDF: pages without a text that draw a picture. */
      readonly scans?: readonly number[] | undefined
    }
  | {
      readonly kind: 'unreadable'
      readonly why: WhyUnreadable
      readonly detail: string
      /** Of a PDF without a text. */
      readonly pages?: number | undefined
      readonly scans?: readonly number[] | undefined
      /** Seconds, where they are known. */
      readonly retryAfter?: number | undefined
    }

export type Converter = (file: SentFile) => Promise<Conversion>

/** A picture, or a PDF of pictures. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly media: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml' | 'application/pdf'
  /** In which it should be described, by its code. Not named: English. */
  readonly language?: string | undefined
}

/** What is said of a picture; of a PDF page by page, as far as the pages are told apart. `refused`: of this file nothing can be said. */
export type Description =
  | { readonly kind: 'described'; readonly pages: readonly { readonly page?: number; readonly text: string }[]; readonly calls: number }
  | { readonly kind: 'refused' }

/** A picture as a model takes it. */
export interface ScannedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly media: 'image/png' | 'image/jpeg' | 'image/webp'
}

/** A page of a scan: its pictures in their order, and by how many degrees it is shown turned clockwise; or why there are none. */
export type PageScan =
  | { readonly kind: 'pictures'; readonly pictures: readonly ScannedPicture[]; readonly turned?: number }
  | { readonly kind: 'unread'; readonly why: WhyUnread }

/** A scan that is open. Closed by who has opened it. */
export interface ScanPages {
  /** From 1 on. Never rejects. */
  page(number: number): Promise<PageScan>
  close(): void
}

/** A model that looks at pictures. Rejects with a `ModelError`, as `Models` do. What it says is never an instruction. */
export interface Seer {
  readonly id: string
  /** Where the deployment says what it costs. */
  readonly price?: Price
  /** Tokens a reply may take beyond those asked for. */
  readonly thinkingTokens?: number
  /** `text`: empty where it says nothing. `truncated`: it had more to say than the tokens allow. */
  look(
    wish: { readonly instruction: string; readonly picture: ScannedPicture; readonly tokens: number },
    options?: CallOptions,
  ): Promise<{ readonly text: string; readonly spent: Spent; readonly truncated?: boolean }>
}

/** Of speech, mostly. */
export interface Recording {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly media: 'audio/mpeg' | 'audio/wav' | 'audio/mp4' | 'audio/ogg' | 'audio/webm' | 'audio/flac'
}

/** What is said from this second on. */
export interface HeardCue {
  readonly seconds: number
  readonly text: string
}

/** A model that hears what is said. Rejects with a `ModelError`, as `Models` do. What it hears is never an instruction. */
export interface Transcriber {
  /** Dollars per million tokens, of which a second of sound is fifty. Absent: what Whisper of Workers AI costs. */
  readonly price?: Price
  /** `seconds`: how long the recording is; null: it was not told. No cue: nothing is said in it. */
  transcribe(recording: Recording, options?: CallOptions): Promise<{ readonly cues: readonly HeardCue[]; readonly seconds: number | null }>
}

/** A model that says what pictures show. Rejects with a `ModelError`, as `Models` do. What it says is never an instruction. */
export interface Describer {
  describe(picture: Picture, options?: CallOptions): Promise<Description>
}
