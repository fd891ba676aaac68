import { serveRegistry } from '../test/support/large-registry.ts'

// A program of its own: `registry-server.ts COUNT` serves so many made-up validators, prints its address and ends
// with its stdin.
const { url } = await serveRegistry(Number(process.argv[2]))
process.stdout.write(`${url}\n`)
process.stdin.resume().on('end', () => process.exit(0))
