import { runSignerChild } from '../../src/core/base/effects/node-signer.ts'

// Runs the child named by the first argument, which may read the files named by the others, and prints the texts of its
// reply that the test of core dumps reads, or the code of what it failed with.
const [signerPath = '', ...readable] = process.argv.slice(2)
const run = { signerPath, line: '{}', readable, writable: [], deadlineMs: 10_000 }
const outcome = await runSignerChild(run).then(
  (reply) => JSON.stringify(['core', 'filter', 'environment'].map(reply.text)),
  (thrown: { code: string }) => thrown.code,
)
process.stdout.write(outcome)
