/** `loam entities` and `loam graph`: what the documents mention, and what it is connected with. */
import type { Edge, Neighbourhood, Node } from '../../src/client/client'
import { command, flag, text } from '../command'
import { connect, findCorpus } from '../connect'
import { misuse } from '../failure'
import { findEntity, nameOf } from '../find-entity'
import { corpus, service } from '../options'
import { field, fields } from '../output'
import { wholeNumber } from '../question'
import { cut, table } from '../table'
import { decide, isVerb, VERBS } from './decide'
import { showEntity } from './entity'
import { guidance } from './guidance'
import { ontology } from './ontology'

const SORTS = ['id', 'mentions'] as const
const LIMIT = '50' // entities, or nodes around one
const MAX_TEXT = 60 // columns of a node's text in a line about an edge

export const entities = command(
  {
    usage:
      'entities [part of a name | show | add | merge | split | rename | hide | pin | relate | unrelate | decisions | undo | ontology | guidance …]',
    verbs: ['show', ...VERBS, 'ontology', 'guidance'],
    summary: 'list the entities in the documents, and correct them',
    maxWords: Number.POSITIVE_INFINITY,
    options: {
      ...service,
      ...corpus,
      limit: text(`at most this many (${LIMIT})`),
      sort: text('`mentions`: those that the most chunks mention first', { choices: SORTS }),
      propose: flag(
        'with `ontology` or `guidance`: propose one from a sample of the texts, and write it to a new file if you name one; nothing is set',
      ),
      type: text('with `add`: what it is'),
      description: text('with `add`: what is to be known about it'),
      by: text('with `ontology --propose`: ask the text model once, or only count', { choices: ['model', 'counts'] }),
    },
    examples: [
      'loam entities',
      'loam entities heron | cut -f2',
      'loam entities --sort mentions --limit 10',
      'loam entities show Marta Lind',
      "loam entities add 'glass furnace' --type machine",
      "loam entities merge 'M. Lind' 'Marta Lind'",
      "loam entities rename Loam 'Loam (soil)'",
      'loam entities decisions',
      'loam entities undo 3',
      'loam entities ontology --propose kinds.json',
      'loam entities ontology kinds.json',
      'loam entities guidance --propose guidance.json',
      'loam entities guidance guidance.json',
    ],
  },
  async ({ values, positionals, out, env }) => {
    const [first, ...words] = positionals
    if (first === 'ontology')
      return ontology(words, { propose: values.propose, by: values.by }, () => findCorpus(connect({ values, env })), out)
    if (first === 'guidance')
      return guidance(words, { propose: values.propose, by: values.by }, () => findCorpus(connect({ values, env })), out)
    if (first === 'show') return showEntity(words, () => findCorpus(connect({ values, env })), out)
    if (isVerb(first)) return decide(first, words, values, () => findCorpus(connect({ values, env })), out)
    const q = positionals.join(' ')
    const limit = wholeNumber('limit', values.limit ?? LIMIT)
    const sort = SORTS.find((one) => one === values.sort)
    const { data } = await (await findCorpus(connect({ values, env }))).entities({ ...(q ? { q } : {}), ...(sort ? { sort } : {}), limit })
    out.result(data, {
      people: (rows) =>
        rows.length === 0
          ? `No entity${q ? ` has "${field(q)}" in its name` : ' yet'}.`
          : table(
              ['entity', 'id', 'about'],
              rows.map((one) => [nameOf(one), one.id, one.about?.title ?? one.text.split('\n').slice(1).join(' ')]),
              out,
            ),
      plain: (rows) => rows.map((one) => fields(one.id, nameOf(one), one.about?.document)).join('\n'),
    })
  },
)

export const graph = command(
  {
    usage: 'graph <entity | id of a node>',
    summary: 'show what an entity, a passage or a summary is connected to',
    maxWords: Number.POSITIVE_INFINITY,
    options: { ...service, ...corpus, depth: text('at most this many edges away (1)'), limit: text(`at most this many nodes (${LIMIT})`) },
    examples: ['loam graph Marta Lind', 'loam graph heron --depth 2 --json'],
  },
  async ({ values, positionals, out, env }) => {
    const named = positionals.join(' ')
    if (!named) throw misuse('which entity or node? loam graph <entity | id of a node>')
    const drawn = await findCorpus(connect({ values, env }))
    const node = /^[a-z]+_[\w-]{8,}$/.test(named) ? named : await findEntity(drawn, named)
    const depth = wholeNumber('depth', values.depth ?? '1')
    const around = await drawn.graph({ node, depth, limit: wholeNumber('limit', values.limit ?? LIMIT) })
    out.result(around, { people: (found) => formatNeighbourhood(found, node), plain: formatEdges })
  },
)

/** Of a node that is not in the answer, its id. */
function namesIn({ nodes }: Neighbourhood): (id: string) => string {
  const names = new Map(nodes.map((one: Node) => [one.id, one.kind === 'entity' ? nameOf(one) : field(one.text)]))
  return (id) => names.get(id) || id
}

/** Plain: kind, text at one end, text at the other, weight. */
function formatEdges(found: Neighbourhood): string {
  const name = namesIn(found)
  return found.edges.map(({ kind, source, target, weight }) => fields(kind, name(source), name(target), weight)).join('\n')
}

function formatNeighbourhood(found: Neighbourhood, around: string): string {
  const name = namesIn(found)
  const kinds = [...new Set(found.edges.map(({ kind }) => kind))]
  const line = ({ source, target }: Edge): string =>
    source === around || target === around
      ? `    ${cut(name(source === around ? target : source), MAX_TEXT)}`
      : `    ${cut(name(source), MAX_TEXT)} — ${cut(name(target), MAX_TEXT)}`
  const groups = kinds.map((kind) => [`  ${kind}`, ...found.edges.filter((edge) => edge.kind === kind).map(line)].join('\n'))
  const end = found.truncated ? '\n\nThere is more; --limit shows it.' : ''
  return `${name(around)}\n${groups.join('\n') || '  connected to nothing'}${end}`
}
