/** What can be done about the findings of a corpus's health. */

/** What to do about a finding that is not good, by its name. */
const TODO: Readonly<Record<string, string>> = {
  'Stale texts': 'Consolidate, under Upkeep, writes them again.',
  Orphans: 'Consolidate, under Upkeep, removes them.',
  Quarantine: 'These documents are still found by their words. A larger text model can usually read the rest.',
  'Texts waiting for a model': 'Loam requests them again automatically. If this lasts, check the model and the budget.',
  Copies: 'Loam sends it within minutes. If this lasts, the vector index or the database below says why.',
  'Vector index': 'Until then, questions use the vectors that the corpus itself holds. Loam tries again automatically.',
  Database: 'Questions are still answered; lists of entities and exports wait. Loam tries again automatically.',
  Storage: 'Delete what you no longer need, or put new documents into a second corpus.',
  Drift: 'Consolidate, under Upkeep, brings the graph up to date.',
  Quality: 'Consolidate, under Upkeep, groups the entities again.',
  'Last gate': 'The graph was left as it was. Checks shows which questions would have found less.',
  Names: 'Reindex, under Upkeep, finds them again.',
  Replies: 'If much remains unread, choose a larger model under Models.',
  Settings: 'A reindex applies them: if none is in progress, start it under Upkeep.',
}

/** `Replies (extract)` → what is done about replies. */
export const todo = (name: string): string | undefined => TODO[name.replace(/ \(.*/, '')]
