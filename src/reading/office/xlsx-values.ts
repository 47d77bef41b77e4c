/** What a cell shows: numbers without the noise of binary fractions, dates and percentages by the cell's format. */
import { attribute, readXml } from './xml'

const DAY = 86_400_000 // ms
const EPOCH_1900 = Date.UTC(1899, 11, 30) // Excel counts a 29 February 1900, which did not exist; from March 1900 on this is right
const EPOCH_1904 = Date.UTC(1904, 0, 1)
const MAX_SERIAL = 2_958_466 // the year 10000

export interface Formats {
  readonly epoch: number
  /** By the index that cells refer to. */
  readonly kinds: readonly ('plain' | 'date' | 'percent')[]
}

export function dateFormats(styles: string | undefined, is1904: boolean): Formats {
  const codes = new Map<string, string>()
  const kinds: ('plain' | 'date' | 'percent')[] = []
  let isOfCells = false
  readXml(styles ?? '', {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(attribute(attributes, 'numFmtId') ?? '', attribute(attributes, 'formatCode') ?? '')
      else if (name === 'cellXfs') isOfCells = true
      else if (name === 'xf' && isOfCells) {
        const id = attribute(attributes, 'numFmtId') ?? '0'
        kinds.push(kindOf(Number(id), codes.get(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  return { epoch: is1904 ? EPOCH_1904 : EPOCH_1900, kinds }
}

function kindOf(id: number, code: string | undefined): 'plain' | 'date' | 'percent' {
  if (code === undefined) {
    if (id === 9 || id === 10) return 'percent'
    return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58) ? 'date' : 'plain'
  }
  const bare = code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  if (/[ymdhs]/i.test(bare) && !/^general$/i.test(bare)) return 'date'
  return bare.includes('%') ? 'percent' : 'plain'
}

/** `type`: the cell's own; shared strings are resolved elsewhere. */
export function cellValue(value: string, type: string, style: string, { epoch, kinds }: Formats): string {
  if (type === 'b') return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value
  if (type !== 'n' || value.trim() === '') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  const kind = kinds[Number(style)] ?? 'plain'
  if (kind === 'date' && number >= 0 && number < MAX_SERIAL) return dateOf(number, epoch)
  return kind === 'percent' ? `${rounded(number * 100)}%` : rounded(number)
}

const rounded = (number: number): string => String(Number(number.toPrecision(15)))

function dateOf(serial: number, epoch: number): string {
  const iso = new Date(epoch + Math.round(serial * DAY)).toISOString()
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 16)]
  if (serial < 1) return time
  return Number.isInteger(serial) ? date : `${date} ${time}`
}
