import { ClientError } from '../../src/core/base/errors/client.ts'
import { endpointLabel } from '../../src/core/base/format/endpoint-url.ts'
import type { Setup } from '../../src/core/chain/facts.ts'
import type { CommandContext } from '../../src/core/observe/context.ts'
import type { PaymentKind } from '../../src/core/pay/gate/following.ts'
import { agreementOf } from '../../src/core/pay/payment/candidates.ts'
import type { PaymentState } from '../../src/core/pay/payment/payment.ts'
import { SLOT_MS } from './chain.ts'
import type { Endpoint } from './endpoint.ts'
import type { Host } from './program.ts'
import { askKey, isHeld, lookAtSecond } from './rules.ts'
import { planOf } from './txs.ts'
import { FIRST_URL, SECOND_URL } from './whole-effects.ts'

/** Slots for which the second endpoint is waited for. */
const SLOTS_TO_WAIT = 8

function silent(url: string): ClientError {
  const parts = { service: 'execution RPC', endpoint: endpointLabel(url), what: 'a look' } as const
  return new ClientError('unreachable', parts)
}

/** The questions of a payment, answered by the model as the real looks answer them. */
export function rulesOf(
  host: Host,
  step: 'deposit' | 'topup',
  {
    context,
    state,
  }: { context: Pick<CommandContext<never>, 'effects' | 'setup'>; state: () => PaymentState },
): PaymentKind {
  const endpointAt = (url: string): Endpoint => host.endpoints[url.startsWith(FIRST_URL) ? 0 : 1]
  const plan = planOf(host.kind, host.amount)
  const agreement = () => agreementOf(state())

  /** The second endpoint is waited for until it has the first one's head. */
  async function key({ endpoints }: Setup) {
    const first = endpointAt(endpoints.execution)
    const second = endpoints.secondExecution === undefined ? undefined : endpointAt(endpoints.secondExecution)
    if (!first.answers()) throw silent(endpoints.execution)
    const block = first.head()
    for (let slots = 0; slots < SLOTS_TO_WAIT && !isHeld(second, block); slots += 1)
      await context.effects.clock.sleep(SLOT_MS)
    if (!first.answers()) throw silent(endpoints.execution)
    return { ...askKey(host, { first, second, block }, agreement()), deposits: [] }
  }

  return {
    step,
    plan: () => plan,
    arrivedGwei: () => 0n,
    key: (setup = context.setup) => key(setup),
    calldata: async () => ({ good: true, words: 'equal' }),
    async second(client) {
      const url = client.label.startsWith('http://first') ? FIRST_URL : SECOND_URL
      const endpoint = endpointAt(url)
      if (!endpoint.answers()) throw silent(url)
      return lookAtSecond(host, endpoint, agreement())
    },
  }
}
