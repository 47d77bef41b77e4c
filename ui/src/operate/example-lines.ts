/**
 * Worked examples as lines that people write, with a blank line between two: first the passage, then what should be drawn from it. `Ada
 * Holm | person | an engineer` is an entity, `Ada Holm > Tidewater | works for | is paid by | 8` a relation with its kind (which may be
 * empty), its description, and its strength.
 */
import type { GuidanceProposal } from '../../../src/client/client'

type Proposed = GuidanceProposal['examples'][number]
export type Example = Omit<Proposed, 'document'> & { readonly document?: string }

const STRENGTH = 5

export function exampleLines(examples: readonly Example[]): string {
  return examples
    .map(({ text, entities, relations }) =>
      [
        flat(text),
        ...entities.map(({ name, type, description }) => row(name, type, description)),
        ...relations.map(({ source, target, relation = '', description, strength }) =>
          row(`${source} > ${target}`, relation, description, strength === STRENGTH ? '' : String(strength)),
        ),
      ].join('\n'),
    )
    .join('\n\n')
}

/** `known`: examples whose documents are remembered. What nobody has changed stays as it was, including the line breaks in its passage. */
export function examplesFrom(lines: string, known: readonly Example[] = []): readonly Example[] {
  return lines
    .split(/\n\s*\n/u)
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const unchanged = known.find((one) => exampleLines([one]) === block.trim())
      if (unchanged) return unchanged
      const [text = '', ...rows] = block.trim().split('\n')
      const cells = rows.filter((one) => one.trim() !== '').map((one) => one.split('|').map((cell) => cell.trim()))
      const document = known.find((one) => flat(one.text) === flat(text))?.document
      return {
        text: text.trim(),
        entities: cells
          .filter(([head = '']) => !head.includes(' > '))
          .map(([name = '', type = '', ...description]) => ({ name, type, description: description.join(' | ') })),
        relations: cells.filter(([head = '']) => head.includes(' > ')).map(relationFrom),
        ...(document === undefined ? {} : { document }),
      }
    })
}

function relationFrom([head = '', relation = '', description = '', strength = '']: readonly string[]): Example['relations'][number] {
  const [source = '', target = ''] = head.split(' > ').map((end) => end.trim())
  return { source, target, description, strength: strength === '' ? STRENGTH : Number(strength), ...(relation ? { relation } : {}) }
}

function row(...cells: readonly string[]): string {
  return cells
    .map(flat)
    .join(' | ')
    .replace(/(?: \| )+$/u, '')
}

function flat(text: string): string {
  return text.replace(/\s+/gu, ' ').trim()
}
