/** What distinguishes an entity from another with its name: the title of a document about it, or that document's id if the title is only the name. */

export interface Named {
  /** For an entity: its name, and below it its description. */
  readonly text: string
  /** Only if another has the same name. */
  readonly about?: { readonly document: string; readonly title: string }
}

/** `Mercury`, or `Mercury · Mercury (planet)`. */
export function nameOf({ text, about }: Named): string {
  const [name = ''] = text.split('\n')
  if (!about) return name
  return `${name} · ${about.title.toLowerCase() === name.toLowerCase() ? about.document : about.title}`
}

/** The whole text of a node, with its name in this form. */
export function textOf(node: Named): string {
  return node.about ? [nameOf(node), ...node.text.split('\n').slice(1)].join('\n') : node.text
}
