import { join } from 'node:path'
import type { Effects, Signer } from '../core/effects/effects.ts'
import { createNodeEffects } from '../core/effects/node.ts'
import { createNodeSigner, type NodeSignerOptions } from '../core/effects/node-signer.ts'

/** Where the signer child's program lies: beside this one. */
const SIGNER = join(import.meta.dirname, 'signer.js')

/** In a single executable this program lies below the executable itself. */
const HOLDER = import.meta.dirname === process.execPath ? { executable: process.execPath } : {}

/** Takes the screens away during the work; the signal is given when the program is to end. */
export type Suspend = (during: (signal: AbortSignal) => Promise<void>) => Promise<void>

export type RealEffectsOptions = {
  /** Gives the terminal away, in raw mode, while the signer child asks for a password; without it the child has it anyway. */
  suspend?: Suspend
  /** The child asks in lines, without drawing. */
  linesOnly?: boolean
  /** Ends every wait, and a child that signs or asks for a password. */
  signal: AbortSignal
  /** Hears in a sentence what was put right on the disk. */
  tell: (sentence: string) => void
}

/** The real world. */
export function realEffects({ suspend, linesOnly = false, signal, tell }: RealEffectsOptions): Effects {
  const options = { signerPath: SIGNER, ...HOLDER, signal, linesOnly }
  const signer = suspend === undefined ? createNodeSigner(options) : suspending(options, suspend)
  return createNodeEffects({ signer, tell })
}

/** A signer whose child has the terminal to itself for as long as it may ask for a password. */
function suspending(options: NodeSignerOptions, suspend: Suspend): Signer {
  const signer = createNodeSigner(options)
  return {
    ...signer,
    async signTransaction(request) {
      if (request.passwordDescriptor !== undefined) return signer.signTransaction(request)
      const signed: Awaited<ReturnType<Signer['signTransaction']>>[] = []
      await suspend(async (ending) => {
        const signal = options.signal === undefined ? ending : AbortSignal.any([options.signal, ending])
        const asking = createNodeSigner({ ...options, signal, rawModeIsOn: true })
        signed.push(await asking.signTransaction(request))
      })
      const [answer] = signed
      if (answer === undefined) throw new Error('the terminal came back without an answer')
      return answer
    },
  }
}
