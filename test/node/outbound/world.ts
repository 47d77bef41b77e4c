/**
 * A corpus on node:sqlite, a queue with a clock of its own, and an internet that says what the test says. Days pass in milliseconds; the queue
 * delivers every message as often as it is set to.
 */

import { runScheduledMaintenance } from '../../../durable-objects/corpus/maintenance/scheduled-maintenance'
import { drain } from '../../../durable-objects/corpus/outbox/drain'
import * as sources from '../../../durable-objects/corpus/sources/sources'
import * as deliveries from '../../../durable-objects/corpus/webhooks/deliveries'
import { nextSourceAt } from '../../../durable-objects/corpus/webhooks/message-queue'
import type { EventType } from '../../../src/contract/events'
import { vault } from '../../../src/hooks/seal'
import { newSecret } from '../../../src/hooks/signature'
import { consume, type QueueMessage } from '../../../src/outbound/consume'
import { deliver } from '../../../src/outbound/deliver'
import type { Network } from '../../../src/outbound/reach'
import type { OutboundObject } from '../../../src/ports/outbound'
import type { SourceInput } from '../../../src/ports/sources'
import { readFile } from '../../../src/reading/read-file'
import type { Reader } from '../../../src/sources/page'
import { refetch } from '../../../src/sources/refetch'
import { robots } from '../../../src/sources/robots'
import { type Mortal, mortalWorld, type World } from '../corpus/mortal-object'
import { finish, noBill } from '../corpus/working'

export const AGENT = 'Loam/test'
export const DAY = 86_400_000
export const master = vault('a-master-key')

export interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string
}
export type Internet = (asked: Asked) => Response | Promise<Response>

export interface Place {
  readonly world: World
  mortal: Mortal
  /** Every request that went out, robots.txt included. */
  readonly asked: Asked[]
  readonly object: OutboundObject
  readonly network: Network
  /** Names and what they lead to; any other leads to a public address. */
  readonly names: Map<string, readonly string[]>
  endpoint(url: string, events?: readonly EventType[]): Promise<{ id: string; secret: string }>
  source(url: string, more?: Partial<SourceInput>): string
  /** Model work and deliveries, until nothing is due. */
  settle(): Promise<void>
  /** The queue and the schedule for so long. `times`: how often the queue gives each message. */
  pass(ms: number, times?: number): Promise<void>
  close(): void
}

interface Waiting {
  readonly body: unknown
  at: number
}

export function place(internet: { current: Internet }, more: Partial<Reader> = {}): Place {
  const world = mortalWorld([])
  world.clock.now = Date.parse('2026-11-01T00:00:00Z')
  const asked: Asked[] = []
  const names = new Map<string, readonly string[]>()
  let made = 0
  const network: Network = {
    rules: { anywhere: false },
    addresses: async (host) => names.get(host) ?? ['93.184.216.34'],
    async fetch(url, init) {
      const one = {
        url,
        method: init.method ?? 'GET',
        headers: new Headers(init.headers),
        body: init.body ? new TextDecoder().decode(init.body as Uint8Array) : '',
      }
      asked.push(one)
      return internet.current(one)
    },
  }
  const now = () => world.clock.now
  const wait = async (ms: number) => {
    world.clock.now += ms
  }
  const db = () => here.mortal.context
  const object: OutboundObject = {
    endpoints: async () => deliveries.endpoints(db()),
    addEndpoint: async (record) => deliveries.addEndpoint(db(), record),
    renewEndpoint: async (id, secrets) => deliveries.renewEndpoint(db(), id, secrets),
    endpointSecrets: async () => deliveries.endpointSecrets(db()),
    replaceSecrets: async (...of) => deliveries.replaceSecrets(db(), ...of),
    removeEndpoint: async (id) => deliveries.removeEndpoint(db(), id),
    deliveries: async (...of) => deliveries.deliveries(db(), ...of),
    redeliver: async (id) => deliveries.redeliver(db(), id),
    claimDelivery: async (id) => deliveries.claimDelivery(db(), id),
    closeDelivery: async (...of) => deliveries.closeDelivery(db(), ...of),
    sources: async (...of) => sources.sources(db(), ...of),
    source: async (id) => sources.source(db(), id),
    addSource: async (input) => sources.addSource(db(), input),
    removeSource: async (id, documents) => sources.removeSource(db(), id, documents),
    sourceItems: async (id, page, asker = 'all') => sources.sourceItems(db(), id, page, asker),
    askSource: async (id, why) => sources.askSource(db(), id, why),
    claimSource: async (id) => sources.claimSource(db(), id),
    plannedFor: async (...of) => sources.plannedFor(db(), ...of),
    provided: async (documents) => sources.provided(db(), documents),
    closeSource: async (...of) => void sources.closeSource(db(), ...of),
  }
  const rules = robots(AGENT)
  const carriers = {
    corpus: () => object,
    carry: {
      delivery: (corpus: OutboundObject, id: string) => deliver({ network, vault: master, corpus, agent: AGENT, now }, id),
      fetch: (corpus: OutboundObject, id: string) =>
        refetch({ network, robots: rules, agent: AGENT, convert: readFile, vault: master, now, wait, ...more }, corpus, id),
    },
  }
  let queue: Waiting[] = []
  const take = (): void => {
    queue.push(...world.owed.splice(0).map((text) => messageOf(text, now())))
  }
  const round = async (times: number): Promise<void> => {
    await drain(here.mortal.context, here.mortal.sinks).catch(() => undefined)
    take()
    const due = queue.filter((one) => one.at <= now())
    queue = queue.filter((one) => one.at > now())
    for (let time = 0; time < times; time++) {
      const batch = due.map(
        (one): QueueMessage => ({
          body: one.body,
          ack: () => undefined,
          retry: ({ delaySeconds = 0 } = {}) => void queue.push({ body: one.body, at: now() + delaySeconds * 1000 }),
        }),
      )
      await consume(carriers, batch)
    }
    queue = [...new Map(queue.map((one) => [`${JSON.stringify(one.body)} ${one.at}`, one])).values()]
  }
  const here: Place = {
    world,
    mortal: world.wake(),
    asked,
    object,
    network,
    names,
    async endpoint(url, events = []) {
      const [id, secret] = [`ep_${++made}`, newSecret()]
      const sealed = (await master?.seal(secret, id)) ?? ''
      deliveries.addEndpoint(db(), { id, url, events, secrets: [{ sealed, until: null }], status: 'active', created: now() })
      return { id, secret }
    },
    source(url, more = {}) {
      const id = `src_${++made}`
      const document = more.kind === undefined || more.kind === 'page' ? url : id
      sources.addSource(here.mortal.context, { id, url, document, every: DAY, onGone: 'keep', metadata: {}, created: now(), ...more })
      return id
    },
    async settle() {
      await finish(here.mortal, world, noBill())
    },
    async pass(ms, times = 1) {
      for (const until = now() + ms; ; ) {
        await round(times)
        runScheduledMaintenance(here.mortal.context)
        await round(times)
        if (now() >= until) return
        const alarm = Math.max(now() + 1000, nextSourceAt(here.mortal.context) ?? until)
        const next = Math.min(until, now() + 300_000, alarm, ...queue.map((one) => one.at))
        world.clock.now = Math.max(next, now() + 1)
      }
    },
    close: () => world.close(),
  }
  return here
}

function messageOf(text: string, at: number): Waiting {
  const [kind, id] = text.split(' ')
  return { body: { kind, uid: 'mortal', id }, at }
}
