/** What a host name resolves to, by DNS over HTTPS (the JSON form that Cloudflare's resolver returns). */
import { z } from 'zod'

const RESOLVER = 'https://cloudflare-dns.com/dns-query'
const NO_SUCH_NAME = 3
const TYPES = { A: 1, AAAA: 28 } as const

const answerSchema = z.object({
  Status: z.number(),
  Answer: z.array(z.object({ type: z.number(), data: z.string() })).optional(),
})

/** Empty: there is no such name, or it has no address. Rejects if the resolver gives no answer. */
export async function addressesOf(fetcher: typeof fetch, host: string, signal: AbortSignal): Promise<readonly string[]> {
  const both = await Promise.all([ask(fetcher, host, 'A', signal), ask(fetcher, host, 'AAAA', signal)])
  return both.flat()
}

async function ask(fetcher: typeof fetch, host: string, type: keyof typeof TYPES, signal: AbortSignal): Promise<string[]> {
  const query = new URLSearchParams({ name: host, type })
  const response = await fetcher(`${RESOLVER}?${query}`, { headers: { accept: 'application/dns-json' }, signal, redirect: 'manual' })
  if (!response.ok) throw new Error(`dns: the resolver answered ${response.status}`)
  const { Status, Answer = [] } = answerSchema.parse(await response.json())
  if (Status === NO_SUCH_NAME) return []
  if (Status !== 0) throw new Error(`dns: status ${Status}`)
  return Answer.filter((one) => one.type === TYPES[type]).map((one) => one.data)
}
