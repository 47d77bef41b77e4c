/** What may be followed. Apart from the schema, so that what needs only the names does not load it. */
export const SOURCE_KINDS = ['page', 'sitemap', 'feed', 'github'] as const
export type SourceKind = (typeof SOURCE_KINDS)[number]
