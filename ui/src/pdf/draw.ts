/** A page drawn by pdf.js: its picture, and over that its text, which can be selected and is read aloud. Either can be broken off. */
import { TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PdfPage } from './open'

const MAX_POINTS = 16_000_000 // of a picture; some phones show none that is larger

export interface Size {
  readonly width: number
  readonly height: number
}

/** At a zoom of 1, as the page lies. */
export function sizeOf(page: PdfPage): Size {
  const { width, height } = page.getViewport({ scale: 1 })
  return { width, height }
}

/** As wide as that, in pixels of the screen. */
export async function pictureOf(page: PdfPage, width: number, signal: AbortSignal): Promise<HTMLCanvasElement> {
  const size = sizeOf(page)
  const wanted = (width * (globalThis.devicePixelRatio || 1)) / size.width
  const viewport = page.getViewport({ scale: Math.min(wanted, Math.sqrt(MAX_POINTS / (size.width * size.height))) })
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(viewport.width))
  canvas.height = Math.max(1, Math.floor(viewport.height))
  const drawing = page.render({ canvas, viewport, background: 'white' })
  signal.addEventListener('abort', () => drawing.cancel())
  try {
    await drawing.promise
  } catch (fault) {
    release(canvas)
    throw fault
  }
  return canvas
}

/** The memory of a picture is freed at once, not when the browser collects it. */
export function release(picture: unknown): void {
  if (picture instanceof HTMLCanvasElement) [picture.width, picture.height] = [0, 0]
}

export interface LaidText {
  /** The runs of text in the page's order, and where each is shown. */
  readonly runs: readonly string[]
  readonly places: readonly HTMLElement[]
}

export async function layText(page: PdfPage, container: HTMLElement, signal: AbortSignal): Promise<LaidText> {
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container, viewport: page.getViewport({ scale: 1 }) })
  signal.addEventListener('abort', () => layer.cancel())
  await layer.render()
  return { runs: layer.textContentItemsStr, places: layer.textDivs }
}
