/** Free ports on this machine. */
import { createServer } from 'node:net'

function listening(port) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const { port: taken } = server.address()
      server.close(() => resolve(taken))
    })
  })
}

export const freePort = () => listening(0)

export const portIsFree = (port) =>
  listening(port).then(
    () => true,
    () => false,
  )
