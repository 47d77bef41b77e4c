/** stub */
export function leadPhrase(text: string): string {
  return text.slice(0, 0)
}
