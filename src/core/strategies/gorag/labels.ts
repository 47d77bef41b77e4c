/**
 * Labels come and go (GORAG §3.2, rounds): each has examples, a description, or both; one with only a description can be chosen too. Putting a
 * label replaces it whole. Dropping it removes everything with it: texts, vectors, and what was learned as it.
 */
import type { Change, GraphNode, Patch, Vector } from '../../graph/types'
import { countTokens } from '../../text/tokens'
import { quantize } from '../../vectors'
import type { GoragIndex } from './index'
import { descriptionText } from './label-name'
import { publicationChanges } from './publish'
import { labelNode, learnedId, SPACE, type TextRow, textKey, writeVector } from './rows'
import type { GoragSettings } from './settings'

export interface LabelInput {
  readonly id: string
  readonly description: string
  /** Vector of `descriptionText(label, settings.names)`; absent without embeddings. */
  readonly vector?: Vector | undefined
  readonly examples: readonly { readonly id: string; readonly text: string; readonly vector?: Vector | undefined }[]
}

interface Text {
  readonly row: TextRow
  readonly vector: Vector | undefined
}

export function putLabelChanges(index: GoragIndex, label: LabelInput, settings: GoragSettings): Patch {
  const node = labelNode(label.id)
  const texts = textsOf(label, node, settings)
  // A text that is now labelled by hand need not be remembered as learned, whatever it was learned as.
  const known = [...texts.values()].map(({ row }) => learnedId(row.text)).filter((id) => index.learned.has(id))
  const rows: Change[] = [
    { op: 'put-value', space: SPACE.label, key: node, value: { id: label.id, description: label.description } },
    ...[...texts].flatMap(([key, { row, vector }]) => textChanges(key, row, vector)),
    ...oldTexts(index, node)
      .filter((key) => !texts.has(key))
      .flatMap((key) => dropRowChanges(SPACE.text, key)),
    ...known.flatMap((id) => dropRowChanges(SPACE.learned, id)),
  ]
  const vectors = [...texts.values()].flatMap(({ vector }) => (vector ? [vector] : []))
  return [...rows, ...publicationChanges(index, index.with(rows), settings, 0), { op: 'put-node', node: nodeOf(label, node, vectors) }]
}

export function dropLabelChanges(index: GoragIndex, id: string, settings: GoragSettings): Patch {
  const node = labelNode(id)
  if (!index.labelled.labels.has(node)) return []
  const learned = [...index.learned].filter(([, row]) => row.label === node).map(([key]) => key)
  const rows: Change[] = [
    { op: 'drop-value', space: SPACE.label, key: node },
    ...oldTexts(index, node).flatMap((key) => dropRowChanges(SPACE.text, key)),
    ...learned.flatMap((key) => dropRowChanges(SPACE.learned, key)),
  ]
  return [...rows, ...publicationChanges(index, index.with(rows), settings, 0), { op: 'drop-node', id: node }]
}

/** A row and its vector. */
export function dropRowChanges(space: string, key: string): Change[] {
  return [
    { op: 'drop-value', space, key },
    { op: 'drop-value', space: SPACE.vector, key },
  ]
}

/** By key; the same text given twice counts once. */
function textsOf(label: LabelInput, node: string, settings: GoragSettings): ReadonlyMap<string, Text> {
  const description = descriptionText(label, settings.names)
  const rows: Text[] = [
    ...(description ? [{ row: { kind: 'description' as const, label: node, id: '', text: description }, vector: label.vector }] : []),
    ...label.examples.map(({ id, text, vector }) => ({ row: { kind: 'example' as const, label: node, id, text }, vector })),
  ]
  return new Map(rows.map((one) => [textKey(node, one.row.kind, one.row.text), one]))
}

function textChanges(key: string, row: TextRow, vector: Vector | undefined): Change[] {
  const { kind, label, id, text } = row
  return [
    { op: 'put-value', space: SPACE.text, key, value: { kind, label, id, text } },
    vector ? { op: 'put-value', space: SPACE.vector, key, value: writeVector(vector) } : { op: 'drop-value', space: SPACE.vector, key },
  ]
}

function oldTexts(index: GoragIndex, node: string): string[] {
  return [...index.labelled.texts.values()].filter(({ label }) => label === node).map(({ key }) => key)
}

/** Its vector is the mean of its texts' vectors, so that a label can be found like any node. */
function nodeOf(label: LabelInput, id: string, vectors: readonly Vector[]): GraphNode {
  const text = label.description.trim() || descriptionText(label, true) || label.id
  const node = {
    id,
    kind: 'label' as const,
    layer: 0,
    text,
    tokens: countTokens(text),
    data: { label: label.id, examples: label.examples.length },
  }
  const [first] = vectors
  if (!first) return node
  const sum = new Int32Array(first.length)
  for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0)
  return { ...node, vector: quantize(sum), sum }
}
