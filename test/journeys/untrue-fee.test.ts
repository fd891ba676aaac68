import { expect, test } from 'vitest'
import { answering } from '../support/answering.ts'
import { live } from '../support/register.ts'
import { startWorld } from '../support/world.ts'

/** One wei for each gas. */
const cheaper = (receipt: object) => ({ ...receipt, effectiveGasPrice: '0x1' })

test('a false fee, told always of the deposit and once of the top-up, closes nothing, and the last word on it counts', async () => {
  const world = await startWorld()
  const told: string[] = []
  try {
    const { ending, session } = await live(
      world,
      world.begin({
        mutate: (effects) =>
          answering(effects, ({ method, params }, truth) => {
            if (method !== 'eth_getTransactionReceipt') return undefined
            const hash = String(params[0])
            return truth().then((receipt) => {
              if (typeof receipt !== 'object' || receipt === null) return receipt
              const isTrue = told.includes(hash) && hash !== told[0]
              told.push(hash)
              return isTrue ? receipt : cheaper(receipt)
            })
          }),
      }),
    )
    expect(ending).toEqual({ end: 'active' })
    const { deposit, topup } = session.facts()
    const [lie, truth] = [deposit?.feeWei ?? 0n, topup?.feeWei ?? 0n]
    expect(truth).toBeGreaterThan(lie * 1_000_000n)
    expect(world.journal().filter(({ type }) => type === 'deposit.included')).toHaveLength(1)
    expect(world.journal().filter(({ type }) => type === 'topup.included')).toHaveLength(2)
  } finally {
    await world.end()
  }
})
