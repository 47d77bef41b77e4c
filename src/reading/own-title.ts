/** The title that a file gives itself, if a person wrote it: programs put “Untitled” or the name of a print job there. */

/** What PDF writers and office programs put there when nobody wrote a title. */
const PLACEHOLDER =
  /^(?:\(?(?:untitled|unnamed|no title|sans titre|ohne titel|sin título|senza titolo|无标题|無題)\)?(?: (?:document|page))?|(?:document|dokument|book|mappe|presentation|präsentation) ?\d+|powerpoint[ -]presentation|powerpoint-präsentation|slide \d+|folie \d+)(?:[ -]?\d+)?$/iu
/** As printers name their jobs: “Microsoft Word - minutes.docx”. */
const JOB = /^microsoft (?:office )?(?:word|excel|powerpoint) - (.+)$/i
const ENDING = /\.(?:docx?|docm|dotx?|rtf|xlsx?|xlsm|pptx?|pptm|odt|pdf)$/i

/** Empty if the title says nothing. */
export function ownTitle(given: string): string {
  const title = given.trim()
  const job = JOB.exec(title)?.[1]
  const named = job === undefined ? title : job.replace(ENDING, '').trim()
  return PLACEHOLDER.test(named) ? '' : named
}
