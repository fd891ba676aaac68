import { endpointLabel } from '../../base/format/endpoint-url.ts'
import { shellCommand } from '../../base/format/text.ts'
import type { Setup } from '../../chain/facts.ts'
import { CHAIN_SPECS } from '../../chain/identity/home-findings.ts'
import { MAINNET } from '../../chain/network/presets.ts'
import { type IdentityState, identityKey } from './state.ts'

/** Returns the commands that ask by hand what this step asks: of the node tool, the contract and the node. */
export function identityCommands(state: IdentityState, { network, homePath, endpoints }: Setup): string[] {
  const { names, spec } = network
  const pubkey = identityKey(state)?.pubkey ?? '<pubkey>'
  const node = endpointLabel(endpoints.node)
  const rpc = ['--rpc-url', endpointLabel(endpoints.execution)]
  return [
    ...(homePath === undefined
      ? []
      : [
          shellCommand(names.nodeTool, 'deposit', 'validator-keys', '--home', homePath),
          shellCommand(names.nodeTool, 'status', '--home', homePath),
        ]),
    shellCommand('cast', 'call', spec.depositContract, 'getOperator(bytes)(address)', pubkey, ...rpc),
    shellCommand('curl', '-s', `${node}/eth/v1/beacon/states/head/validators?id=${pubkey}`),
  ]
}

/**
 * The command of the node tool that makes a new key, in an empty directory: the node does not start without a key file,
 * and `init` in the home of a node would write over its settings. In a rehearsal it is the one for mainnet.
 */
export function newKeyCommands(setup: Pick<Setup, 'network'>): string[] {
  const network = setup.network.kind === 'rehearsal' ? MAINNET : setup.network
  const chain = ['--chain-id', network.engineChainId]
  const named = CHAIN_SPECS[network.id]
  const spec = named === undefined ? [] : [`--${network.names.appSection}.chain-spec`, named]
  return [
    shellCommand(network.names.nodeTool, 'init', 'new-key', ...chain, ...spec, '--home', 'NEW_EMPTY_DIR'),
  ]
}
