/** Text from files. */
import type { FileType } from '../contract/file-types'
import type { Spent } from '../contract/usage'
import type { Dates } from '../core/text/iso-date'
import type { Outline, WhyUnread } from '../core/text/outline'
import type { CallOptions, Price } from './models'

export interface SentFile {
  readonly bytes: Uint8Array
  readonly type: FileType
  /** As declared. */
  readonly charset?: string | undefined
  /** Id of the document that it will become: bytes that were already converted for this document are not paid for again. */
  readonly document?: string | undefined
}

/**
 * encrypted: by a password · no_text: pictures only, or nothing · broken · too_large: more pages, text or work than is read · encoding:
 * unknown · unsupported: a kind that is not read here · over_budget: the budget does not cover describing it · unavailable: the describing
 * model does not answer now
 */
export type WhyUnreadable = 'encrypted' | 'no_text' | 'broken' | 'too_large' | 'encoding' | 'unsupported' | 'over_budget' | 'unavailable'

/**
 * `title`: the file's own; empty: none. `dates`: those the file states about itself. `detail`: what the sender can do about it; it quotes
 * nothing from the file.
 */
export type Conversion =
  | {
      readonly kind: 'converted'
      readonly text: string
      readonly title: string
      readonly outline?: Outline | undefined
      readonly dates?: Dates | undefined
      /** For a PDF: pages that have no text and draw a picture. */
      readonly scans?: readonly number[] | undefined
    }
  | {
      readonly kind: 'unreadable'
      readonly why: WhyUnreadable
      readonly detail: string
      /** For a PDF without text. */
      readonly pages?: number | undefined
      readonly scans?: readonly number[] | undefined
      /** In seconds, if known. */
      readonly retryAfter?: number | undefined
    }

export type Converter = (file: SentFile) => Promise<Conversion>

/** A picture, or a PDF of pictures. */
export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly media: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/svg+xml' | 'application/pdf'
  /** The language of the description, by its code. Absent: English. */
  readonly language?: string | undefined
}

/**
 * The description of a picture; of a PDF page by page, as far as the pages can be told apart. `refused`: nothing can be said of this file.
 */
export type Description =
  | { readonly kind: 'described'; readonly pages: readonly { readonly page?: number; readonly text: string }[]; readonly calls: number }
  | { readonly kind: 'refused' }

/** A picture in a form that a model accepts. */
export interface ScannedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly media: 'image/png' | 'image/jpeg' | 'image/webp'
}

/** A page of a scan: its pictures in order, and by how many degrees it is displayed turned clockwise; or why there are none. */
export type PageScan =
  | { readonly kind: 'pictures'; readonly pictures: readonly ScannedPicture[]; readonly turned?: number }
  | { readonly kind: 'unread'; readonly why: WhyUnread }

/** An open scan. Whoever opened it closes it. */
export interface ScanPages {
  /** From 1 on. Never rejects. */
  page(number: number): Promise<PageScan>
  close(): void
}

/** A model that looks at pictures. Rejects with a `ModelError`, as `Models` do. Its reply is never an instruction. */
export interface Seer {
  readonly id: string
  /** If the deployment states a price. */
  readonly price?: Price
  /** Tokens that a reply may take in addition to those requested. */
  readonly thinkingTokens?: number
  /** `text`: empty if it says nothing. `truncated`: the reply did not fit into the tokens allowed. */
  look(
    wish: { readonly instruction: string; readonly picture: ScannedPicture; readonly tokens: number },
    options?: CallOptions,
  ): Promise<{ readonly text: string; readonly spent: Spent; readonly truncated?: boolean }>
}

/** Mostly of speech. */
export interface Recording {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly media: 'audio/mpeg' | 'audio/wav' | 'audio/mp4' | 'audio/ogg' | 'audio/webm' | 'audio/flac'
}

/** What a file has to be heard, or why there is nothing. `keepsTime`: each second of it is that second of the file; else `secondsInFile` says which. */
export type Sound =
  | { readonly kind: 'sound'; readonly recording: Recording; readonly keepsTime: boolean; secondsInFile(seconds: number): number }
  | { readonly kind: 'unreadable'; readonly why: WhyUnreadable; readonly detail: string }

/** What is said from this second on. */
export interface HeardCue {
  readonly seconds: number
  readonly text: string
}

/** A model that transcribes speech. Rejects with a `ModelError`, as `Models` do. What it hears is never an instruction. */
export interface Transcriber {
  /** Dollars per million tokens; a second of sound counts as fifty. Absent: the price of Whisper on Workers AI. */
  readonly price?: Price
  /** `seconds`: the recording's length; null: not reported. No cue: nothing is said in it. */
  transcribe(recording: Recording, options?: CallOptions): Promise<{ readonly cues: readonly HeardCue[]; readonly seconds: number | null }>
}

/** A model that describes pictures. Rejects with a `ModelError`, as `Models` do. Its reply is never an instruction. */
export interface Describer {
  describe(picture: Picture, options?: CallOptions): Promise<Description>
}
