/** What `ask` and `search` send, from the command line. */
import { misuse } from './failure.mjs'

export function requestOf(values, positionals) {
  const query = positionals.join(' ').trim()
  if (query === '') throw misuse('what is the question?')
  return {
    query,
    ...(values.strategy ? { strategy: values.strategy } : {}),
    ...(values.top ? { top_k: wholeNumber('top', values.top) } : {}),
    ...(values.budget ? { token_budget: wholeNumber('budget', values.budget) } : {}),
    ...(values['min-version'] ? { min_version: wholeNumber('min-version', values['min-version']) } : {}),
    ...(values.filter ? { filters: { metadata: metadataOf(values.filter) } } : {}),
  }
}

/** Several values of one key: any of them. A whole number may stand in the metadata as a number or as text. */
function metadataOf(filters) {
  const metadata = {}
  for (const filter of filters) {
    const at = filter.indexOf('=')
    if (at < 1) throw misuse(`--filter ${filter}: say key=value`)
    const [key, value] = [filter.slice(0, at), filter.slice(at + 1)]
    metadata[key] = [...(metadata[key] ?? []), value, ...(/^-?\d{1,15}$/.test(value) ? [Number(value)] : [])]
  }
  return metadata
}

export function wholeNumber(name, text, least = 1) {
  const value = Number(text)
  if (!Number.isInteger(value) || value < least) throw misuse(`--${name} ${text}: say a whole number, at least ${least}`)
  return value
}
