/** `MODEL_SLOTS`: how many calls of one model the account makes at once, e.g. `24` or `24 @cf/baai/bge-m3=48`. */
const DEFAULT = 24 // at some five seconds a call, the 300 calls a minute that Workers AI allows for text models
const MOST = 1000

/** A bad value is an error that names the variable. */
export function capacityOf(text: string | undefined): (model: string) => number {
  const [general, ...single] = (text?.trim() || String(DEFAULT)).split(/[\s,]+/)
  const all = whole(general)
  const own = new Map(
    single.map((entry) => {
      const at = entry.lastIndexOf('=')
      return [entry.slice(0, at), whole(entry.slice(at + 1))] as const
    }),
  )
  return (model) => own.get(model) ?? all
}

function whole(text: string | undefined): number {
  const number = Number(text)
  if (text !== '' && Number.isInteger(number) && number >= 1 && number <= MOST) return number
  throw new Error(`MODEL_SLOTS must be a whole number from 1 to ${MOST}, and <model>=<number> for models of their own`)
}
