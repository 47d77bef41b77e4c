/** What a job is for, in everyday words: for a change already made, and for the work itself. */
interface Words {
  readonly done: string
  readonly work: string
}

const WORDS: Readonly<Record<string, Words>> = {
  ingest: { done: 'added', work: 'a document' },
  batch: { done: 'added as a batch', work: 'a batch of documents' },
  delete: { done: 'forgotten', work: 'a deletion' },
  reindex: { done: 'derived again', work: 'reindex' },
  restore: { done: 'restored', work: 'restoring' },
  rebuild: { done: 'derived again', work: 'rebuild' },
  migrate: { done: 'moved to another embedding model', work: 'move to another embedding model' },
  languages: { done: 'languages detected', work: 'language detection' },
  repartition: { done: 'divided anew', work: 'another number of partitions' },
  consolidate: { done: 'consolidated', work: 'consolidation' },
}

export const doneWord = (kind: string): string => WORDS[kind]?.done ?? kind
export const workWord = (kind: string): string => WORDS[kind]?.work ?? kind
