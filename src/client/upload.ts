/** What is said of a file that is uploaded. */
export interface Upload {
  /** The media type: `text/html`, `application/pdf`, that of Word … `mediaTypeByName` knows them by a file’s name. */
  readonly type: string
  /** Default: what the file calls itself. */
  readonly title?: string | undefined
  /** Where it comes from. */
  readonly url?: string | undefined
  /** Labels: who may read it. Default: as before. */
  readonly access?: readonly string[] | undefined
}
