/** The form of prompt that a corpus's extractions have, as its settings name it with the models (`indexingWriters`, flows/writers.ts). */
import type { Settings } from '../settings'
import type { Form } from './rates'

const ROLE = 'extract='

export function extractionForm({ models }: Pick<Settings, 'models'>): Form {
  const words = models.split(' ')
  const writer = words.find((word) => word.startsWith(ROLE)) ?? words[1] ?? ''
  return writer.endsWith('/short') ? 'short' : 'full'
}
