import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import { BaseError } from '../../src/core/base/errors/base.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { topUpRequest } from './top-up.ts'

/**
 * Run inside a pseudo-terminal: `node call-signer.ts SIGNER KEYSTORE ACCOUNT [ABORT_AFTER_MS | lines]` has a top-up signed by
 * that account's keystore and prints `RESULT {…}` with the account that signed, or the error's code and details. A signer
 * below a file is the one in that single executable.
 */
const [signerPath = '', keystore = '', account = '', how] = process.argv.slice(2)
const abort = new AbortController()
const linesOnly = how === 'lines'
if (how !== undefined && !linesOnly) setTimeout(() => abort.abort(), Number(how))
try {
  const holder = dirname(signerPath)
  const place = statSync(holder).isFile() ? { signerPath, executable: holder } : { signerPath }
  const signer = createNodeSigner({ ...place, signal: abort.signal, linesOnly })
  const { from } = await signer.signTransaction(topUpRequest(keystore, account as Hex))
  console.log(`RESULT ${JSON.stringify({ from })}`)
} catch (error) {
  const told =
    error instanceof BaseError ? { code: error.code, details: error.details } : { code: String(error) }
  console.log(`RESULT ${JSON.stringify(told)}`)
}
