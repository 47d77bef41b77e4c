/**
 * What GORAG remembers, as it lies in the graph's values: one row per label, per labelled text and per learned text, with the vector of each text
 * in a row of its own. Everything else (keywords, edges, weights, centroids) follows from these rows, whatever the order they came in; so what is
 * removed leaves no trace.
 */
import type { Json, Value } from '../../graph/types'
import { fingerprint, nodeId } from '../../ids'
import type { Counts } from './keywords'

export const SPACE = {
  /** By the label's node id. */
  label: 'gorag/label',
  /** By `{label node}.{text fingerprint}`. */
  text: 'gorag/text',
  /** By the id of what was learned. */
  learned: 'gorag/learned',
  /** By the key of a text or the id of what was learned. */
  vector: 'gorag/vector',
} as const

export interface LabelRow {
  readonly id: string
  readonly description: string
}

export interface TextRow {
  readonly kind: 'example' | 'description'
  /** Node id of the label. */
  readonly label: string
  /** The caller's id of an example; empty for a description. */
  readonly id: string
  readonly text: string
}

/** What was learned from a classified text: its words as counts, not its wording. */
export interface LearnedRow {
  /** Node id of the label. */
  readonly label: string
  readonly counts: Counts
  /** Confidence of the decision, 0 to 1. */
  readonly confidence: number
  /** Who decided, e.g. `model` or `score`. */
  readonly source: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export function labelNode(id: string): string {
  return nodeId('label', id)
}

export function textKey(label: string, kind: TextRow['kind'], text: string): string {
  return `${label}.${fingerprint(kind, text)}`
}

/** The same for the same text, however often and under whatever label it is seen. */
export function learnedId(text: string): string {
  return fingerprint('learned', text.normalize('NFC').trim())
}

export function writeLearned(row: LearnedRow): Json {
  return { ...row, counts: [...row.counts].sort(([a], [b]) => (a < b ? -1 : 1)) }
}

export function readLabel(value: Value): LabelRow {
  const { id, description } = objectOf(value)
  return { id: String(id), description: String(description) }
}

export function readText(value: Value): TextRow {
  const { kind, label, id, text } = objectOf(value)
  return { kind: kind === 'description' ? kind : 'example', label: String(label), id: String(id), text: String(text) }
}

export function readLearned(value: Value): LearnedRow {
  const { label, counts, confidence, source, at } = objectOf(value)
  const pairs = Array.isArray(counts) ? (counts as readonly (readonly [string, number])[]) : []
  return { label: String(label), counts: new Map(pairs), confidence: Number(confidence), source: String(source), at: Number(at) }
}

export function writeVector(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength).slice()
}

export function readVector(value: Value): Int8Array {
  if (!(value instanceof Uint8Array)) throw new Error('gorag: a vector is not stored as bytes')
  return new Int8Array(value.buffer, value.byteOffset, value.byteLength)
}

function objectOf(value: Value): { readonly [key: string]: Json } {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || Array.isArray(value)) {
    throw new Error('gorag: a row is not an object')
  }
  return value as { readonly [key: string]: Json }
}
