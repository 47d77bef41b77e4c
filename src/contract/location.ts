/** Where a text is in the file its document was read from. */
import { z } from 'zod'
import { count } from './fields'

export const location = {
  page: count.optional().describe('The page of the PDF.'),
  slide: count.optional(),
  section: z.array(z.string()).optional().describe('The headings above it, outermost first.'),
  cells: z
    .string()
    .optional()
    .describe('A range of the sheet (`A2:D21`; the sheet’s name is in `section`), or the number of a notebook’s cell.'),
  line: count.optional().describe('The line of the file.'),
  seconds: z.number().optional().describe('The time in the recording.'),
  described: z
    .literal(true)
    .optional()
    .describe('The text is what a model reads in a picture or a scan, its description, or its transcript of a recording.'),
  link: z.string().optional().describe('`url` with the place in it: `#page=7`, `#t=83`, `#L12`.'),
}
