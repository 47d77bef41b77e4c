/** What may be followed. Separate from the schema, so that code that needs only the names does not load it. */
export const SOURCE_KINDS = ['page', 'sitemap', 'feed', 'github', 'notion', 'slack', 'r2', 's3'] as const
/** Listings of these show the actual contents: what is missing is gone, and its document with it by default. */
export const isBucket = (kind: SourceKind): kind is 'r2' | 's3' => kind === 'r2' || kind === 's3'
export type SourceKind = (typeof SOURCE_KINDS)[number]
