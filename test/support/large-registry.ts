import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const PER_WRITE = 400
const FAR = '18446744073709551615'

/** The entry of a made-up registry as the node API writes it; the balance grows with the index. */
export function registryEntry(index: number): string {
  const number = index.toString(16).padStart(12, '0')
  const validator = {
    pubkey: `0x${'a'.repeat(84)}${number}`,
    withdrawal_credentials: `0x01${'0'.repeat(22)}${'c'.repeat(28)}${number}`,
    effective_balance: '250000000000000',
    slashed: false,
    activation_eligibility_epoch: '0',
    activation_epoch: '0',
    exit_epoch: FAR,
    withdrawable_epoch: FAR,
  }
  const balance = String(250_000_000_000_000n + BigInt(index))
  return JSON.stringify({ index: String(index), balance, status: 'active_ongoing', validator })
}

/** Serves `count` made-up validators on every path, written as fast as they are read. */
export async function serveRegistry(
  count: number,
  entry: (index: number) => string = registryEntry,
): Promise<{ url: string; end: () => void }> {
  const server = createServer((_, response) => {
    let next = 0
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"execution_optimistic":false,"finalized":true,"data":[')
    const more = () => {
      while (next < count) {
        const last = Math.min(next + PER_WRITE, count)
        const entries = Array.from({ length: last - next }, (_, at) => entry(next + at))
        const piece = `${next === 0 ? '' : ','}${entries.join(',')}`
        next = last
        if (!response.write(piece)) {
          response.once('drain', more)
          return
        }
      }
      response.end(']}\n')
    }
    more()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    end: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
