/** One file in a wheel, which is a zip archive: located through the directory at its end, and inflated as it is read. */
import { open } from 'node:fs/promises'
import { createInflateRaw } from 'node:zlib'

const END = 0x06054b50 // signature of the record that ends an archive
const END_BYTES = 22
const COMMENT = 65_535 // bytes that may follow that record
const HEADER = 0x02014b50 // of an entry in the directory
const HEADER_BYTES = 46
const LOCAL_BYTES = 30
const DEFLATED = 8

/**
 * @param {string} path @param {string} name
 * @returns {Promise<import('node:stream').Readable>} its bytes
 */
export async function entryOf(path, name) {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tail = await read(file, Math.max(0, size - END_BYTES - COMMENT), size)
    const end = lastIndexOf(tail, END)
    if (end < 0) throw new Error(`${path} is not a zip archive`)
    const start = tail.readUInt32LE(end + 16)
    const found = entryIn(await read(file, start, start + tail.readUInt32LE(end + 12)), name)
    if (!found) throw new Error(`${path} does not contain ${name}`)
    const local = await read(file, found.at, found.at + LOCAL_BYTES)
    const from = found.at + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28)
    const bytes = file.createReadStream({ start: from, end: from + found.bytes - 1 }) // closes the file
    if (found.method !== DEFLATED) return bytes
    const inflated = createInflateRaw()
    bytes.on('error', (error) => inflated.destroy(error))
    return bytes.pipe(inflated)
  } catch (error) {
    await file.close()
    throw error
  }
}

async function read(file, from, to) {
  const { buffer } = await file.read(Buffer.alloc(to - from), 0, to - from, from)
  return buffer
}

function lastIndexOf(bytes, signature) {
  for (let at = bytes.length - END_BYTES; at >= 0; at--) if (bytes.readUInt32LE(at) === signature) return at
  return -1
}

function entryIn(directory, name) {
  for (let at = 0; at + HEADER_BYTES <= directory.length && directory.readUInt32LE(at) === HEADER; ) {
    const length = directory.readUInt16LE(at + 28)
    const known = directory.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + length)
    if (known === name)
      return { method: directory.readUInt16LE(at + 10), bytes: directory.readUInt32LE(at + 20), at: directory.readUInt32LE(at + 42) }
    at += HEADER_BYTES + length + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return undefined
}
