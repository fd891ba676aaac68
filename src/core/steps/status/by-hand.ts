import { endpointLabel } from '../../base/format/endpoint-url.ts'
import { shellCommand } from '../../base/format/text.ts'
import { queuedCommands } from '../../chain/deposit/operator-command.ts'
import type { Facts, Setup } from '../../chain/facts.ts'
import type { StatusState } from './machine.ts'

/** Returns the commands of this step for somebody who does not trust the screen, or whose wallets must act. */
export function statusCommands(
  { operator }: StatusState,
  { identity }: Facts,
  { network, endpoints, homePath }: Setup,
): string[] {
  const node = endpointLabel(endpoints.node)
  const id = identity?.pubkey ?? '<pubkey>'
  const about = identity && { pubkey: identity.pubkey, contract: network.spec.depositContract }
  return [
    ...(about === undefined ? [] : queuedCommands(operator, about).map(({ command }) => command)),
    shellCommand('curl', '-s', `${node}/eth/v1/beacon/states/head/validators?id=${id}`),
    ...(endpoints.engine === undefined
      ? []
      : [shellCommand('curl', '-s', `${endpointLabel(endpoints.engine)}/validators?per_page=100`)]),
    ...(homePath === undefined ? [] : [shellCommand(network.names.nodeTool, 'status', '--home', homePath)]),
  ]
}
