/** A quote for a card: rows of a table as words. */
import { rowInWords } from '../../../src/core/text/table-row'

export const quoteInWords = (quote: string): string => quote.split('\n').map(rowInWords).join('\n')
