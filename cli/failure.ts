/** What is reported in one line, without a stack trace. Everything else that is thrown is a bug of ours, or of what answered instead of Loam. */
import { LoamError } from '../src/client/client'
import { version } from './version'

interface More {
  readonly exit?: number
  /** The service's word for it. */
  readonly code?: string
  readonly status?: number | undefined
}

export class Failure extends Error {
  readonly exit: number
  readonly code: string
  readonly status: number | undefined

  constructor(message: string, { exit = 1, code = 'failed', status }: More = {}) {
    super(message)
    this.name = 'Failure'
    this.exit = exit
    this.code = code
    this.status = status
  }
}

export const misuse = (message: string) => new Failure(message, { exit: 2, code: 'misused' })
export const interrupted = (message: string) => new Failure(message, { exit: 130, code: 'interrupted' })

/** What the system refused (no such file, no permission, disk full) is not a bug; nor is Ctrl-C at a question. Undefined: it is a bug. */
export function toFailure(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error
  if (error instanceof LoamError) return refusalOf(error)
  if (!(error instanceof Error)) return undefined
  if (error.name === 'AbortError') return interrupted('interrupted')
  const { syscall, code } = error as NodeJS.ErrnoException
  return syscall && code ? new Failure(error.message, { code }) : undefined
}

/** Reported in one line, too: a user has no use for the place in our code. */
export function defectOf(error: unknown): Failure {
  const { message, name } = error instanceof Error ? error : { message: String(error), name: '' }
  const said = `this should not have happened: ${message || name}\nIf what answered is Loam, it is a defect of loam ${version}; LOAM_DEBUG=1 shows where.`
  return new Failure(said, { code: 'defect' })
}

const MAX_FAULTS = 5 // of a request, shown at once
const NO_KEY = '\nName a key: --key, LOAM_KEY or `loam init`.'
const HINTS: { readonly [code: string]: string } = {
  unauthorized: NO_KEY,
  corpus_not_found: '\n`loam status` lists the corpora.',
  not_loam: '\nIs that the address? --url, LOAM_URL or `loam init`.',
  over_budget: '\n`loam budget` and `loam keys usage` show what is left.',
}
/** The service says how to enable it by its own call; at a terminal that is one command. */
const ENABLE = /PUT \/v1\/corpora\/(?<corpus>[\w.-]+) \{"strategies":\[(?<strategies>[^\]]*)\]\}/
const NOT_HERE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'])

function refusalOf({ code: known, status, message, more }: LoamError): Failure {
  const { service = '', path = '' } = more.call ?? {}
  if (known === 'unreachable') {
    const reason = reasonOf(more.cause) ?? ''
    return new Failure(`no answer from ${service} (${reason})${NOT_HERE.has(reason) ? adviceFor(service) : ''}`, { code: known })
  }
  const isNamed = known !== 'unknown'
  const code = isNamed ? known : `http_${status}`
  const text = isNamed ? message : `${status} at ${path.split('?')[0]}`
  const faults = (more.errors ?? []).slice(0, MAX_FAULTS).map(({ path: at, message: fault }) => `\n  ${at}: ${fault}`)
  const hint = HINTS[code] ?? enablingHint(message) ?? (status === 401 ? NO_KEY : '')
  return new Failure(`${text} (${code})${faults.join('')}${hint}`, { code, status })
}

function enablingHint(message: string): string | undefined {
  const { corpus, strategies } = ENABLE.exec(message)?.groups ?? {}
  return corpus && strategies && `\nAt a terminal: loam init ${corpus} --strategies ${strategies.replaceAll('"', '')}`
}

/** On this machine Loam can be started; elsewhere the address may be wrong. */
function adviceFor(service: string): string {
  const isHere = URL.canParse(service) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(service).hostname)
  return isHere
    ? '\nStart Loam: npm start, or loam start. Elsewhere? --url, LOAM_URL or `loam init`.'
    : '\nIs that the address? --url, LOAM_URL or `loam init`.'
}

interface Cause {
  readonly code?: string
  readonly message?: string
  readonly cause?: Cause
}

/** Of a `fetch` that failed: what the connection failed with. */
function reasonOf(error: unknown): string | undefined {
  const { cause, message } = (error ?? {}) as Cause
  return cause?.code ?? cause?.message ?? message
}
