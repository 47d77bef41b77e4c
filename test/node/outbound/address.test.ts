/** Which addresses are called. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPublic, parseTarget } from '../../../src/outbound/address'
import { type Network, reach } from '../../../src/outbound/reach'

const strict = { anywhere: false }
const may = (url: string): boolean => parseTarget(url, strict) instanceof URL

/** IANA's special-purpose registry, written again: address, prefix length. */
const SPECIAL: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const dotted = (n: number): string => [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.')
const special = (n: number): boolean =>
  SPECIAL.some(([from, bits]) => Math.floor(n / 2 ** (32 - bits)) === Math.floor(numberOf(from) / 2 ** (32 - bits)))
const address = fc.oneof(
  fc.nat({ max: 2 ** 32 - 1 }),
  fc
    .tuple(fc.constantFrom(...SPECIAL), fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }))
    .map(([[from, bits], at]) => numberOf(from) + Math.floor(at * 2 ** (32 - bits))),
)
const hex = (n: number): string => n.toString(16)

/** Every way a browser would accept to write it. */
function spellings(n: number): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = dotted(n).split('.').map(Number)
  return [
    dotted(n),
    `${n}`,
    `0x${hex(n)}`,
    `0${n.toString(8)}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${hex(a)}.0${b.toString(8)}.${c}.${d}`,
    `${dotted(n)}.`,
  ]
}

describe('addresses', () => {
  it('[V40] no spelling of an address that is not of the public internet is called, and any that is, is', () => {
    fc.assert(
      fc.property(address, (n) => {
        for (const spelling of spellings(n)) expect([spelling, may(`https://${spelling}/x`)]).toEqual([spelling, !special(n)])
      }),
      { seed: 60, numRuns: 2000 },
    )
  })

  it('[V40] an IPv4 address inside an IPv6 one is never called, whatever it is', () => {
    const within = (n: number): string[] => {
      const [high, low] = [hex(Math.floor(n / 65536)), hex(n % 65536)]
      return [
        `::ffff:${dotted(n)}`,
        `::${dotted(n)}`,
        `64:ff9b::${dotted(n)}`,
        `64:ff9b:1::${dotted(n)}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::1`,
      ]
    }
    fc.assert(
      fc.property(address, (n) => {
        for (const one of within(n)) expect([one, may(`https://[${one}]/`), isPublic(one)]).toEqual([one, false, false])
      }),
      { seed: 60, numRuns: 1000 },
    )
  })

  it('[V40] of IPv6 only what is assigned for public unicast is called', () => {
    const groups = fc.array(fc.nat({ max: 0xffff }), { minLength: 7, maxLength: 7 })
    fc.assert(
      fc.property(fc.nat({ max: 0xffff }), groups, (first, rest) => {
        const text = [first, ...rest].map(hex).join(':')
        if (first >> 13 !== 1) expect([text, isPublic(text)]).toEqual([text, false])
        else if (first > 0x2003 && first < 0x2600) expect([text, isPublic(text)]).toEqual([text, true])
      }),
      { seed: 60, numRuns: 3000 },
    )
    for (const inside of ['::1', '::', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '2001:db8::1', '100::1', 'fec0::1']) {
      expect([inside, may(`https://[${inside}]/`)]).toEqual([inside, false])
    }
    expect(may('https://[2606:4700:4700::1111]/')).toBe(true)
  })

  it('[V40] names that lead inside by convention, other schemes, credentials and ports of other protocols are refused', () => {
    const refused = {
      'http://example.org/': 'scheme',
      'ftp://example.org/': 'scheme',
      'file:///etc/passwd': 'scheme',
      'https://a:b@example.org/': 'credentials',
      'https://example.org:25/': 'port',
      'https://localhost/': 'private',
      'https://LOCALHOST./': 'private',
      'https://a.localhost/': 'private',
      'https://metadata/': 'private',
      'https://metadata.google.internal/': 'private',
      'https://printer.local/': 'private',
      'https://router.home.arpa/': 'private',
      'example.org': 'not_a_url',
      [`https://example.org/${'x'.repeat(3000)}`]: 'not_a_url',
    }
    for (const [url, why] of Object.entries(refused)) expect([url, parseTarget(url, strict)]).toEqual([url, why])
    for (const url of ['https://example.org/', 'https://example.org:8443/a?b#c', 'https://xn--bcher-kva.example/'])
      expect([url, may(url)]).toEqual([url, true])
    expect(parseTarget('http://127.0.0.1:8080/', { anywhere: true })).toBeInstanceOf(URL)
    expect(parseTarget('ftp://127.0.0.1/', { anywhere: true })).toBe('scheme')
  })

  it('[V42] a name’s addresses are checked at each call; one inside address is enough to refuse it, and a name that cannot be resolved is not called', async () => {
    const called: string[] = []
    const network = (answer: () => readonly string[]): Network => ({
      rules: strict,
      fetch: async (url, init) => {
        called.push(`${url} ${init.redirect}`)
        return new Response(null, { status: 204 })
      },
      addresses: async () => answer(),
    })
    const at = async (answer: () => readonly string[]) => {
      const reached = await reach(network(answer), 'https://example.org/', { signal: AbortSignal.timeout(1000) })
      return reached.kind === 'answer' ? 'answer' : reached.why
    }
    const down = (): never => {
      throw new Error('no resolver')
    }
    expect([await at(() => ['10.0.0.1']), await at(() => ['93.184.216.34', '::1']), await at(() => []), await at(down)]).toEqual([
      'private',
      'private',
      'dns',
      'dns',
    ])
    expect(called).toEqual([])
    expect(await at(() => ['93.184.216.34', '2606:4700::1'])).toBe('answer')
    expect(called).toEqual(['https://example.org/ manual'])
  })
})
