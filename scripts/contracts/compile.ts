import { readFileSync } from 'node:fs'
import solc from 'solc'

/** What is kept of a compiled contract: its interface, and the code that stands at its address. */
export type ContractArtifact = { abi: readonly unknown[]; runtimeBytecode: `0x${string}` }

export const CONTRACT_NAMES = ['BeaconRoots', 'DepositContract', 'WithdrawalRequests'] as const
export type ContractName = (typeof CONTRACT_NAMES)[number]

const FOLDER = new URL('../../contracts/', import.meta.url)

/** Everything that decides about the bytes: no metadata, so that comments and paths do not change the code. */
const SETTINGS = {
  evmVersion: 'prague',
  optimizer: { enabled: true, runs: 1000 },
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
}

type SolcMessage = { severity: string; formattedMessage: string }
type SolcContract = { abi: unknown[]; evm: { deployedBytecode: { object: string } } }
type SolcOutput = { errors?: SolcMessage[]; contracts?: Record<string, Record<string, SolcContract>> }

/** Compiles one contract of `contracts/` with fixed settings. Any message of the compiler, a warning too, is thrown. */
export function compileContract(name: ContractName): ContractArtifact {
  const file = `${name}.sol`
  const source = readFileSync(new URL(file, FOLDER), 'utf8')
  const input = { language: 'Solidity', sources: { [file]: { content: source } }, settings: SETTINGS }
  const output = JSON.parse(String(solc.compile(JSON.stringify(input)))) as SolcOutput
  const messages = (output.errors ?? []).map((message) => message.formattedMessage)
  if (messages.length > 0) throw new Error(messages.join('\n'))
  const contract = output.contracts?.[file]?.[name]
  if (contract === undefined) throw new Error(`${file} holds no contract ${name}`)
  return { abi: contract.abi, runtimeBytecode: `0x${contract.evm.deployedBytecode.object}` }
}

/** Where an artifact is kept. */
export function artifactUrl(name: ContractName): URL {
  return new URL(`artifacts/${name}.json`, FOLDER)
}

/** An artifact as the text of its file. */
export function artifactText(artifact: ContractArtifact): string {
  return `${JSON.stringify(artifact, null, 2)}\n`
}
