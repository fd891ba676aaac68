import { createHash } from 'node:crypto'
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { afterAll, beforeAll } from 'vitest'
import type { CommandInput } from '../../src/commands/command.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeClock } from '../../src/core/base/effects/node-clock.ts'
import { createNodeSigner } from '../../src/core/base/effects/node-signer.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import type { Devnet } from '../../src/devnet/devnet.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { buildSigner } from './build-signer.ts'
import { cheapEffects } from './cheap-curve.ts'
import { rememberingFiles } from './remembering-signer.ts'
import { runCommandWith } from './run-command.ts'
import { testDevnet } from './with-devnet.ts'

type LookingCommand = (input: CommandInput) => Promise<ExitCode>

/** A rehearsal network that makes a slot every 100 ms, for the tests of one file; its parts are there once they begin. */
export function lookingWorld() {
  let devnet: Devnet
  let directory: string
  let effects: Effects
  let end: () => Promise<void>
  const stop = new AbortController()

  beforeAll(async () => {
    const { signerPath } = await buildSigner()
    effects = cheapEffects({ signer: rememberingFiles(createNodeSigner({ signerPath })) })
    const network = await testDevnet({ clock: createNodeClock(), slotMs: 100 })
    devnet = network.devnet
    directory = network.directory
    const running = devnet.run(stop.signal)
    end = async () => {
      stop.abort()
      await running.catch(() => undefined)
      await network.end()
    }
  })
  afterAll(() => end())

  return {
    devnet: () => devnet,
    directory: () => directory,
    effects: () => effects,
    /** Runs a command that looks at the network, and gives what it printed. */
    look: (command: LookingCommand, ...argv: string[]) =>
      runCommandWith(command, ['--devnet', JSON.stringify(devnet.descriptor), ...argv], effects),
    validatorAt(index: number): Hex {
      const validator = devnet.state().validators[index]
      if (validator === undefined) throw new Error(`no validator ${index}`)
      return validator.pubkey
    },
    strangeHome: () => strangeHome(devnet, directory),
  }
}

/** The home of a node that never got the network's files: its own key, an empty genesis, the node API off. */
async function strangeHome(devnet: Devnet, directory: string): Promise<string> {
  const home = await mkdtemp(join(directory, 'home-'))
  await cp(devnet.descriptor.home, home, { recursive: true })
  const change = async (name: string, edit: (text: string) => string) => {
    const path = join(home, 'config', name)
    await writeFile(path, edit(await readFile(path, 'utf8')))
  }
  await change('genesis.json', (text) => {
    const file = JSON.parse(text) as { app_state: { beacon: { deposits: unknown[] } } }
    file.app_state.beacon.deposits = []
    return JSON.stringify(file)
  })
  await change('app.toml', (text) => text.replace('enabled = "true"', 'enabled = "false"'))
  await change('priv_validator_key.json', newKeyFile)
  return home
}

function newKeyFile(): string {
  const { secretKey, publicKey } = bls12_381.longSignatures.keygen()
  const point = publicKey.toBytes(false)
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
  const digest = createHash('sha256').update(point).digest('hex')
  return JSON.stringify({
    address: digest.slice(0, 40).toUpperCase(),
    pub_key: { type: 'cometbft/PubKeyBls12_381', value: base64(point) },
    priv_key: { type: 'cometbft/PrivKeyBls12_381', value: base64(secretKey) },
  })
}
