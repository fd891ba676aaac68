import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Signer } from '../../src/core/base/effects/effects.ts'

/** Where a file lies changes nothing about what is signed with it. */
const PLACES = ['keyFile', 'keystore', 'passwordDescriptor']

const answers = new Map<string, Promise<unknown>>()

/** The same, where the files of an owner may change: asked again once what a file holds, or who may read it, is another. */
export const rememberingFiles = (signer: Signer): Signer => rememberingSigner(signer, 'files', filesOf)

/** Asks the signer once for each question and remembers what it said: both kinds of signature are deterministic. */
export function rememberingSigner(
  signer: Signer,
  owner: string,
  filesOf: (request: object) => string = () => '',
): Signer {
  const remember = <Request extends object, Reply>(
    verb: string,
    ask: (request: Request) => Promise<Reply>,
  ) => {
    return (request: Request): Promise<Reply> => {
      const key = `${owner} ${verb} ${JSON.stringify(request, plain)} ${filesOf(request)}`
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

/** The paths that a question names, with what is there. */
function filesOf(request: object): string {
  const fields = Object.entries(request).filter(([name]) => PLACES.includes(name))
  return JSON.stringify(fields.map(([name, path]) => [name, path, fileAt(path)]))
}

function fileAt(path: unknown): string | undefined {
  try {
    const digest = createHash('sha256')
      .update(readFileSync(String(path)))
      .digest('hex')
    return `${digest} ${statSync(String(path)).mode}`
  } catch {
    return undefined
  }
}

function plain(name: string, value: unknown): unknown {
  if (PLACES.includes(name)) return undefined
  return typeof value === 'bigint' ? value.toString() : value
}
