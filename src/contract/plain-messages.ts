/**
 * What is said of a value that does not fit its schema, wherever it is checked: what it must be, in words that go on after the name of
 * the field. A schema's own message goes first.
 */
import { z } from 'zod'
import { enumerate } from './enumerated'
import { unknownNames } from './nearest'

type Issue = z.core.$ZodIssue
type Raw = z.core.$ZodRawIssue
type Of<Code extends Raw['code']> = Extract<Raw, { readonly code: Code }>

z.config({ customError: plainMessage })

function plainMessage(issue: Raw): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(issue.expected, issue.input)
    case 'invalid_value':
      return `must be ${oneOf(issue.values.map((value) => JSON.stringify(value)))}`
    case 'too_small':
    case 'too_big':
      return boundMessage(issue)
    case 'invalid_format':
      return formatMessage(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return unknownNames(issue.path ?? [], issue.keys, []).join('\n')
    case 'invalid_key':
      return 'has a name that is not allowed'
    case 'invalid_union':
      return unionMessage(issue)
    default:
      return 'has a value that is not allowed'
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function typeMessage(expected: string, input: unknown): string {
  const wanted = KINDS[expected] ?? expected
  if (input === undefined) return `is required: ${wanted}`
  const given = KINDS[input === null ? 'null' : Array.isArray(input) ? 'array' : typeof input]
  const isOfKind = given === wanted || (expected === 'int' && typeof input === 'number')
  return given === undefined || isOfKind
    ? `must be ${wanted}`
    : `must be ${wanted}, not ${typeof input === 'boolean' ? String(input) : given}`
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  tuple: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['entry', 'entries'],
  object: ['member', 'members'],
  record: ['member', 'members'],
}

function boundMessage(issue: Of<'too_small'> | Of<'too_big'>): string {
  const isSmall = issue.code === 'too_small'
  const bound = isSmall ? issue.minimum : issue.maximum
  const unit = UNITS[issue.origin]
  const isOpen = issue.inclusive === false && !issue.exact
  const words = isOpen ? (isSmall ? 'more than' : 'less than') : issue.exact ? 'exactly' : isSmall ? 'at least' : 'at most'
  if (!unit) return `must be ${words} ${bound}`
  if (isSmall && !isOpen && Number(bound) === 1) return 'must not be empty'
  return `must have ${words} ${bound} ${Number(bound) === 1 ? unit[0] : unit[1]}`
}

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'a time in ISO 8601, such as 2024-05-01T09:00:00Z',
  date: 'a date, such as 2024-05-01',
  url: 'an absolute URL',
  email: 'an e-mail address',
  base64: 'in base64',
}

function formatMessage({ format, pattern, prefix, suffix, includes }: Of<'invalid_format'>): string {
  if (prefix !== undefined) return `must begin with ${String(prefix)}`
  if (suffix !== undefined) return `must end with ${String(suffix)}`
  if (includes !== undefined) return `must contain ${String(includes)}`
  const known = FORMATS[format]
  return known ? `must be ${known}` : `must match ${String(pattern)}`
}

const MUST = /^(?:must be|is required:) (.+?)(?:, not (?:an? \w+|true|false|null))?$/s

function unionMessage({ errors = [], options, inst }: Of<'invalid_union'>): string {
  if (errors.length > 0) return `must be ${enumerate([...new Set((errors as readonly (readonly Issue[])[]).flatMap(formsOf))], 'or')}`
  const listed = Array.isArray(options) ? options : []
  if (listed.length > 0) return `must be ${oneOf(listed.map((value) => JSON.stringify(value)))}`
  return inst ? 'fits more than one of the forms allowed here' : 'has a value that is not allowed'
}

/** `a string`, `a list` …: what the form would have been, or its objection to the value. */
function formsOf(form: readonly Issue[]): readonly string[] {
  return form.flatMap((issue) => (issue.code === 'invalid_union' ? issue.errors.flatMap(formsOf) : formIn(issue.message)))
}

/** A list of three reads better with `true, false` than with `true or false`. */
function formIn(message: string): readonly string[] {
  const form = MUST.exec(message)?.[1] ?? message
  return form === KINDS.boolean ? ['true', 'false'] : [form]
}

const oneOf = (values: readonly string[]): string => (values.length === 1 ? (values[0] ?? '') : `one of ${values.join(', ')}`)
