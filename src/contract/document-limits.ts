/** How much a document may contain. Separate from the schemas, so that code that needs only a number does not load them. */
export const MAX_TEXT = 1024 * 1024 // bytes of UTF-8, so that no text has more UTF-16 units either
export const MAX_ID = 256 // bytes of UTF-8
export const MAX_TITLE = 1000 // characters
export const MAX_METADATA = 16 * 1024 // bytes of JSON: it is kept in several places and filtered by
export const MAX_FILES = 2 * 1024 * 1024 * 1024 // bytes of files that a corpus keeps beside its texts
export const FILE_TYPE = 'application/pdf' // of the files that are kept
export const MAX_BATCH = 1000 // documents of one call
