import { createNodeRandom } from '../src/core/base/effects/node.ts'
import { createNodeClock } from '../src/core/base/effects/node-clock.ts'
import { createNodeHttp } from '../src/core/base/effects/node-http.ts'
import { gatherContenders } from '../src/core/chain/consensus/placing.ts'
import { createNodeClient } from '../src/core/clients/node/client.ts'
import { streamValidators } from '../src/core/clients/node/validators.ts'

// A program of its own: `registry-client.ts URL` reads a registry as a snapshot does and prints one line of JSON.
const TICK_MS = 5
const effects = { http: createNodeHttp(), clock: createNodeClock(), random: createNodeRandom() }
const node = createNodeClient(effects, process.argv[2] ?? '', { proofNamespace: 'bkit/v1' })
const beforeBytes = process.memoryUsage.rss()
let peakBytes = beforeBytes
let longestWaitMs = 0
let lastMs = performance.now()
const ticks = setInterval(() => {
  const nowMs = performance.now()
  longestWaitMs = Math.max(longestWaitMs, nowMs - lastMs - TICK_MS)
  lastMs = nowMs
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}, TICK_MS)
let count = 0
const startMs = performance.now()
const kept = await streamValidators(node, {
  state: 'head',
  taker: () => {
    const gatherer = gatherContenders({ places: 69, keep: [] })
    count = 0
    return {
      add(record) {
        count += 1
        gatherer.add(record)
      },
      done: () => gatherer.done().length,
    }
  },
})
const ms = performance.now() - startMs
clearInterval(ticks)
process.stdout.write(
  `${JSON.stringify({ count, kept, ms, longestWaitMs, grownBytes: peakBytes - beforeBytes })}\n`,
)
process.exit(0)
