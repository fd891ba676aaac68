import { networkClash } from '../errors/http.ts'
import { type Hex, sameHex } from '../format/hex.ts'
import { PRESETS } from './presets.ts'

type Claim = { executionChainId: number; engineChainId: string; genesisValidatorsRoot: Hex }

/**
 * Refuses a described network that shares a chain id or a genesis validators root with a built-in one: its limits
 * would be the file's, its money that of the real chain. `source` is the file as people call it.
 *
 * Throws a `NetworkError`.
 */
export function refusePresetClash(source: string, claim: Claim): void {
  for (const preset of PRESETS) {
    if (claim.executionChainId === preset.executionChainId) {
      throw networkClash(source, `execution chain id ${preset.executionChainId} is that of ${preset.label}`)
    }
    if (claim.engineChainId === preset.engineChainId) {
      throw networkClash(source, `engine chain id ${preset.engineChainId} is that of ${preset.label}`)
    }
    if (sameHex(claim.genesisValidatorsRoot, preset.genesisValidatorsRoot)) {
      throw networkClash(source, `the genesis validators root is that of ${preset.label}`)
    }
  }
}
