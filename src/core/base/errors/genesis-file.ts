import { BaseError } from './base.ts'

/** The engine's genesis file is not what it must be. */
export class GenesisFileError extends BaseError {
  override name = 'GenesisFileError'
}

const GET_FILE = "Put the network's published genesis.json into the config folder of the node's home."

/** One field of the genesis file is missing or odd. Texts must already be safe to draw. */
export function badGenesisField(problem: {
  field: string
  found: string
  expected: string
}): GenesisFileError {
  return new GenesisFileError('genesis-file.bad-field', `genesis.json has no usable ${problem.field}.`, {
    details: [`field: ${problem.field}`, `found: ${problem.found}`, `expected: ${problem.expected}`],
    nextSteps: [GET_FILE],
  })
}

/** The text is not JSON, most often cut off; `reason` is safe to draw. */
export function genesisNotJson(reason: string): GenesisFileError {
  return new GenesisFileError('genesis-file.not-json', 'genesis.json is not complete JSON.', {
    details: [`found: ${reason}`, 'expected: one JSON object'],
    nextSteps: [GET_FILE],
  })
}

/** The file that `init` writes: no deposits, so no validators root of any network. */
export function genesisWithoutDeposits(): GenesisFileError {
  const sentence = "genesis.json is the empty one that the node's init writes, not the network's."
  return new GenesisFileError('genesis-file.no-deposits', sentence, {
    details: [
      'field: app_state.beacon.deposits',
      'found: no deposit',
      'expected: the genesis deposits of the network',
    ],
    nextSteps: [GET_FILE],
  })
}

/** The file is whole, but its deposits make another root than the network's. Roots in 0x hex. */
export function genesisOfAnotherRoot({
  found,
  expected,
}: {
  found: string
  expected: string
}): GenesisFileError {
  return new GenesisFileError('genesis-file.other-root', 'genesis.json is not the one of this network.', {
    details: [`its genesis validators root: ${found}`, `expected: ${expected}`],
    nextSteps: [GET_FILE],
  })
}
