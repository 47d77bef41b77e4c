/**
 * Embeddings remembered on disk by the hash of their text: one append-only file of fixed-size records, so that the same text
 * has the same vector in every run and is computed once. It holds no text. A record torn by a crash is cut off at the next start.
 */
import { createHash } from 'node:crypto'
import { closeSync, fstatSync, mkdirSync, openSync, readSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const KEY = 16 // bytes of SHA-256

export class VectorCache {
  #places = new Map() // key → offset of the vector in the file
  #fresh = new Map() // key → vector written by this process
  #file
  #bytes

  /** @param {string} folder @param {string} model names the file @param {number} dimensions */
  constructor(folder, model, dimensions) {
    mkdirSync(folder, { recursive: true })
    const path = join(folder, `${model}.f32`)
    this.#bytes = dimensions * 4
    this.#file = openSync(path, 'a+')
    const record = KEY + this.#bytes
    const { size } = fstatSync(this.#file)
    const whole = size - (size % record)
    if (whole < size) truncateSync(path, whole)
    const key = Buffer.alloc(KEY)
    for (let at = 0; at < whole; at += record) {
      readSync(this.#file, key, 0, KEY, at)
      this.#places.set(key.toString('base64'), at + KEY)
    }
  }

  /** @returns {Float32Array | undefined} */
  find(text) {
    const key = keyOf(text).toString('base64')
    const fresh = this.#fresh.get(key)
    const place = this.#places.get(key)
    if (fresh || place === undefined) return fresh
    const vector = new Float32Array(this.#bytes / 4)
    readSync(this.#file, Buffer.from(vector.buffer), 0, this.#bytes, place)
    return vector
  }

  /** One write for all, so that two processes never tear each other's records. */
  keep(texts, vectors) {
    const records = texts.map((text, i) => {
      const key = keyOf(text)
      this.#fresh.set(key.toString('base64'), vectors[i])
      return Buffer.concat([key, Buffer.from(vectors[i].buffer, vectors[i].byteOffset, this.#bytes)])
    })
    writeSync(this.#file, Buffer.concat(records))
  }

  close() {
    closeSync(this.#file)
  }
}

function keyOf(text) {
  return createHash('sha256').update(text).digest().subarray(0, KEY)
}
