import { ClientError } from '../errors/client.ts'
import { endpointName } from '../format/endpoint-url.ts'
import type { ExecutionHead } from '../network/standstill.ts'
import type { ExecutionClient } from './execution/client.ts'
import { getBlockNumber } from './execution/get-block-number.ts'

/** The heads of the execution endpoints that answer. A silent one is left out. */
export async function askExecutionHeads({
  execution,
  second,
}: {
  execution: ExecutionClient
  second: ExecutionClient | undefined
}): Promise<readonly ExecutionHead[]> {
  const ask = async (client: ExecutionClient | undefined, other: boolean): Promise<ExecutionHead[]> => {
    if (client === undefined) return []
    try {
      const block = await getBlockNumber(client)
      return [{ name: endpointName(client.label), block, other }]
    } catch (thrown) {
      if (thrown instanceof ClientError) return []
      throw thrown
    }
  }
  return (await Promise.all([ask(execution, false), ask(second, true)])).flat()
}
