import { badUsage } from '../core/errors/usage.ts'
import type { NetworkChoice } from '../hooks/launcher.tsx'
import { validatorTextFault } from './validator-text.ts'

type Options = { [name in 'network' | 'spec' | 'genesis' | 'devnet']?: string | undefined } & {
  /** A registered validator: its public key or index. */
  validator?: string | undefined
}

/** The network that the wizard's options name; undefined when they leave the choice to the screen. Throws `usage.option`. */
export function networkChoice({ validator, ...options }: Options): NetworkChoice | undefined {
  const fault = validator === undefined ? undefined : validatorTextFault(validator)
  if (fault !== undefined)
    throw badUsage({
      sentence: `--validator: ${fault}`,
      next: 'Give --validator PUBLIC_KEY or --validator INDEX.',
    })
  const choice = namedNetwork(options)
  return choice && validator !== undefined ? { ...choice, validator } : choice
}

function namedNetwork({
  network,
  spec,
  genesis,
  devnet,
}: Omit<Options, 'validator'>): NetworkChoice | undefined {
  refuseHalf({ spec, genesis })
  if (devnet !== undefined) {
    if (network === undefined && spec === undefined) return { kind: 'devnet', descriptor: devnet }
    const next = 'Leave --network, --spec and --genesis out: the descriptor names the network.'
    throw badUsage({ sentence: '--devnet names a rehearsal network that runs.', next })
  }
  if (spec !== undefined && genesis !== undefined) {
    if (network === undefined) return { kind: 'files', spec, genesis }
    const next = 'Give either --network, or --spec with --genesis.'
    throw badUsage({ sentence: '--network and --spec each name a network.', next })
  }
  switch (network) {
    case undefined:
      return undefined
    case 'mainnet':
    case 'bepolia':
    case 'rehearsal':
      return { kind: 'network', id: network }
    default:
      return { kind: 'file', path: network }
  }
}

/** Refuses one of two options that only mean something together. Throws `usage.option`. */
export function refuseHalf(options: { spec: string | undefined; genesis: string | undefined }): void {
  if ((options.spec === undefined) === (options.genesis === undefined)) return
  throw badUsage({
    sentence: '--spec and --genesis go together.',
    next: "Give the node's own spec.toml and genesis.json, or a network file with --network.",
  })
}
