/**
 * An ontology as lines that people write: `engineer < person: builds things` is a type, `works for (person > company, guild): is paid by` a
 * relation. The part before the colon names, the part after it describes.
 */
export interface Ontology {
  readonly mode: 'open' | 'strict'
  readonly types: readonly { readonly name: string; readonly description?: string; readonly parent?: string }[]
  readonly relations: readonly {
    readonly name: string
    readonly description?: string
    readonly subjects?: readonly string[]
    readonly objects?: readonly string[]
  }[]
}

export function typeLines({ types }: Ontology): string {
  return types.map(({ name, parent, description }) => described(parent ? `${name} < ${parent}` : name, description)).join('\n')
}

export function relationLines({ relations }: Ontology): string {
  const ends = (all: readonly string[] = []): string => all.join(', ') || '*'
  return relations
    .map(({ name, subjects, objects, description }) => {
      const isAny = !subjects?.length && !objects?.length
      return described(isAny ? name : `${name} (${ends(subjects)} > ${ends(objects)})`, description)
    })
    .join('\n')
}

export function typesFrom(text: string): Ontology['types'] {
  return linesOf(text).map(({ head, description }) => {
    const [name = '', parent] = head.split('<').map((part) => part.trim())
    return { name, ...(description ? { description } : {}), ...(parent ? { parent } : {}) }
  })
}

export function relationsFrom(text: string): Ontology['relations'] {
  return linesOf(text).map(({ head, description }) => {
    const [, name = '', ends] = /^([^(]*)(?:\((.*)\))?$/u.exec(head) ?? ['', head]
    const [subjects = [], objects = []] = (ends ?? '').split(/>|→/u).map(listOf)
    return { name: name.trim(), ...(description ? { description } : {}), subjects, objects }
  })
}

function described(head: string, description: string | undefined): string {
  return description ? `${head}: ${description}` : head
}

function linesOf(text: string): readonly { readonly head: string; readonly description: string }[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':')
      return colon < 0
        ? { head: line.trim(), description: '' }
        : { head: line.slice(0, colon).trim(), description: line.slice(colon + 1).trim() }
    })
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && one !== '*')
}
