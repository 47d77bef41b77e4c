/** `name=value,name=value`, percent-encoded, as in OTEL_EXPORTER_OTLP_HEADERS. */
export function headerPairs(variable: string, text: string): { readonly [name: string]: string } {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=')
    if (pair.trim() === '') return []
    if (at < 1) throw new Error(`${variable} must be name=value pairs with commas between them`)
    return [[pair.slice(0, at).trim().toLowerCase(), decodeURIComponent(pair.slice(at + 1).trim())] as const]
  })
  return Object.fromEntries(pairs)
}
