/** What `ask` and `search` send, from the command line. */
import type { Search } from '../src/client/client'
import type { Values } from './command'
import { misuse } from './failure'
import type { question } from './options'

export function readQuestion(values: Values<typeof question>, positionals: readonly string[]): Search {
  const query = positionals.join(' ').trim()
  if (query === '') throw misuse('what is the question?')
  return {
    query,
    ...(values.strategy ? { strategy: values.strategy } : {}),
    ...(values.top ? { top_k: wholeNumber('top', values.top) } : {}),
    ...(values.budget ? { token_budget: wholeNumber('budget', values.budget) } : {}),
    ...(values['min-version'] ? { min_version: wholeNumber('min-version', values['min-version']) } : {}),
    ...(values.filter ? { filters: { metadata: readFilters(values.filter) } } : {}),
  }
}

/** Several values of one key: any of them. A whole number may stand in the metadata as a number or as text. */
function readFilters(filters: readonly string[]): { [key: string]: (string | number)[] } {
  const metadata: { [key: string]: (string | number)[] } = {}
  for (const filter of filters) {
    const at = filter.indexOf('=')
    if (at < 1) throw misuse(`--filter ${filter}: say key=value`)
    const [key, value] = [filter.slice(0, at), filter.slice(at + 1)]
    metadata[key] = [...(metadata[key] ?? []), value, ...(/^-?\d{1,15}$/.test(value) ? [Number(value)] : [])]
  }
  return metadata
}

export function wholeNumber(name: string, text: string, min = 1): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < min) throw misuse(`--${name} ${text}: say a whole number, at least ${min}`)
  return value
}
