/** Why the pages of a file cannot be shown, in one sentence. */
import { messageOf } from '../shared/advice'
import { isStatus } from '../shared/loam'

export function whyNoPages(fault: unknown): string {
  const name = fault instanceof Error ? fault.name : ''
  if (isStatus(fault, 404)) return 'The file is no longer kept.'
  if (fault instanceof RangeError) return 'The file is too large to be shown here.'
  if (name === 'PasswordException') return 'The file asks for a password.'
  if (name === 'InvalidPDFException') return 'The file is damaged.'
  return fault instanceof Error && name === 'LoamError' ? messageOf(fault) : 'The file could not be drawn.'
}
