import { BaseError } from '../../errors/base.ts'
import { WalletError } from '../../errors/wallet.ts'
import type { Setup } from '../../facts.ts'
import { clientsOf } from '../clients-of.ts'
import { type Following, gateClosed, type Judgement, sourcesOf } from './rules.ts'

/**
 * The key once more, at every endpoint that answers; `isSilent` in the order of the endpoints. The second one takes the
 * place of a silent first. What cannot be found out is unknown; throws a `WalletError` alone.
 */
export async function askAgain(following: Following, isSilent: readonly boolean[]): Promise<Judgement[]> {
  const { world, rules } = following
  const setup = withoutSilent(world.setup, isSilent)
  const others = sourcesOf(following).filter((_, at) => at > 0 && isSilent[at] !== true)
  // The look at the key may wait for a root of the second endpoint: what that one says itself is asked after it.
  const key = await judged(() => rules.key(setup))
  const words = others.map(({ client }) => judged(() => rules.second(client, setup)))
  return [key, ...(await Promise.all(words))]
}

async function judged(ask: () => Promise<Judgement>): Promise<Judgement> {
  try {
    return await ask()
  } catch (thrown) {
    if (!(thrown instanceof BaseError) || thrown instanceof WalletError) throw thrown
    return { good: false, unknown: true, words: thrown.shortMessage }
  }
}

function withoutSilent(setup: Setup, [first, second]: readonly boolean[]): Setup {
  const { secondExecution, ...rest } = setup.endpoints
  if (secondExecution === undefined || (first !== true && second !== true)) return setup
  if (first === true) return { ...setup, endpoints: { ...rest, execution: secondExecution } }
  return { ...setup, endpoints: rest }
}

/** Throws a `WalletError` where the key is not as it was agreed to, by any endpoint; whatever a question throws, too. */
export async function requireStillHolds({ world, rules }: Pick<Following, 'world' | 'rules'>): Promise<void> {
  const { second } = clientsOf(world)
  const key = await rules.key()
  const word = second === undefined ? undefined : await rules.second(second)
  const bad = [key, word].find((judgement) => judgement?.good === false)
  if (bad === undefined) return
  throw gateClosed('The validator has changed since you agreed. Nothing was sent.', {
    details: [bad.words],
    nextSteps: ['look at the amount again, and agree again if it still fits'],
  })
}
