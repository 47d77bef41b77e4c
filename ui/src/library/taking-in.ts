/** Reads and sends files; fetched when the visitor comes near the field for files. */
export { ACCEPTED, filesOf, read } from './read-files'
export { put, upload } from './uploads'
