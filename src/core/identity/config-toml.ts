import { optional, record, text } from '../format/decode.ts'
import { type HomeFile, readToml } from './read-toml.ts'

/** What `config.toml` says: paths relative to the home unless they are absolute. */
export type EngineConfig = {
  genesisFile: string
  keyFile: string
  stateFile: string
  /** Address of a remote signer; empty when the key is in `keyFile`. */
  remoteSigner: string
  rpcAddress: string
}

const fields = record({
  genesis_file: optional(text),
  priv_validator_key_file: text,
  priv_validator_state_file: text,
  priv_validator_laddr: optional(text),
  rpc: record({ laddr: text }),
})

/** Reads `config/config.toml`. Throws a `HomeError` that names the field. */
export function readConfigToml(file: HomeFile): EngineConfig {
  const read = readToml(file, fields)
  return {
    genesisFile: read.genesis_file ?? 'config/genesis.json',
    keyFile: read.priv_validator_key_file,
    stateFile: read.priv_validator_state_file,
    remoteSigner: read.priv_validator_laddr ?? '',
    rpcAddress: read.rpc.laddr,
  }
}

const client = record({ 'chain-id': text })

/** Reads the engine chain id of `config/client.toml`. Throws a `HomeError` that names the field. */
export function readClientToml(file: HomeFile): { engineChainId: string } {
  return { engineChainId: readToml(file, client)['chain-id'] }
}
