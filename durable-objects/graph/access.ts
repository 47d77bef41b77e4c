/**
 * Labels of documents, and what they mean for everything derived from them. There are few distinct label lists: each is a row with a
 * number, and a document has its list's number. A summary or community has the numbers of all documents that its text was written from, so
 * that a question checks one row and never what is beneath; the rows follow every patch, upwards along the members. A corpus without labels
 * writes and reads nothing here.
 */
import { type Asker, reader } from '../../src/core/access/labels'
import { texts, writtenFrom } from '../../src/core/access/sight'
import { mentionsOf } from '../../src/core/builders/mention-list'
import type { GraphReader } from '../../src/core/graph/reader'
import type { GraphNode } from '../../src/core/graph/types'
import { kindOf } from '../../src/core/ids'
import type { Occupant } from '../../src/isolate-memory'
import type { Sql } from '../sql'
import { Cache } from './cache'
import { allowance, isInactive, LabelSets, LabelUse, markInactive, NONE, ownLabels, sameLabels, UNKNOWN, UNLABELLED } from './label-sets'
import type { Net } from './net-change'
import { CHUNK_SETS, countReadable, listReadable, type NumberedSight } from './readable-documents'

const limits = {
  numbers: 1024, // lists beneath one node; with more, only an administrator sees it
  remembered: 16 * 1024 * 1024, // bytes for the numbers of documents, chunks and nodes in memory: some 100,000 each
  askers: 8, // for whom the readable lists are remembered
} as const
const ENTRY = 160 // bytes for one of them, about

type Texts = Pick<GraphReader, 'node' | 'edges' | 'value'>
type Changed = { readonly [what in 'putNodes' | 'dropNodes' | 'dropDocuments']: Readonly<Net[what]> }

interface Known {
  readonly asker: Asker
  readonly withInactive: boolean
  readonly inherited: readonly string[] | undefined
  readonly sight: NumberedSight
}

export class Access {
  readonly #sql: Sql
  readonly #graph: Texts
  readonly #sights: Known[] = []
  readonly #documents: Cache
  readonly #chunks: Cache
  readonly #nodes: Cache
  readonly #sets: LabelSets
  readonly #use: LabelUse

  constructor(sql: Sql, graph: Texts, occupant: Occupant) {
    this.#sql = sql
    this.#graph = graph
    this.#documents = new Cache(limits.remembered, occupant)
    this.#chunks = new Cache(limits.remembered, occupant)
    this.#nodes = new Cache(limits.remembered, occupant)
    this.#sets = new LabelSets(sql)
    this.#use = new LabelUse(sql)
  }

  /** Does any row depend on labels, either documents' own or those of what was written from them? */
  get hasRows(): boolean {
    return this.#use.isUsed || this.#sql.one('SELECT 1 FROM beneath LIMIT 1') !== undefined
  }

  /** Everything in memory: after a transaction was undone, or if it is unknown what has changed. */
  forget(): void {
    this.#use.forget()
    this.#sights.length = 0
    this.#documents.clear()
    this.#chunks.clear()
    this.#nodes.clear()
    this.#sets.forget()
  }

  labelsOf(document: string): readonly string[] {
    return ownLabels(this.#listOf(document))
  }

  /** Does it take part in questions? */
  isActive(document: string): boolean {
    return !this.#use.hasInactive || !isInactive(this.#listOf(document))
  }

  /** Before the document's chunks are in the graph, or followed by `applyChange`. */
  assign(document: string, own: readonly string[], active: boolean): void {
    const labels = active ? own : markInactive(own)
    if (labels.length === 0 && this.#numberOf(document) === UNLABELLED) return
    if (labels.length === 0 || !this.#use.isUsed) this.forget()
    this.#use.forget(labels.length > 0)
    this.#documents.drop(document)
    if (labels.length === 0) {
      this.#sql.run('DELETE FROM access WHERE document = ?', document)
      return
    }
    const number = this.#sets.number(labels)
    this.#sql.run(
      'INSERT INTO access (document, label_set) VALUES (?, ?) ON CONFLICT (document) DO UPDATE SET label_set = excluded.label_set WHERE label_set <> excluded.label_set',
      document,
      number,
    )
  }

  /**
   * What may be seen on somebody's behalf; `inherited` as in labels.ts. Nobody sees what is switched off, unless those who may read it
   * should. Undefined: everything. The same asker gets the same sight while nothing is forgotten.
   */
  sight(asker: Asker, inherited: readonly string[] | undefined, { withInactive = false } = {}): NumberedSight | undefined {
    if (asker === 'all' && (withInactive || !this.#use.hasInactive)) return undefined
    const isPlain = !(withInactive ? this.#use.hasLabels : this.#use.isUsed)
    const known = this.#sights.find(
      (one) => one.withInactive === withInactive && sameAsker(one.asker, asker) && sameLabels(one.inherited, inherited),
    )
    if (known && !(isPlain && known.sight.allows(UNLABELLED))) return known.sight
    const reads = reader(asker, inherited)
    if (reads([]) && isPlain) return undefined
    const allows = allowance(this.#sets, reads, { withInactive })
    const sets = this.#sets
    let [checked, whole] = [0, allows(UNLABELLED)]
    const sight: NumberedSight = {
      allows,
      /** By all lists that ever existed: they are numbered from 1 on, and each is checked once. */
      get isWhole() {
        if (whole) for (const upto = sets.last(); checked < upto; ) whole = allows(++checked) && whole
        return whole
      },
      document: (id) => allows(this.#numberOf(id)),
      chunk: (id) => this.#chunkNumbers(id).some(allows),
      derived: (node) => !node.stale && this.#nodeNumbers(node.id).every(allows),
    }
    if (this.#sights.length >= limits.askers) this.#sights.shift()
    this.#sights.push({ asker, withInactive, inherited, sight })
    return sight
  }

  /** How many of all documents may be read. */
  count(sight: NumberedSight, all: number): number {
    return countReadable(this.#sql, sight, all)
  }

  /** Like `listReadable`. */
  readableDocuments(sight: NumberedSight, all: number, max: number): readonly string[] | undefined {
    return listReadable(this.#sql, sight, all, max)
  }

  /** After a patch: `moved` are the chunks of documents that were added, removed or changed. O(what changed, and what is above it). */
  applyChange(change: Changed, moved: readonly string[]): void {
    for (const id of change.dropDocuments) this.#sql.run('DELETE FROM access WHERE document = ?', id)
    this.#forgetOnly(change, moved)
    if (!this.hasRows) return
    for (const id of change.dropNodes) this.#sql.run('DELETE FROM beneath WHERE node = ?', id)
    const open = new Map<string, GraphNode>()
    const look = (id: string): void => {
      const node = this.#graph.node(id)
      if (node && isWritten(node)) open.set(id, node)
    }
    for (const node of change.putNodes) if (isWritten(node)) open.set(node.id, node)
    for (const chunk of new Set(moved)) for (const id of this.#above(chunk)) look(id)
    while (open.size > 0) {
      const layer = Math.min(...[...open.values()].map((node) => node.layer))
      for (const node of [...open.values()].filter((one) => one.layer === layer)) {
        open.delete(node.id)
        if (this.#recount(node)) for (const id of this.#parents(node.id)) look(id)
      }
    }
  }

  /** What the change may have invalidated; everything if labels are unused or were just introduced or removed: no change names what moved then. */
  #forgetOnly(change: Changed, moved: readonly string[]): void {
    const before = this.#use.known
    this.#use.forget()
    if (!before || !this.#use.isUsed) {
      this.forget()
      return
    }
    for (const id of change.dropDocuments) this.#documents.drop(id)
    for (const chunk of moved) this.#chunks.drop(chunk)
    for (const id of change.dropNodes) this.#nodes.drop(id)
  }

  #recount(node: GraphNode): boolean {
    const from = writtenFrom(node)
    const numbers = new Set<number>(from ? [] : [UNKNOWN])
    for (const id of from ?? []) for (const n of kindOf(id) === 'chunk' ? [this.#union(id)] : this.#nodeNumbers(id)) numbers.add(n)
    const sorted = [...numbers].sort((a, b) => a - b)
    const kept = sorted.length > limits.numbers ? [UNKNOWN] : sorted
    const before = this.#nodeNumbers(node.id)
    const now = kept.length === 0 ? [UNLABELLED] : kept
    if (before.length === now.length && before.every((n, i) => n === now[i])) return false
    if (now.length === 1 && now[0] === UNLABELLED) this.#sql.run('DELETE FROM beneath WHERE node = ?', node.id)
    else
      this.#sql.run(
        'INSERT INTO beneath (node, numbers) VALUES (?, ?) ON CONFLICT (node) DO UPDATE SET numbers = excluded.numbers',
        node.id,
        JSON.stringify(now),
      )
    this.#nodes.drop(node.id)
    return true
  }

  /** One list for a chunk: a reader of any of its documents may read it. */
  #union(chunk: string): number {
    const numbers = this.#chunkNumbers(chunk)
    const [only = UNLABELLED] = numbers
    if (numbers.length < 2) return only
    return this.#sets.number(numbers.flatMap((n) => (n === UNLABELLED ? [NONE] : this.#sets.list(n))))
  }

  /** Summaries and communities whose text may have been written from the chunk. */
  #above(chunk: string): readonly string[] {
    const ofEntities = mentionsOf(this.#graph as GraphReader, chunk).flatMap(({ entity }) => this.#parents(entity))
    const reported = ofEntities.filter((id) => texts(this.#graph.node(id)?.data.from).includes(chunk))
    return [...this.#parents(chunk), ...reported]
  }

  #parents(id: string): readonly string[] {
    return this.#graph.edges('member', id).map((edge) => edge.target)
  }

  #listOf(document: string): readonly string[] {
    const number = this.#numberOf(document)
    return number === UNLABELLED ? [] : this.#sets.list(number)
  }

  #numberOf(document: string): number {
    const read = () => this.#sql.one<{ n: number }>('SELECT label_set AS n FROM access WHERE document = ?', document)?.n ?? UNLABELLED
    return remembered(this.#documents, document, read, () => ENTRY)
  }

  #chunkNumbers(chunk: string): readonly number[] {
    return remembered(this.#chunks, chunk, () => this.#sql.all<{ n: number }>(CHUNK_SETS, chunk).map((row) => row.n), bytesOf)
  }

  #nodeNumbers(node: string): readonly number[] {
    const read = (): readonly number[] => {
      const row = this.#sql.one<{ numbers: string }>('SELECT numbers FROM beneath WHERE node = ?', node)
      return row ? (JSON.parse(row.numbers) as number[]) : [UNLABELLED]
    }
    return remembered(this.#nodes, node, read, bytesOf)
  }
}

function isWritten({ kind }: GraphNode): boolean {
  return kind === 'summary' || kind === 'community'
}

const sameAsker = (a: Asker, b: Asker): boolean => a === b || (a !== 'all' && b !== 'all' && sameLabels(a, b))

const bytesOf = (numbers: readonly number[]): number => ENTRY + 8 * numbers.length

function remembered<T>(known: Cache, key: string, read: () => T, bytes: (value: T) => number): T {
  return known.getOrRead(key, read, bytes) as T // the value read is never undefined
}
