/** What is done with a corpus as a whole: export, backup, restore, maintenance and moves. */
import type { BackupPart } from './backup-parts'
import { LoamError } from './error'
import { wholeExport } from './export'
import type { CallCorpus, FetchOperation } from './operations'
import type * as t from './types'

export class KeptCorpus {
  readonly #fetch: FetchOperation<'corpus'>
  readonly #call: CallCorpus

  constructor(
    readonly name: string,
    fetch: FetchOperation<'corpus'>,
    call: CallCorpus,
  ) {
    this.#fetch = fetch
    this.#call = call
  }

  /** The body of the answer is the PDF that a document was read from; rejects with `file_not_found` if none is kept. */
  file(id: string): Promise<Response> {
    return this.#fetch('getDocumentFile', { path: { document: id } })
  }

  /** The body of the answer is the export, streamed; the parts of a large one follow each other in it. */
  export(format: 'jsonl' | 'graphml' = 'jsonl'): Promise<Response> {
    return wholeExport((cursor) => this.#fetch('exportCorpus', { query: { format, cursor } }))
  }
  /** The first part of it alone; all there is of most corpora. */
  exportPart(format: 'jsonl' | 'graphml' = 'jsonl'): Promise<Response> {
    return this.#fetch('exportCorpus', { query: { format } })
  }
  /** Everything of the corpus, streamed; `from`: where a backup that was interrupted continues. See `backupParts` for the parts of a file. */
  backup(from?: string): Promise<Response> {
    return wholeExport((cursor) => this.#fetch('backupCorpus', { query: { cursor: cursor ?? from } }))
  }
  /** One part of a backup, in order. Repeating it changes nothing. `replay`: the original corpus, whose later deletions apply here. */
  restorePart(part: string | Uint8Array | Blob, { replay, ...call }: t.RestoreOptions = {}): Promise<t.Restored> {
    return this.#call('restoreCorpus', { query: { replay }, body: part, type: 'application/x-ndjson', ...call })
  }
  /**
   * A complete backup, part by part; those already restored are skipped, so that an interrupted restore continues. `taken` is told after each. Throws where
   * another backup is being restored under this name, and where the parts end before the last.
   */
  async restore(parts: AsyncIterable<BackupPart>, { taken, isNew = false, ...options }: t.WholeRestoreOptions = {}): Promise<t.Restored> {
    const before = isNew ? undefined : await this.#restoredSoFar()
    let said = before
    let isWhole = false
    for await (const part of parts) {
      isWhole = part.cursor === undefined
      if (before && part.number === before.part && part.digest !== before.digest)
        throw new Error(`${this.name}: another backup is being restored under this name, or was`)
      if (!before || part.number > before.part) said = await this.restorePart(part.text, options)
      taken?.(part)
    }
    if (!isWhole || !said || said.status === 'restoring') throw new Error('The end of the backup is missing: taking it was interrupted.')
    return said
  }
  /** Undefined: none is; the first part says what stands in the way. */
  async #restoredSoFar(): Promise<t.Restored | undefined> {
    try {
      return await this.restored()
    } catch (error) {
      if (error instanceof LoamError && error.status === 404) return undefined
      throw error
    }
  }
  /** How far a backup has come back, and which secrets are to be entered again. */
  restored(): Promise<t.Restored> {
    return this.#call('getRestore')
  }
  /** What restoring it to a moment in the last 30 days would mean. Changes nothing. */
  recoveryEstimate(time: string): Promise<t.RecoveryEstimate> {
    return this.#call('restoreCorpusTo', { body: { time } })
  }
  /**
   * Restores it; `confirm` comes from the estimate for the same time. It answers nothing until `recovery` says `restored`, or `refused`: then it is as it
   * was.
   */
  restoreTo(recovery: Required<t.NewRecovery>): Promise<t.Recovery> {
    return this.#call('restoreCorpusTo', { body: recovery })
  }
  /** The progress of the current or last restore; reading it moves the restore forward. */
  recovery(): Promise<t.Recovery> {
    return this.#call('getRestoreTo')
  }
  /** Whole-corpus work; a job. */
  upkeep(action: 'reindex' | 'consolidate' | 'rebuild'): Promise<t.Accepted> {
    return this.#call(`${action}Corpus`, { body: {} })
  }
  /** Detects the languages of documents indexed before Loam recorded them; a job. After a stop it continues with what is left. */
  detectLanguages(): Promise<t.Accepted> {
    return this.#call('detectLanguages')
  }

  /** Kinds of entities and relations for `settings.extraction.ontology`, from a sample of its texts. Sets nothing. */
  proposeOntology(how: t.ProposeOntology = {}): Promise<t.OntologyProposal> {
    return this.#call('proposeOntology', { body: how })
  }
  /** Words and worked examples for `settings.extraction.guidance` and `.examples`, from a sample of its texts, by the text model. Sets nothing. */
  proposeGuidance(how: t.ProposeGuidance = {}): Promise<t.GuidanceProposal> {
    return this.#call('proposeGuidance', { body: how })
  }

  /** What moving it to another embedding model costs, and its progress. */
  migration(to?: string): Promise<t.Migration> {
    return this.#call('getMigration', { query: { embedding_model: to } })
  }
  /** Moves it, in place; a job. */
  migrate(to?: string): Promise<t.Accepted> {
    return this.#call('migrateCorpus', { body: to === undefined ? {} : { embedding_model: to } })
  }
  /** What another number of partitions would write and cost, and the job that is changing it. */
  repartitionEstimate(partitions: number): Promise<t.RepartitionEstimate> {
    return this.#call('getRepartition', { query: { partitions: String(partitions) } })
  }
  /** Divides it, or gives it another number of partitions, in place; a job. `strategies`: those that it keeps, if it has none yet. */
  repartition(partitions: number, strategies?: readonly string[]): Promise<t.Accepted> {
    return this.#call('repartitionCorpus', { body: { partitions, ...(strategies ? { strategies } : {}) } })
  }
}
