import { createNodeSigner } from '../../src/core/effects/node-signer.ts'
import { BaseError } from '../../src/core/errors/base.ts'

/**
 * Run inside a pseudo-terminal: `node call-signer.ts SIGNER KEYSTORE [ABORT_AFTER_MS]` asks for the address of a
 * keystore and prints `RESULT {…}` with the address or the error's code.
 */
const [signerPath = '', keystore = '', abortAfterMs] = process.argv.slice(2)
const abort = new AbortController()
if (abortAfterMs !== undefined) setTimeout(() => abort.abort(), Number(abortAfterMs))
try {
  const reply = await createNodeSigner({ signerPath, signal: abort.signal }).keystoreAddress({ keystore })
  console.log(`RESULT ${JSON.stringify(reply)}`)
} catch (error) {
  console.log(`RESULT ${JSON.stringify({ code: error instanceof BaseError ? error.code : String(error) })}`)
}
