/**
 * The file of a document, opened by pdf.js. Nothing in it runs and nothing is fetched for it but the page's own assets: there is no layer for
 * scripts, forms or links, and pdf.js compiles no code.
 */
import { GlobalWorkerOptions, getDocument, type PDFDocumentProxy, type PDFPageProxy, version } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { corpusAt } from '../shared/loam'

export type Pdf = PDFDocumentProxy
export type PdfPage = PDFPageProxy

const ASSETS = `${location.origin}/pdf/${version}/` // put there by ui/copy-pdf.mjs
const MAX_POINTS = 25_000_000 // of a picture in the file, and of what is drawn at once

GlobalWorkerOptions.workerSrc = `${ASSETS}worker.mjs`

/** Closed, with all that it holds, when the signal says so. */
export async function openPdf(corpus: string, document: string, signal: AbortSignal): Promise<Pdf> {
  const file = await corpusAt(corpus, signal).file(document)
  const data = new Uint8Array(await file.arrayBuffer())
  const opening = getDocument({
    data,
    verbosity: 0,
    enableXfa: false,
    disableWorkerRendering: true, // a second worker with a script of its own, for drawing that takes milliseconds
    useWasm: false,
    useSystemFonts: false, // the same page everywhere
    maxImageSize: MAX_POINTS,
    canvasMaxAreaInBytes: 4 * MAX_POINTS,
    cMapUrl: `${ASSETS}cmaps/`,
    standardFontDataUrl: `${ASSETS}fonts/`,
    wasmUrl: `${ASSETS}unpack/`,
  })
  const close = () => void opening.destroy().catch(() => undefined)
  signal.addEventListener('abort', close)
  if (signal.aborted) close()
  return opening.promise
}
