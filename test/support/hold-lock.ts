import { createNodeStore } from '../../src/core/effects/node-store.ts'

// Tries to take the lock named by the first argument, says whether it got it, and keeps it until stdin ends.
const release = await createNodeStore().lock(process.argv[2] ?? '')
process.stdout.write(release === undefined ? 'refused\n' : 'held\n')
process.stdin.resume()
process.stdin.on('end', () => void release?.())
