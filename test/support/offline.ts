import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { httpError } from '../../src/core/base/errors/http.ts'

const nothing = () => Promise.reject(new Error('nothing is signed here'))
/** Nobody signs. */
export const noSigner = {
  inspect: nothing,
  signDeposit: nothing,
  keystoreAddress: nothing,
  signTransaction: nothing,
  signGuard: nothing,
}
/** This computer as it is, but nobody signs. */
export const unsigning = createNodeEffects({ signer: noSigner })
/** This computer's files, and no network. */
const unreachable = () => Promise.reject(httpError('http.unreachable', '127.0.0.1', 'no network here'))
export const offline: Effects = { ...unsigning, http: { request: unreachable } }
