/** Kinds of nodes and edges in plain words. */
const NODES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  entity: ['name', 'names'],
  community: ['community', 'communities'],
  summary: ['summary', 'summaries'],
}

export const kindWord = (kind: string): string => NODES[kind]?.[0] ?? kind
export const kindWords = (kind: string): string => NODES[kind]?.[1] ?? `${kind}s`

/** From its source to its target, and back. */
const EDGES: Readonly<Record<string, readonly [there: string, back: string]>> = {
  relates: ['is related to', 'is related to'],
  mentions: ['mentions', 'mentioned in'],
  member: ['is part of', 'holds'],
  contains: ['contains', 'stands in'],
  links: ['links to', 'linked from'],
  found: ['finds', 'found for'],
  names: ['names', 'named in'],
  supports: ['supports', 'rests on'],
}

export const edgeWord = (kind: string): string => EDGES[kind]?.[0] ?? kind
/** As seen from one of its ends. */
export const tieWord = ({ kind, source }: { readonly kind: string; readonly source: string }, from: string): string =>
  EDGES[kind]?.[source === from ? 0 : 1] ?? kind
