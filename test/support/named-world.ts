import { afterAll, beforeAll } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { cheapEffects } from './cheap-curve.ts'
import { runCommandWith } from './run-command.ts'
import { jsonReply } from './snapshot-world.ts'
import { userOf } from './user-of.ts'
import { pass, testDevnet } from './with-devnet.ts'

type StatusLook = (input: CommandInput) => Promise<ExitCode>

/** A network with a registered newcomer, for the tests of one file; whoever looks has neither home nor key. */
export function namedWorld() {
  let devnet: Devnet
  let end: () => Promise<void>
  /** No home and no key is read, and nothing is signed. */
  let effects: Effects

  beforeAll(async () => {
    const nothing = () => Promise.reject(new Error('a validator that is named needs no file and no key'))
    const signer = {
      inspect: nothing,
      signDeposit: nothing,
      keystoreAddress: nothing,
      signTransaction: nothing,
      signGuard: nothing,
    }
    const real = cheapEffects({ signer })
    const { read } = real.files
    const files: Effects['files'] = {
      ...real.files,
      read: (path, options) => (/priv_validator|^\/nowhere/.test(path) ? nothing() : read(path, options)),
    }
    effects = { ...real, files }
    const network = await testDevnet({ clock: createNodeClock(), seed: 'named', scenario: 'set-full' })
    devnet = network.devnet
    end = network.end
    await (await userOf(devnet)).firstDeposit(10_000n)
    await pass(devnet, 5)
  })
  afterAll(() => end())

  const look = (command: StatusLook, argv: readonly string[], by: Effects = effects) =>
    runCommandWith(
      command,
      ['--devnet', JSON.stringify(devnet.descriptor), '--home', '/nowhere', ...argv],
      by,
    )

  const row = (ended: Awaited<ReturnType<typeof look>>, id: string) =>
    ended.json().rows.find((each) => each.id === id)

  const validatorAt = (index: number): Hex => devnet.state().validators[index]?.pubkey ?? '0x'
  const newcomer = async () => (await userOf(devnet)).pubkey

  /** Answers of the node in which one path is answered by this. */
  const nodeSays = (path: RegExp, value: unknown): Effects => ({
    ...effects,
    http: {
      request: async (request) =>
        path.test(new URL(request.url).pathname) ? jsonReply(200, value) : effects.http.request(request),
    },
  })

  /** A node that does not offer its whole state. */
  function withoutState(): Effects {
    const request: Effects['http']['request'] = async (asked) =>
      asked.url.includes('/debug/beacon/states/')
        ? jsonReply(500, { code: 500, message: 'endpoint x is not yet implemented' })
        : effects.http.request(asked)
    return { ...effects, http: { request } }
  }

  return {
    devnet: () => devnet,
    effects: () => effects,
    look,
    row,
    validatorAt,
    newcomer,
    nodeSays,
    withoutState,
  }
}

/** A valid key that nobody ever paid for. */
export function userKeyOfNobody(): Hex {
  return validatorKey('nobody', 'fresh').pubkey
}
