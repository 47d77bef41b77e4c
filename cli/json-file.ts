/** A JSON file that people edit: read as it is, and created if there is none. */
import { readFileSync, writeFileSync } from 'node:fs'
import { misuse } from './failure'

/** An existing file is never overwritten. */
export function writeNewJson(file: string, proposed: object): void {
  try {
    writeFileSync(file, `${JSON.stringify(proposed, null, 2)}\n`, { flag: 'wx' })
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'EEXIST') throw misuse(`"${file}" already exists; name a new file`)
    throw error
  }
}

export function readJson(file: string): never {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as never // the service checks it, and names what is wrong
  } catch (error) {
    if (error instanceof SyntaxError) throw misuse(`"${file}" is not JSON: ${error.message}`)
    throw error
  }
}
