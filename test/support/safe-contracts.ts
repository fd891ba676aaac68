import multiSendCallOnly from '@safe-global/safe-smart-account/build/artifacts/contracts/libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json' with {
  type: 'json',
}
import proxy from '@safe-global/safe-smart-account/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json' with {
  type: 'json',
}
import proxyFactory from '@safe-global/safe-smart-account/build/artifacts/contracts/proxies/SafeProxyFactory.sol/SafeProxyFactory.json' with {
  type: 'json',
}
import singleton from '@safe-global/safe-smart-account/build/artifacts/contracts/SafeL2.sol/SafeL2.json' with {
  type: 'json',
}
import {
  concat,
  encodeFunctionData,
  encodePacked,
  getCreate2Address,
  keccak256,
  padHex,
  parseAbi,
  size,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { Hex } from '../../src/core/base/format/hex.ts'

/** What the owners agree to, in the fields that they sign. */
export type SafeTransaction = {
  to: Hex
  value: bigint
  data: Hex
  /** 0 calls, 1 runs the code of `to` as the Safe's own. */
  operation: 0 | 1
  safeTxGas: bigint
  baseGas: bigint
  gasPrice: bigint
  gasToken: Hex
  refundReceiver: Hex
  nonce: bigint
}

export const SAFE_ABI = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) payable returns (bool success)',
  'function nonce() view returns (uint256)',
  'event ExecutionSuccess(bytes32 indexed txHash, uint256 payment)',
  'event ExecutionFailure(bytes32 indexed txHash, uint256 payment)',
])
const FACTORY_ABI = parseAbi([
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address proxy)',
])
const MULTI_SEND_ABI = parseAbi(['function multiSend(bytes transactions) payable'])

/** The typed data that owners sign. */
export const SAFE_TX_TYPES = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const

/** Deploys its calldata behind a salt of 32 bytes; Safe has it at this address on every network. */
const DEPLOYER = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7'
const DEPLOYER_CODE: Hex =
  '0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3'

const CONTRACTS = [singleton, proxyFactory, multiSendCallOnly].map(({ bytecode }) => bytecode as Hex)
const [SINGLETON, PROXY_FACTORY, MULTI_SEND] = CONTRACTS.map((bytecode) =>
  getCreate2Address({ from: DEPLOYER, salt: zeroHash, bytecode }),
) as [Hex, Hex, Hex]

/** Where the contracts of Safe 1.5.0 stand: an address follows from the code that is deployed there. */
export const SAFE_CONTRACTS = { singleton: SINGLETON, proxyFactory: PROXY_FACTORY, multiSend: MULTI_SEND }

/** A call that somebody must send, and gas that is enough for it. */
export type Sendable = { to: Hex; data: Hex; value: bigint; gas: bigint }

/** A Safe that does not stand yet: its address, and all that must be sent, in this order, until it does. */
export function newSafe(owners: readonly Hex[], threshold: number): { address: Hex; calls: Sendable[] } {
  const nobody = [zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress] as const
  const setup = encodeFunctionData({
    abi: SAFE_ABI,
    functionName: 'setup',
    args: [owners, BigInt(threshold), ...nobody],
  })
  const create = encodeFunctionData({
    abi: FACTORY_ABI,
    functionName: 'createProxyWithNonce',
    args: [SINGLETON, setup, 0n],
  })
  const address = getCreate2Address({
    from: PROXY_FACTORY,
    salt: keccak256(concat([keccak256(setup), zeroHash])),
    bytecode: concat([proxy.bytecode as Hex, padHex(SINGLETON, { size: 32 })]),
  })
  const deployed = CONTRACTS.map((code) => ({ to: DEPLOYER, data: concat([zeroHash, code]) }) as const)
  const calls = [...deployed, { to: PROXY_FACTORY, data: create }]
  return { address, calls: calls.map((call) => ({ ...call, value: 0n, gas: 6_000_000n })) }
}

/** The deployer whose key only Safe's own people have: the code that a network gets from them. */
export const DEPLOYER_ACCOUNT = { address: DEPLOYER, code: DEPLOYER_CODE } as const

/** Several calls as one that the Safe runs as its own code. */
export function multiSend(calls: readonly { to: Hex; value: bigint; data: Hex }[]): {
  to: Hex
  data: Hex
} {
  const packed = calls.map(({ to, value, data }) =>
    encodePacked(
      ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
      [0, to, value, BigInt(size(data)), data],
    ),
  )
  const data = encodeFunctionData({ abi: MULTI_SEND_ABI, functionName: 'multiSend', args: [concat(packed)] })
  return { to: MULTI_SEND, data }
}
