/** XML as its elements in order, each with its attributes and the text directly in it. */
import { Parser } from 'htmlparser2'

export interface Element {
  readonly name: string
  readonly attributes: { readonly [name: string]: string }
  text: string
}

export function readElements(xml: string): readonly Element[] {
  const elements: Element[] = []
  const open: Element[] = []
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const element = { name, attributes, text: '' }
        elements.push(element)
        open.push(element)
      },
      ontext(text) {
        const element = open.at(-1)
        if (element) element.text += text
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return elements
}
