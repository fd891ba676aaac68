import { join } from 'node:path'
import type { Effects, Signer } from '../core/effects/effects.ts'
import { createNodeEffects } from '../core/effects/node.ts'
import { createNodeSigner } from '../core/effects/node-signer.ts'

/** Where the signer child's program lies: beside this one. */
const SIGNER = join(import.meta.dirname, 'signer.js')

export type Suspend = (during: () => Promise<void>) => Promise<void>

export type RealEffectsOptions = {
  /** Gives the terminal away while the signer child asks for a password; without it the child has it anyway. */
  suspend?: Suspend
  /** Ends a child that still waits for a password. */
  signal?: AbortSignal
  /** Hears in a sentence what was put right on the disk. */
  tell: (sentence: string) => void
}

/** The real world. */
export function realEffects({ suspend, signal, tell }: RealEffectsOptions): Effects {
  const signer = createNodeSigner({ signerPath: SIGNER, ...(signal === undefined ? {} : { signal }) })
  return createNodeEffects({ signer: suspend === undefined ? signer : suspending(signer, suspend), tell })
}

function suspending(signer: Signer, suspend: Suspend): Signer {
  const away = async <T>(asksPassword: boolean, run: () => Promise<T>): Promise<T> => {
    if (!asksPassword) return run()
    const results: T[] = []
    await suspend(async () => {
      results.push(await run())
    })
    const [result] = results
    if (result === undefined) throw new Error('the terminal came back without an answer')
    return result
  }
  return {
    inspect: (request) => signer.inspect(request),
    signDeposit: (request) => signer.signDeposit(request),
    keystoreAddress: (request) =>
      away(request.passwordDescriptor === undefined, () => signer.keystoreAddress(request)),
    signTransaction: (request) =>
      away(request.passwordDescriptor === undefined, () => signer.signTransaction(request)),
  }
}
