/** WordPiece as BERT's uncased models read it (Devlin et al., arXiv:1810.04805): the same pieces as the `tokenizers` library gives, in linear time. */

const KEPT = 10_000 // split words that are remembered
const LONGEST_WORD = 100 // characters; a longer word is unknown, as in BERT
const BEYOND_ASCII = /[\u0080-\uffff]/
const ASCII_CONTROL = /(?![\t\n\r])\p{Cc}/gu
const CONTROL = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]|\ufffd/gu
const CJK =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu
/** More marks than Unicode's stream-safe format allows on one letter; putting them in canonical order would take quadratic time. */
const PILED = /(\p{M}{30})\p{M}+/gu
const MARK = /\p{Mn}/gu
const ASCII_TOKEN = /[a-zA-Z0-9]+|[!-/:-@[-`{-~]/g
const TOKEN = /[!-/:-@[-`{-~\p{P}]|[^\s!-/:-@[-`{-~\p{P}]+/gu

export interface Vocabulary {
  readonly rows: ReadonlyMap<string, number> // piece → row; a piece that continues a word begins with ##
  /** Pieces of words that are not pieces themselves, as found recently. */
  readonly split: Map<string, readonly number[]>
  readonly longest: number // code units of the longest piece
  readonly unknown: number
}

export function vocabulary(pieces: readonly string[]): Vocabulary {
  const rows = new Map<string, number>()
  let longest = 0
  for (const [row, piece] of pieces.entries()) {
    rows.set(piece, row)
    longest = Math.max(longest, piece.length)
  }
  return { rows, split: new Map(), longest, unknown: rows.get('[UNK]') ?? 0 }
}

/** Words and single punctuation marks, without accents, but still in their own case. */
export function basicTokens(text: string): readonly string[] {
  if (!BEYOND_ASCII.test(text)) return text.replace(ASCII_CONTROL, '').match(ASCII_TOKEN) ?? []
  const spaced = text.replace(CONTROL, '').replace(CJK, ' $& ')
  return spaced.replace(PILED, '$1').normalize('NFD').replace(MARK, '').match(TOKEN) ?? []
}

/** Letter by letter, so that a final sigma is written like any other. */
export function lower(word: string): string {
  if (!BEYOND_ASCII.test(word)) return word.toLowerCase()
  let out = ''
  for (const letter of word) out += letter.toLowerCase()
  return out
}

/** The longest known piece first; a word that cannot be covered is one unknown piece. */
export function piecesOf(word: string, known: Vocabulary): readonly number[] {
  const whole = known.rows.get(word)
  if (whole !== undefined) return [whole]
  const found = known.split.get(word)
  if (found) return found
  const made = splitOf(word, known)
  if (known.split.size >= KEPT) known.split.clear()
  if (word.length <= LONGEST_WORD) known.split.set(word, made)
  return made
}

function splitOf(word: string, { rows, longest, unknown }: Vocabulary): readonly number[] {
  if (word.length > LONGEST_WORD && [...word].length > LONGEST_WORD) return [unknown]
  const out: number[] = []
  for (let at = 0; at < word.length; ) {
    let end = Math.min(word.length, at + longest)
    let row: number | undefined
    while (end > at) {
      row = rows.get(at ? `##${word.slice(at, end)}` : word.slice(0, end))
      if (row !== undefined) break
      end -= 1
    }
    if (row === undefined) return [unknown]
    out.push(row)
    at = end
  }
  return out
}

export function wordPieces(text: string, known: Vocabulary): number[] {
  return basicTokens(text).flatMap((token) => piecesOf(lower(token), known))
}
