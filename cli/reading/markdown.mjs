/** Markdown and plain text. The title is the front matter's, else the first heading's; front matter is no part of the text. */
const FRONT = /^---\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/
const TITLE = /^title:[ \t]*(.+?)[ \t]*$/m
const HEADING = /^#{1,2}[ \t]+(.+?)[ \t#]*$/m
const LONGEST = 300 // characters of a title

export function markdown(text) {
  const front = FRONT.exec(text)
  const body = front ? text.slice(front[0].length) : text
  const title = TITLE.exec(front?.[1] ?? '')?.[1]?.replace(/^(["'])(.*)\1$/, '$2') ?? HEADING.exec(body)?.[1]
  return { text: body, ...(title ? { title: title.slice(0, LONGEST) } : {}) }
}

export const plain = (text) => ({ text })
