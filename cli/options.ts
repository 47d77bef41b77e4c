/** Options that several commands take. */
import { flag, text } from './command'
import { askable, namesToAskWith } from './strategy-names'

export const service = {
  url: text('where Loam is (LOAM_URL; http://127.0.0.1:8787)'),
  key: text('the key (LOAM_KEY)'),
}

export const corpus = {
  corpus: text('which corpus (LOAM_CORPUS; the one of `loam init`; the only one there is)', { short: 'c' }),
}

export const asker = {
  as: text(
    'ask on behalf of somebody: principals, separated by commas (group:finance,user:ana@example.org); needs a key with access_choose, or an admin key',
  ),
}

export const question = {
  corpus: text('which corpus, or several separated by commas (LOAM_CORPUS; the one of `loam init`; the only one there is)', { short: 'c' }),
  strategy: text(askable(), { short: 's', suggested: namesToAskWith() }),
  top: text('how many pieces of evidence', { short: 'k' }),
  budget: text('at most this many tokens of evidence'),
  expand: text('how a text model expands the question first: into its parts, or into a passage that might answer it', {
    choices: ['none', 'decompose', 'hyde'],
  }),
  granularity: text('how much of a document a piece of evidence is', { choices: ['passage', 'chunk', 'document'] }),
  neighbours: text('how many passages to give before and after each piece'),
  filter: text('key=value of the metadata, also !=, >=, >, <= and <; may be repeated', { multiple: true }),
  language: text('only documents in this language (de); may be repeated', { multiple: true }),
  saved: text('a saved filter (`loam filters`); may be repeated', { multiple: true }),
  boost: text('key=value:factor of the metadata: a match multiplies the score by the factor; may be repeated', { multiple: true }),
  facet: text('a key of the metadata: count results by its values; may be repeated', { multiple: true }),
  'as-of': text('only documents in force on this date (2024-05-01)'),
  since: text('only documents published on this date or later'),
  until: text('only documents published on this date or earlier'),
  freshness: text('how much newer documents are preferred: 0 (not at all) to 1'),
  'min-version': text('wait for this version of the corpus'),
  ...asker,
}

export const intake = {
  ...corpus,
  estimate: flag('only show what it would cost'),
  yes: flag('do not ask before spending money', { short: 'y' }),
  parallel: text('batches in flight at a time (4)'),
  wait: text('what to wait for: indexed (default) or accepted', { choices: ['indexed', 'accepted'] }),
  base: text('folder the document ids are relative to (the current one)'),
  prefix: text('a prefix for every id'),
}
