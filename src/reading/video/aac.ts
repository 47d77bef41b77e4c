/** What AAC says of itself before its first packet (AudioSpecificConfig, ISO/IEC 14496-3). */
const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]
const OWN_RATE = 15 // the rate itself follows
const LONG_TYPE = 31 // the type itself follows
const WITH_MORE: ReadonlySet<number> = new Set([5, 29]) // high efficiency: the type of its core follows
const PACKET = 1024 // samples of a packet
const SHORT_PACKET = 960

export interface AacConfig {
  /** Of the core: what makes more of it (high efficiency) doubles rate and samples alike. */
  readonly rate: number
  /** 0: it says so elsewhere. */
  readonly channels: number
  /** Samples of a packet. */
  readonly samples: number
}

/** Null: it is none. */
export function aacConfigOf(config: Uint8Array): AacConfig | null {
  const bits = bitsOf(config)
  const typeAt = (): number => {
    const type = bits(5)
    return type === LONG_TYPE ? 32 + bits(6) : type
  }
  const rateAt = (): number => {
    const index = bits(4)
    return index === OWN_RATE ? bits(24) : (RATES[index] ?? 0)
  }
  const type = typeAt()
  const rate = rateAt()
  const channels = bits(4)
  if (WITH_MORE.has(type)) {
    rateAt()
    typeAt()
  }
  const samples = bits(1) === 1 ? SHORT_PACKET : PACKET
  return config.length < 2 || type === 0 || rate === 0 ? null : { rate, channels: channels === 7 ? 8 : channels, samples }
}

/** Zeros behind the end. */
function bitsOf(bytes: Uint8Array): (count: number) => number {
  let at = 0
  return (count) => {
    let value = 0
    for (let n = 0; n < count; n++, at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
}
