import { parse } from 'smol-toml'
import { keccak256 } from 'viem'
import type { CommandInput } from '../../src/commands/command.ts'
import type { Effects } from '../../src/core/base/effects/effects.ts'
import { createNodeEffects } from '../../src/core/base/effects/node.ts'
import { validatorKey } from '../../src/devnet/keys.ts'
import type { ExitCode } from '../../src/output/io.ts'
import { madeUp } from './replay-made-up.ts'
import { recordedFile, recordedSlot } from './replay-recording.ts'
import { type ReplayServersInput, serveReplay } from './replay-servers.ts'
import { runCommandWith } from './run-command.ts'

/** The recorded network as a network file describes it; only the contract's code is made up. */
const FILE = JSON.stringify(
  {
    id: 'recorded',
    label: 'Recorded',
    kind: 'test',
    executionChainId: 80_087,
    engineChainId: 'beacond-2061',
    genesisValidatorsRoot: '0x961b839044d9e6f1e527f0622cea49397f9f315c769dd1258a91c9f31e651d0c',
    genesisForkVersion: '0x05000000',
    depositContractCodeHash: keccak256(madeUp.contractCode),
    slotMs: 1000,
    spec: parse(recordedFile('spec.toml'), { integersAsBigInt: true }),
  },
  (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value),
)

const FACTS = {
  kind: 'file',
  sizeBytes: FILE.length,
  mode: 0o600,
  ownedByUser: true,
  identity: 'recorded',
} as const

type Input = Omit<Partial<ReplayServersInput>, 'nowMs' | 'engineKey'>

/** The endpoints of the recorded network, by the options that name them. */
type Named = readonly ('execution' | 'second-execution' | 'node')[]

/**
 * Runs a command beside the recorded network as it was at a slot, by the endpoints that are named, and nothing else: no
 * home, no key and no settings are there. `asked` is who was asked at all.
 */
export async function besideRecorded(
  command: (input: CommandInput) => Promise<ExitCode>,
  { slot, named, argv = [], ...input }: Input & { slot: number; named: Named; argv?: readonly string[] },
) {
  const nowMs = () => recordedSlot(slot).timestamp * 1000
  const engineKey = validatorKey('recorded', 'nobody').pubkey
  const servers = await serveReplay({ ...input, nowMs, engineKey })
  const urls = { ...servers.urls, 'second-execution': servers.urls.second }
  const asked = new Set<string>()
  const options = named.flatMap((name) => [`--${name}`, urls[name]])
  const effects = effectsOf(nowMs, (url) => asked.add(new URL(url).origin))
  try {
    const ended = await runCommandWith(command, ['--network', '/recorded.json', ...options, ...argv], effects)
    return { ...ended, asked: [...asked].sort(), urls }
  } finally {
    await servers.close()
  }
}

function effectsOf(nowMs: () => number, tell: (url: string) => void): Effects {
  const nothing = () => Promise.reject(new Error('nothing is signed and no other file is read'))
  const signer = {
    inspect: nothing,
    signDeposit: nothing,
    keystoreAddress: nothing,
    signTransaction: nothing,
    signGuard: nothing,
  }
  const real = createNodeEffects({ signer })
  return {
    ...real,
    clock: { ...real.clock, nowMs },
    files: {
      ...real.files,
      facts: async (path) => (path === '/recorded.json' ? FACTS : undefined),
      read: async (path) => {
        if (path !== '/recorded.json') return nothing()
        return new TextEncoder().encode(FILE)
      },
    },
    http: {
      request: (request) => {
        tell(request.url)
        return real.http.request(request)
      },
    },
  }
}
