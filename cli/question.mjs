/** A question at the terminal. Without a terminal nobody can answer, and the caller is told how to say it beforehand. */
import { createInterface } from 'node:readline/promises'
import { misuse } from './failure.mjs'

export async function agreed(text, { stdin, otherwise }) {
  const answer = await answered(`${text} [y/N] `, { stdin, otherwise })
  return /^y(es)?$/i.test(answer)
}

export async function answered(text, { stdin, otherwise }) {
  if (!stdin.isTTY) throw misuse(otherwise)
  const terminal = createInterface({ input: stdin, output: process.stderr })
  try {
    return (await terminal.question(text)).trim()
  } catch (error) {
    process.stderr.write('\n') // Ctrl-C leaves the question's line open
    throw error
  } finally {
    terminal.close()
  }
}
