/**
 * What pdf.js fetches while it draws, next to the page: its worker, the fonts and character maps that a file may refer to without bringing
 * them, and what unpacks JPEG 2000 and JBIG2. The folder is named by the version, so that a browser may keep it.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** @param {string} packages node_modules @param {string} made the folder that becomes the page */
export function copyPdf(packages, made) {
  const from = join(packages, 'pdfjs-dist')
  const { version } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  const to = join(made, 'pdf', version)
  mkdirSync(join(to, 'unpack'), { recursive: true })
  cpSync(join(from, 'LICENSE'), join(to, 'LICENSE'))
  cpSync(join(from, 'legacy/build/pdf.worker.min.mjs'), join(to, 'worker.mjs'))
  cpSync(join(from, 'cmaps'), join(to, 'cmaps'), { recursive: true })
  cpSync(join(from, 'standard_fonts'), join(to, 'fonts'), { recursive: true })
  // As scripts: the policy of the page allows no WebAssembly.
  const unpack = readdirSync(join(from, 'wasm')).filter((name) => /_nowasm_fallback\.js$|^LICENSE_.*(?:JBIG2|OPENJPEG)$/.test(name))
  for (const name of unpack) cpSync(join(from, 'wasm', name), join(to, 'unpack', name))
}
