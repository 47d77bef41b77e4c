/** The object in a model's reply, whatever surrounds it and however malformed it is. */
import { jsonrepair } from 'jsonrepair'
import { invalid } from './faults'

export const MAX_REPLY = 200_000 // characters read in one

/** The first object in a reply, repaired; a `ModelError invalid` if there is none. */
export function parseJson(reply: string): unknown {
  const bare = unfenced(reply.slice(0, MAX_REPLY))
  const start = bare.indexOf('{')
  if (start < 0) throw invalid(bare === '' ? 'empty' : 'form')
  try {
    return JSON.parse(jsonrepair(firstObject(bare.slice(start))))
  } catch {
    throw invalid('form')
  }
}

/** Up to the brace that closes the first; everything if none does. Chatter after an object is not part of it. */
function firstObject(text: string): string {
  let depth = 0
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (match[0] === '{') depth++
    else if (match[0] === '}') depth--
    if (depth === 0) return text.slice(0, match.index + 1)
  }
  return text
}

/** The content of the Markdown fence that some models put around a reply; without one, all of it. */
export function unfenced(reply: string): string {
  const inside = /```[a-z]*\s*\n([\s\S]*?)(?:\n\s*```|$)/i.exec(reply)
  return (inside?.[1] ?? reply).trim()
}
