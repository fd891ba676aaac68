import { appendFileSync } from 'node:fs'
import { createNodeStore } from '../../src/core/base/effects/node-store.ts'

// Tries to take the lock named by the first argument, says whether it got it, and keeps it until stdin ends. With a
// log as the second argument it takes it and gives it back for ever, with a line in the log at each.
const store = createNodeStore()
const [path = '', log = ''] = process.argv.slice(2)

if (log === '') {
  const { release, heldBy } = await store.lock(path)
  process.stdout.write(release === undefined ? `refused: ${heldBy}\n` : 'held\n')
  process.stdin.resume()
  process.stdin.on('end', () => void release?.())
} else await takeAgainAndAgain(`${process.argv[4]}`)

async function takeAgainAndAgain(name: string): Promise<never> {
  for (;;) {
    const { release } = await store.lock(path)
    if (release === undefined) continue
    appendFileSync(log, `in ${name}\n`)
    process.stdout.write('in\n')
    await new Promise((resolve) => setImmediate(resolve))
    appendFileSync(log, `out ${name}\n`)
    await release()
  }
}
