import { afterAll, beforeAll } from 'vitest'
import type { Devnet } from '../../src/devnet/devnet.ts'
import { depositGate, type FundsInput, type GateInput, type Liar, signFunds } from './gate-world.ts'
import { jsonReply } from './snapshot-world.ts'
import { pass, testDevnet } from './with-devnet.ts'

/** An account that pays, and a network whose set is full, for the tests of one file. */
export function wholeWay() {
  let devnet: Devnet
  let directory: string
  let end: () => Promise<void>

  beforeAll(async () => {
    const started = await testDevnet({ seed: 'whole-way', scenario: 'set-full' })
    devnet = started.devnet
    directory = started.directory
    end = started.end
    await pass(devnet, 5)
  })
  afterAll(() => end())

  return {
    /** The rows of the gate before the first deposit is sent. */
    rows: (liar: Liar, more: Partial<GateInput> = {}) => depositGate({ devnet, directory, liar, ...more }),
    /** What the page of the signature says of the money. */
    funds: (liar: Liar | undefined, more: Partial<FundsInput> = {}) =>
      signFunds({ devnet, directory, ...(liar === undefined ? {} : { liar }), ...more }),
  }
}

/** The account holds this much, by every answer. */
export const holding =
  (balanceWei: bigint): Liar =>
  async ({ body = '' }) => {
    if (!body.includes('"eth_getBalance"')) return undefined
    const { id } = JSON.parse(body) as { id: number }
    return jsonReply(200, { jsonrpc: '2.0', id, result: `0x${balanceWei.toString(16)}` })
  }

/** A node that does not give its whole state. */
export const noState =
  (status: number): Liar =>
  async ({ url }) =>
    url.includes('/eth/v2/debug/beacon/states/')
      ? jsonReply(status, { code: status, message: 'endpoint x is not yet implemented' })
      : undefined
