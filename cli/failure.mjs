/** What a person is told in one line, without a stack. Everything else that is thrown is a defect of ours. */
export class Failure extends Error {
  /** @param {string} message @param {{exit?: number, code?: string, status?: number}} [more] `code` is the service's word for it */
  constructor(message, { exit = 1, code = 'failed', status } = {}) {
    super(message)
    this.name = 'Failure'
    this.exit = exit
    this.code = code
    this.status = status
  }
}

export const misuse = (message) => new Failure(message, { exit: 2, code: 'misused' })
export const interrupted = (message) => new Failure(message, { exit: 130, code: 'interrupted' })

/** What the system refused (no such file, no permission, disk full) is no defect; nor is Ctrl-C at a question. */
export function failureOf(error) {
  if (error?.name === 'AbortError') return interrupted('interrupted')
  return error?.syscall && error.code ? new Failure(error.message, { code: error.code }) : error
}
