/** What is known about an uploaded file. */
export interface Upload {
  /** The media type: `text/html`, `application/pdf`, that of Word … `mediaTypeByName` knows them by a file’s name. */
  readonly type: string
  /** Default: the file's own title. */
  readonly title?: string | undefined
  /** Where it comes from. */
  readonly url?: string | undefined
  /** Labels: who may read it. Default: as before. */
  readonly access?: readonly string[] | undefined
}
