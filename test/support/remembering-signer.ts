import type { Signer } from '../../src/core/base/effects/effects.ts'

/** Where a file lies changes nothing about what is signed with it. */
const PLACES = ['keyFile', 'keystore', 'passwordDescriptor']

const answers = new Map<string, Promise<unknown>>()

/** Asks the signer once for each question and remembers what it said: both kinds of signature are deterministic. */
export function rememberingSigner(signer: Signer, owner: string): Signer {
  const remember = <Request extends object, Reply>(
    verb: string,
    ask: (request: Request) => Promise<Reply>,
  ) => {
    return (request: Request): Promise<Reply> => {
      const key = `${owner} ${verb} ${JSON.stringify(request, plain)}`
      const answer = (answers.get(key) as Promise<Reply> | undefined) ?? ask(request)
      answers.set(key, answer)
      return answer
    }
  }
  return {
    inspect: remember('inspect', signer.inspect),
    keystoreAddress: remember('keystoreAddress', signer.keystoreAddress),
    signDeposit: remember('signDeposit', signer.signDeposit),
    signTransaction: remember('signTransaction', signer.signTransaction),
    signGuard: remember('signGuard', signer.signGuard),
  }
}

function plain(name: string, value: unknown): unknown {
  if (PLACES.includes(name)) return undefined
  return typeof value === 'bigint' ? value.toString() : value
}
