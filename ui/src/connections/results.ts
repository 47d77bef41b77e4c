/** How a call ended, in words. Codes that the API may add later are shown unchanged. */
const WORDS: Readonly<Record<string, string>> = {
  changed: 'changed',
  unchanged: 'unchanged',
  listed: 'nothing new',
  not_listed: 'no longer listed',
  trash: 'it is in the trash',
  not_a_sitemap: 'this is not a sitemap',
  not_a_feed: 'this is not a feed',
  behind: 'GitHub returned older content',
  rate_limited: 'the request limit is reached',
  no_object: 'the object is gone',
  no_bucket: 'no bucket of this name is bound',
  archive: 'an archive, which is not unpacked in a corpus in partitions',
  redirect_origin: 'it leads to another site',
  type: 'this kind of file is not supported',
  too_large: 'too large',
  encrypted: 'it has a password',
  blank: 'it contains no text',
  unreadable: 'it cannot be read',
  no_credential: 'it has no token or key',
  master_key_changed: 'its token was sealed under another master key',
  robots: 'robots.txt forbids it',
  missing_scope: 'the app lacks a scope',
  not_in_channel: 'the bot is not in the channel',
  channel_not_found: 'Slack has no such channel for this bot',
  invalid_auth: 'Slack does not accept the token',
  slack_error: 'Slack refused without a known reason',
  timeout: 'no answer in time',
  dns: 'its host name does not exist',
  refused_private: 'it leads into a private network',
  over_budget: 'the budget does not cover it',
  corpus_full: 'the corpus is full',
  database_full: 'the database of the corpus is full',
  index_full: 'the vector index is full',
}

export function resultWord(result: string | null): string {
  if (result === null) return ''
  const [, status] = /^http_(\d+)$/.exec(result) ?? []
  return status ? `answered ${status}` : (WORDS[result] ?? result.replaceAll('_', ' '))
}

/** What can be done about it; empty: nothing but waiting. */
const ADVICE: Readonly<Record<string, string>> = {
  robots: 'Ask the site’s owner to allow “loam”.',
  not_a_sitemap: 'Enter the address of its XML.',
  not_a_feed: 'Enter the address of its RSS or Atom.',
  over_budget: 'Raise the budget.',
  refused_scheme: 'Use its https address.',
  no_bucket: 'Bind it in wrangler.toml and deploy.',
  archive: 'Import it, or put what it contains in the bucket.',
  no_credential: 'Add one with “New token”.',
  master_key_changed: 'Replace it with “New token”.',
  http_401: 'Its token is no longer valid.',
  missing_scope: 'Give the app channels:history and install it again.',
  not_in_channel: 'Invite the bot into the channel.',
  channel_not_found: 'Check the link of the channel, and invite the bot.',
  invalid_auth: 'Replace it with “New token”.',
  too_large: 'Split it, or leave it out by its path.',
  type: 'Leave it out by its path.',
}

export const advice = (result: string | null): string => ADVICE[result ?? ''] ?? ''
