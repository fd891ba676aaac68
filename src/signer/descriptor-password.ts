import { descriptorRefused } from '../core/errors/signer.ts'
import { readFields } from '../core/format/fields.ts'

const REAL_CHAINS = [80094, 80069]

/**
 * The play-money password in a rehearsal network's descriptor, as bytes. Taken only for the keystore that the
 * descriptor names, on the chain that it names, and never on a chain with real or public test money. Throws
 * `signer.descriptor-refused`.
 */
export function readDescriptorPassword(text: string, use: { keystore: string; chainId?: number }): Buffer {
  const fail = (problem: { field: string; expected: string }) =>
    descriptorRefused(`The descriptor has no usable ${problem.field}: expected ${problem.expected}.`)
  const descriptor = readFields(parseJson(text), { path: '', fail, secret: true })
  const chainId = descriptor.index('chainId')
  const keystore = descriptor.object('keystore')
  if (REAL_CHAINS.includes(chainId)) throw descriptorRefused(`Chain ${chainId} is no rehearsal chain.`)
  if (use.chainId !== undefined && use.chainId !== chainId) {
    throw descriptorRefused(
      `The descriptor is for chain ${chainId}, the transaction for chain ${use.chainId}.`,
    )
  }
  if (keystore.text('path') !== use.keystore)
    throw descriptorRefused('The descriptor names another keystore.')
  return Buffer.from(keystore.text('password'), 'utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw descriptorRefused('The descriptor is not JSON.')
  }
}
