/**
 * The encoder's threads. Texts of one request are sorted by length (a batch costs as much as its longest text), cut into batches,
 * and given to whichever thread is free; requests are served in turn. A thread that dies fails its batch and is replaced.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

export const DIMENSIONS = 512
const BATCH = 8 // measured: larger batches are no faster, and a small one keeps every core busy to the end
const READ = 4000 // UTF-16 units given to the tokenizer; the model reads 128 pieces, far less

export class Pool {
  #idle = []
  #waiting = []
  #running = new Map() // worker → job
  #closed = false

  constructor(threads = availableParallelism()) {
    this.threads = threads
    this.ready = new Promise((resolve, reject) => {
      for (let i = 0; i < threads; i++) this.#start(resolve, reject)
    })
  }

  /** @param {readonly string[]} texts @returns {Promise<Float32Array[]>} */
  async embed(texts) {
    const out = new Array(texts.length)
    const order = texts.map((_, i) => i).sort((a, b) => texts[a].length - texts[b].length || a - b)
    const jobs = []
    for (let at = 0; at < order.length; at += BATCH) {
      const places = order.slice(at, at + BATCH)
      jobs.push(
        this.#run(places.map((i) => texts[i].slice(0, READ))).then((vectors) => {
          for (const [row, i] of places.entries()) out[i] = vectors.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS)
        }),
      )
    }
    await Promise.all(jobs)
    return out
  }

  async close() {
    this.#closed = true
    await Promise.all([...this.#idle, ...this.#running.keys()].map((worker) => worker.terminate()))
  }

  #run(texts) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ texts, resolve, reject })
      this.#next()
    })
  }

  #next() {
    while (this.#idle.length && this.#waiting.length) {
      const worker = this.#idle.pop()
      const job = this.#waiting.shift()
      this.#running.set(worker, job)
      worker.postMessage({ texts: job.texts })
    }
  }

  #start(resolve, reject) {
    const worker = new Worker(new URL('./encoder-thread.mjs', import.meta.url))
    let failures = 0
    worker.on('message', ({ ready, vectors, failed }) => {
      const job = this.#running.get(worker)
      this.#running.delete(worker)
      this.#idle.push(worker)
      if (ready) resolve()
      else if (vectors) job.resolve(vectors)
      else job.reject(new Error(failed))
      this.#next()
    })
    worker.on('error', (error) => {
      failures += 1
      reject(error) // of no effect once ready
    })
    worker.on('exit', () => {
      this.#idle = this.#idle.filter((other) => other !== worker)
      this.#running.get(worker)?.reject(new Error('the encoder thread ended'))
      this.#running.delete(worker)
      if (!this.#closed && !failures) this.#start(resolve, reject)
    })
  }
}
