import { DEPOSIT_CONTRACT } from '../contracts.ts'
import type { FrontAnswer } from '../types.ts'
import type { FrontWorld } from './world.ts'

type Config = { current: { systemContracts: Record<string, string> } }

/** `eth_config` (EIP-7910): the client's own answer, with this network's deposit contract in place of Ethereum's. */
export async function ethConfig(world: FrontWorld): Promise<FrontAnswer> {
  const answer = await world.exchange('eth_config', [])
  if ('error' in answer) return answer
  const { current } = answer.result as Config
  const systemContracts = { ...current.systemContracts, DEPOSIT_CONTRACT_ADDRESS: DEPOSIT_CONTRACT }
  return { result: { current: { ...current, systemContracts }, next: null, last: null } }
}
