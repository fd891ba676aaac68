import { tokens } from '../../base/format/amount.ts'
import type { ChainSpec, Network, NetworkNames, NodeEndpoints } from './network.ts'

/** The words of Berachain and of every network that runs the same node software. */
export const BERACHAIN_NAMES: NetworkNames = {
  token: 'BERA',
  nodeTool: 'beacond',
  proofNamespace: 'bkit/v1',
  nodeApiSection: 'beacon-kit.node-api',
  appSection: 'beacon-kit',
  keyTypePrefix: 'cometbft',
}

/** keccak256 of the deposit contract's runtime code in Bepolia's genesis file (4,190 bytes). */
export const DEPOSIT_CONTRACT_CODE_HASH = '0x0a00cd8180cb667371cfbc719e180e9e5cb1d3e389b747fe998770dbf2f3d8d3'

/** Least value of one call to the deposit contract: a constant in its code. */
export const MINIMUM_DEPOSIT_GWEI = tokens(10_000n)

/** Where a node listens when it runs on this machine with its default ports. */
export const LOCAL_ENDPOINTS: NodeEndpoints = {
  execution: 'http://127.0.0.1:8545',
  node: 'http://127.0.0.1:3500',
  engine: 'http://127.0.0.1:26657',
}

const SHARED_SPEC = {
  slotsPerEpoch: 192n,
  targetSecondsPerSlot: 2,
  maxEffectiveBalanceGwei: tokens(10_000_000n),
  effectiveBalanceIncrementGwei: tokens(10_000n),
  activationBalanceGwei: 250_000_000_000_000n,
  hysteresisQuotient: 4n,
  hysteresisDownwardMultiplier: 1n,
  hysteresisUpwardMultiplier: 5n,
  hysteresisQuotientFulu: 100n,
  hysteresisUpwardMultiplierFulu: 10n,
  validatorSetCap: 69,
  withdrawabilityDelayEpochs: 256n,
  maxWithdrawalsPerPayload: 16,
  maxValidatorsPerWithdrawalsSweep: 31,
  maxDepositsPerBlock: 16,
  depositContract: '0x4242424242424242424242424242424242424242',
} as const satisfies Partial<ChainSpec>

const SHARED = {
  genesisForkVersion: '0x04000000',
  depositContractCodeHash: DEPOSIT_CONTRACT_CODE_HASH,
  minimumDepositGwei: MINIMUM_DEPOSIT_GWEI,
  clockIsWall: true,
  slotMs: 2000,
  names: BERACHAIN_NAMES,
  defaultEndpoints: LOCAL_ENDPOINTS,
} as const satisfies Partial<Network>

/** Berachain: real money. The contract's code was never read from one of its nodes by us. */
export const MAINNET: Network = {
  ...SHARED,
  id: 'mainnet',
  label: 'Berachain',
  kind: 'real',
  executionChainId: 80094,
  engineChainId: 'mainnet-beacon-80094',
  genesisValidatorsRoot: '0xdf609e3b062842c6425ff716aec2d2092c46455d9b2e1a2c9e32c6ba63ff0bda',
  depositContractCodeHashConfirmed: false,
  publicExecution: 'https://rpc.berachain.com',
  pools: {
    vault: '0xe858802ed532c6dad2d196ab5b1f2c15f9cb52b4',
    factories: ['0xb79b43dba821cb67751276ce050ff4111445fb99', '0xad17932a5b1aaeea73d277a6ae670623f176e0d0'],
  },
  spec: {
    ...SHARED_SPEC,
    depositChainId: 80094,
    genesisTimeSeconds: 1_737_381_600n,
    electraTimeSeconds: 1_749_056_400n,
    electraOneTimeSeconds: 1_756_915_200n,
    fuluTimeSeconds: 1_783_526_400n,
  },
}

/** Bepolia: the public test network, with the same limits as Berachain. */
export const BEPOLIA: Network = {
  ...SHARED,
  id: 'bepolia',
  label: 'Bepolia',
  kind: 'test',
  executionChainId: 80069,
  engineChainId: 'testnet-beacon-80069',
  genesisValidatorsRoot: '0x3cbcf75b02fe4750c592f1c1ff8b5500a74406f80f038e9ff250e2e294c5615e',
  depositContractCodeHashConfirmed: true,
  publicExecution: 'https://bepolia.rpc.berachain.com',
  pools: {
    vault: '0xbbed2d94338cde2926a8c0576432de32c05c66e9',
    factories: ['0x24b8223864d3936f56e5a24c4245ae7620471d4c', '0x0aef09ec97bac354d31f180b401454cb76abc395'],
  },
  spec: {
    ...SHARED_SPEC,
    depositChainId: 80069,
    genesisTimeSeconds: 1_739_976_735n,
    electraTimeSeconds: 1_746_633_600n,
    electraOneTimeSeconds: 1_754_496_000n,
    fuluTimeSeconds: 1_779_897_600n,
  },
}

/** The networks that are built in. */
export const PRESETS: readonly Network[] = [MAINNET, BEPOLIA]
