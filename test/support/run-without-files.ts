import { closeSync, openSync } from 'node:fs'
import { createNodeExec } from '../../src/core/effects/node-exec.ts'
import { createNodeSigner } from '../../src/core/effects/node-signer.ts'
import { errorFacts } from '../../src/core/steps/observation.ts'

/**
 * `node run-without-files.ts WHAT PATH`: opens files until the system gives no more, then has the signer child look at a key
 * file or runs a program, and prints what that ended with.
 */
const [what, path = ''] = process.argv.slice(2)
const start = {
  signer: () =>
    createNodeSigner({ signerPath: '/nowhere/signer.js' }).inspect({ keyFile: path, keyTypePrefix: '' }),
  exec: () => createNodeExec().run({ path, args: [], home: '/', timeoutMs: 60_000, maxOutputBytes: 1_000 }),
}[what === 'signer' ? 'signer' : 'exec']
const opened: number[] = []
try {
  for (;;) opened.push(openSync(process.execPath, 'r'))
} catch {
  // All that may be open are.
}
const facts = await start().then(() => 'it ran', errorFacts)
for (const each of opened) closeSync(each)
process.stdout.write(JSON.stringify(facts))
