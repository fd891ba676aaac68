import { closeSync, openSync } from 'node:fs'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeExec } from '../../src/core/base/effects/node-exec.ts'
import { createNodeHttp } from '../../src/core/base/effects/node-http.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import { getHeader } from '../../src/core/clients/node/blocks.ts'
import { createNodeClient } from '../../src/core/clients/node/client.ts'
import { errorFacts } from '../../src/core/view/observation.ts'

/**
 * `node run-without-files.ts WHAT PATH`: opens files until the system gives no more, then has the signer child look at a key
 * file, asks an endpoint or runs a program, and prints what that ended with.
 */
const [what, path = ''] = process.argv.slice(2)
const ASKING = {
  http: createNodeHttp(),
  clock: createNodeClock(),
  random: { bytes: (length: number) => new Uint8Array(length) },
}
const start = {
  signer: () =>
    createNodeSigner({ signerPath: '/nowhere/signer.js' }).inspect({ keyFile: path, keyTypePrefix: '' }),
  node: () =>
    getHeader(createNodeClient(ASKING, 'http://127.0.0.1:1', { proofNamespace: 'bkit' }), {
      block: 'head',
    }),
  exec: () => createNodeExec().run({ path, args: [], home: '/', timeoutMs: 60_000, maxOutputBytes: 1_000 }),
}[what === 'signer' || what === 'node' ? what : 'exec']
const opened: number[] = []
try {
  for (;;) opened.push(openSync(process.execPath, 'r'))
} catch {
  // All that may be open are.
}
const facts = await start().then(() => 'it ran', errorFacts)
for (const each of opened) closeSync(each)
process.stdout.write(JSON.stringify(facts))
