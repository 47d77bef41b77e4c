/** What may be followed. Apart from the schema, so that what needs only the names does not load it. */
export const SOURCE_KINDS = ['page', 'sitemap', 'feed', 'github', 'notion', 'r2', 's3'] as const
/** Whoever reads them finds them as they are: what is not there is gone, and its document with it unless told otherwise. */
export const isBucket = (kind: SourceKind): kind is 'r2' | 's3' => kind === 'r2' || kind === 's3'
export type SourceKind = (typeof SOURCE_KINDS)[number]
