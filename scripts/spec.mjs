/** `npm run spec`: puts SPEC.md together from the rooms' rules under docs/spec/. The order is that of a document's life. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOMS = [
  'glossary',
  'text',
  'graph',
  'journey',
  'flows',
  'support',
  'http',
  'access',
  'living',
  'erarag',
  'cluerag',
  'auto',
  'reader',
  'ketrag',
  'archrag',
  'gorag',
  'doors',
  'ui',
  'cli',
  'local',
  'deploy',
]

const HEAD = `# Specification

Numbered rules. A test quotes the id of the rule it proves (\`it('[E4] …')\`); when a test and this document disagree, one of them is wrong.
This file is put together from \`docs/spec/\` by \`npm run spec\`.
`

export function specification(root) {
  const parts = ROOMS.flatMap((room) => {
    try {
      return [readFileSync(join(root, 'docs/spec', `${room}.md`), 'utf8').trim()]
    } catch {
      return []
    }
  })
  // Every room is a section of one document, whatever level its own title has.
  return `${HEAD}\n${parts.map((part) => part.replace(/^#{1,2} /, '## ')).join('\n\n')}\n`
}

if (process.argv[1]?.endsWith('spec.mjs')) writeFileSync(join(process.cwd(), 'SPEC.md'), specification(process.cwd()))
