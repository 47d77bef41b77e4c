/** What a person is told in one line, without a stack. Everything else that is thrown is a defect of ours. */
export class Failure extends Error {
  /** @param {string} message @param {{exit?: number, code?: string, status?: number}} [more] `code` is the service's word for it */
  constructor(message, { exit = 1, code, status } = {}) {
    super(message)
    this.name = 'Failure'
    this.exit = exit
    this.code = code
    this.status = status
  }
}

export const misuse = (message) => new Failure(message, { exit: 2 })
export const interrupted = (message) => new Failure(message, { exit: 130 })
