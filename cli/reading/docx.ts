/** A Word document: its headings, lists and tables as Markdown. Pictures, comments and tracked deletions go. */

import { Unzip, UnzipInflate } from 'fflate'
import mammoth from 'mammoth'
import type { ReadText } from '../../src/reading/html'
import { readPage } from './html'

const MAX_XML = 24_000_000 // bytes unpacked; of a book of a thousand pages ten million, and its tree takes twenty times as much memory
const STEP = 64 * 1024

export async function readDocx(bytes: Buffer): Promise<ReadText> {
  checkUnpacked(bytes)
  const { value } = await mammoth.convertToHtml({ buffer: bytes }, { convertImage: mammoth.images.imgElement(async () => ({ src: '' })) })
  const { text } = readPage(value)
  return { text, title: /^# (.+)$/m.exec(text)?.[1] ?? '' }
}

/** Unpacked once and counted, since what a file says of its own size need not be so. Pictures are not unpacked at all. */
function checkUnpacked(bytes: Uint8Array): void {
  let total = 0
  const unzip = new Unzip((file) => {
    if (!/\.(xml|rels)$/i.test(file.name)) return
    file.ondata = (error, part) => {
      if (error) throw error
      total += part.length
      if (total > MAX_XML) throw new Error(`unpacks to more than ${MAX_XML / 1e6} MB`)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  for (let at = 0; at < bytes.length; at += STEP) unzip.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length)
}
