/** Which pictures a page of a PDF draws, in order: by the names in its contents, including those that its forms draw. No picture is unpacked. */
import { latin } from './bytes'
import type { PdfObjects, StreamObject } from './objects'
import { type Dictionary, isReference, type Reference, type Value } from './values'

const MAX_DEPTH = 4 // of forms in forms
const MAX_DRAWN = 64 // pictures on a page: one made of more is not a scan
const MAX_PARENTS = 32 // of a page, from which it may inherit resources
const MAX_NAMES = 4096 // in contents
const DRAWS = /\/([^\0\t\n\f\r ()<>[\]{}/%]{1,127})\s+Do\b/g

export interface DrawnPicture {
  /** The number of its object. */
  readonly number: number
  readonly stream: StreamObject
  readonly width: number
  readonly height: number
  readonly filters: readonly string[]
}

/** `page`: the number of its object. */
export function drawnOn(objects: PdfObjects, page: number): readonly DrawnPicture[] {
  const dictionary = objects.dictionary({ number: page })
  const drawing: Drawing = { objects, pictures: new Map(), forms: new Set() }
  if (dictionary) draw(drawing, { contents: contentsOf(objects, dictionary), resources: resourcesOf(objects, dictionary) }, 0)
  return [...drawing.pictures.values()]
}

interface Drawing {
  readonly objects: PdfObjects
  /** By number, so that a picture drawn twice counts once. */
  readonly pictures: Map<number, DrawnPicture>
  /** Forms already visited: they may draw each other a billion times. */
  readonly forms: Set<number>
}

interface Drawn {
  /** What they draw, by name. Null: they are packed in a way not unpacked here; then everything they could draw may be drawn. */
  readonly contents: ReadonlySet<string> | null
  readonly resources: Dictionary | null
}

function draw(drawing: Drawing, { contents, resources }: Drawn, depth: number): void {
  const { objects, pictures, forms } = drawing
  const named = objects.dictionary(resources?.get('/XObject'))
  if (!named || depth > MAX_DEPTH) return
  for (const name of contents ?? named.keys()) {
    const reference = named.get(name)
    if (!isReference(reference) || pictures.has(reference.number) || pictures.size >= MAX_DRAWN) continue
    const stream = objects.stream(reference)
    const kind = stream && objects.resolve(stream.dictionary.get('/Subtype'))
    if (stream && kind === '/Image') addPicture(drawing, reference, stream)
    if (!stream || kind !== '/Form' || forms.has(reference.number)) continue
    forms.add(reference.number)
    const own = objects.dictionary(stream.dictionary.get('/Resources')) ?? resources
    const contents = namesIn(objects, String(reference.number), () => textOf(objects, stream))
    draw(drawing, { contents, resources: own }, depth + 1)
  }
}

function addPicture({ objects, pictures }: Drawing, { number }: Reference, stream: StreamObject): void {
  const size = (name: string): number => {
    const value = objects.resolve(stream.dictionary.get(name))
    return typeof value === 'number' && value > 0 ? value : 0
  }
  const [width, height] = [size('/Width'), size('/Height')]
  pictures.set(number, { number, stream, width, height, filters: objects.filtersOf(stream.dictionary) })
}

function resourcesOf(objects: PdfObjects, page: Dictionary): Dictionary | null {
  let at: Dictionary | null = page
  for (let steps = 0; at && steps < MAX_PARENTS; steps++) {
    const own = objects.dictionary(at.get('/Resources'))
    if (own) return own
    at = objects.dictionary(at.get('/Parent'))
  }
  return null
}

/** A page's contents may be in several pieces. */
function contentsOf(objects: PdfObjects, page: Dictionary): ReadonlySet<string> | null {
  const given = page.get('/Contents')
  const whole = objects.resolve(given)
  const pieces: readonly Value[] = Array.isArray(whole) ? whole : [given ?? null]
  const numbers = [...new Set(pieces.filter(isReference).map(({ number }) => number))]
  return namesIn(objects, numbers.join(), () => {
    const texts = numbers.map((number) => {
      const stream = objects.stream({ number })
      return stream ? textOf(objects, stream) : ''
    })
    return texts.includes(null) ? null : texts.join('\n')
  })
}

/** For a whole file, by the numbers of their objects: thousands of pages may share their contents. */
const drawnNames = new WeakMap<PdfObjects, Map<string, ReadonlySet<string> | null>>()

function namesIn(objects: PdfObjects, key: string, contents: () => string | null): ReadonlySet<string> | null {
  const known = drawnNames.get(objects) ?? new Map<string, ReadonlySet<string> | null>()
  drawnNames.set(objects, known)
  const found = known.get(key)
  if (found !== undefined) return found
  const text = contents()
  const names = text === null ? null : new Set<string>()
  for (const [, name] of text?.matchAll(DRAWS) ?? []) if (names && names.size < MAX_NAMES) names.add(`/${name}`)
  known.set(key, names)
  return names
}

function textOf(objects: PdfObjects, stream: StreamObject): string | null {
  const data = objects.unpacked(stream)
  return data && latin(data)
}
