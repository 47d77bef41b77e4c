/**
 * XML as a stream of elements, from the same parser as web pages. It knows only the five entities of XML and numeric ones, none that a
 * document declares: no entity can be made to expand. Prefixes are dropped, since programs choose their own.
 */
import { Parser } from 'htmlparser2'
import { Unreadable } from '../unreadable'

const MAX_DEPTH = 500
const STEP = 64 * 1024 // characters given to the parser at a time

export type Attributes = { readonly [name: string]: string }

export interface Handlers {
  open?(name: string, attributes: Attributes): void
  text?(text: string): void
  close?(name: string): void
}

export function readXml(xml: string, { open, text, close }: Handlers): void {
  let depth = 0
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > MAX_DEPTH) throw new Unreadable('broken', 'This file is nested too deeply to be read.')
        open?.(localName(name), attributes)
      },
      ontext: (one) => text?.(one),
      onclosetag(name) {
        depth--
        close?.(localName(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  for (let at = 0; at < xml.length; at += STEP) parser.write(xml.slice(at, at + STEP))
  parser.end()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** By its name without prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? attributes[Object.keys(attributes).find((key) => key.endsWith(`:${name}`)) ?? '']
}

/** An attribute that must have a prefix (`r:id`, unlike `id`). */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  return attributes[Object.keys(attributes).find((key) => key.endsWith(`:${name}`)) ?? '']
}

export interface Relation {
  readonly id: string
  readonly type: string
  readonly target: string
}

/** The targets that a part's `.rels` names. */
export function relationsIn(xml: string | undefined): readonly Relation[] {
  const found: Relation[] = []
  if (xml === undefined) return found
  readXml(xml, {
    open(name, attributes) {
      if (name !== 'Relationship') return
      found.push({ id: attributes.Id ?? '', type: attributes.Type?.split('/').at(-1) ?? '', target: attributes.Target ?? '' })
    },
  })
  return found
}

/** `ppt/slides/slide1.xml` has its relations in `ppt/slides/_rels/slide1.xml.rels`. */
export function relationsPath(part: string): string {
  const at = part.lastIndexOf('/') + 1
  return `${part.slice(0, at)}_rels/${part.slice(at)}.rels`
}

/** The text of the first element of this name. */
export function firstText(xml: string | undefined, wanted: string): string {
  let [found, inside, isDone] = ['', false, false]
  if (xml === undefined) return ''
  readXml(xml, {
    open: (name) => {
      inside = !isDone && name === wanted
    },
    text: (text) => {
      if (inside) found += text
    },
    close: (name) => {
      if (name === wanted) [inside, isDone] = [false, true]
    },
  })
  return found.replace(/\s+/g, ' ').trim()
}
