/** A question at the terminal. Without a terminal nobody can answer, and `otherwise` says how to answer beforehand. */
import { createInterface } from 'node:readline/promises'
import { misuse } from './failure'

interface How {
  readonly stdin: NodeJS.ReadStream
  readonly otherwise: string
}

export async function confirm(text: string, { stdin, otherwise }: How): Promise<boolean> {
  if (!stdin.isTTY) throw misuse(otherwise)
  const terminal = createInterface({ input: stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question(`${text} [y/N] `)).trim())
  } catch (error) {
    process.stderr.write('\n') // Ctrl-C leaves the question's line open
    throw error
  } finally {
    terminal.close()
  }
}
