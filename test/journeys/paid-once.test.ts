import { join } from 'node:path'
import { numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { nextDecision } from '../../src/compose/drive-rehearsal.ts'
import type { Effects, HttpRequest } from '../../src/core/base/effects/effects.ts'
import { gweiToWei, tokens } from '../../src/core/base/format/amount.ts'
import { encodeTopUp } from '../../src/core/chain/deposit/calldata.ts'
import { GATE_TEXT } from '../../src/core/pay/gate/text.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import type { Event } from '../../src/core/wizard/state.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import {
  askKey,
  proveAdopted,
  sessionOfValidator,
  shown,
  typeAddress,
  withSecondEndpoint,
} from '../support/adopting.ts'
import { contractAccount } from '../support/contract-account.ts'
import { ownDeposits } from '../support/deposits-of.ts'
import { hardTest, one } from '../support/hard.ts'
import { anyNumbers } from '../support/pattern.ts'
import {
  beginWithSecond,
  decided,
  listen,
  saidOf,
  sessionOfKind,
  withoutState,
} from '../support/real-money.ts'
import { type Ending, register } from '../support/register.ts'
import { alterState } from '../support/snapshot-world.ts'
import { userOf } from '../support/user-of.ts'
import { signShown } from '../support/wallet-machine.ts'
import type { LifeOptions, World } from '../support/world.ts'
import { worldsOfTests } from '../support/worlds-of-tests.ts'

const PAID_ONCE = [tokens(10_000n), tokens(270_000n)]

const openWorld = worldsOfTests()

/** Another hand that pays while time stands still. */
type Hand = (world: World, printed: string) => Promise<void>

/** The command that the screen prints, signed and sent as it stands there. */
const printedCommand: Hand = async (world, printed) => {
  const { rpc } = await userOf(world.devnet)
  await rpc('eth_sendRawTransaction', [await signShown(world, printed)])
}

/** Somebody else's wallet pays so many tokens for the same key. */
const anotherWallet =
  (amountTokens: bigint): Hand =>
  async ({ devnet }) => {
    const { pubkey } = await userOf(devnet)
    const stranger = await contractAccount(devnet)
    const to = devnet.chain.input.spec.depositContract
    await stranger.carryOut({ to, value: gweiToWei(tokens(amountTokens)), data: encodeTopUp({ pubkey }) })
  }

type Moment = 'before the word is typed' | 'between the word and the first byte'
type Offered = 'offered' | 'not offered'

const SLOTS_UNTIL_IN_A_BLOCK_MS = 3000

/** A registration on real money in whose top-up another hand pays once, in that moment. */
async function registerBeside(moment: Moment, pays: Hand, state: Offered) {
  const world = await openWorld()
  let printed = ''
  let isPaid = false
  const payOnce = async (sleep: World['clock']['sleep']) => {
    if (isPaid) return
    isPaid = true
    await world.clock.during(() => pays(world, printed))
    await sleep(SLOTS_UNTIL_IN_A_BLOCK_MS)
  }
  const mutate: LifeOptions['mutate'] = (effects) => {
    const { signer } = effects
    const signTransaction: typeof signer.signTransaction = async (request) => {
      const isTopUp = world.journal().some(({ type }) => type === 'topup.prepared')
      if (isTopUp && moment === 'between the word and the first byte')
        await payOnce(world.clock.resting.sleep)
      return signer.signTransaction(request)
    }
    const beside = { ...effects, signer: { ...signer, signTransaction } }
    return state === 'offered' ? beside : withoutState(beside)
  }
  return world.clock.flow(async () => {
    const session = await sessionOfKind(world, beginWithSecond(world, { mutate }), 'real')
    const said = listen(session)
    const refusals: string[] = []
    session.subscribe(({ topup }) => {
      const { failure } = topup.send
      if (failure !== undefined) refusals.push([failure.shortMessage, ...failure.details].join(' '))
      printed = viewOf('topup', session.getState(), session).commands[0] ?? printed
    })
    const late = beforeWord(session, () =>
      moment === 'before the word is typed' ? payOnce(session.clock.sleep) : Promise.resolve(),
    )
    const ending = await persist(world, late)
    return { world, session, ending, said, refusals }
  })
}

/** A person who waits a little where a payment was refused, presses r, and agrees to what is proposed then. */
async function persist(world: World, session: Session): Promise<Ending> {
  const ending = await register(world, decided(session))
  if (ending.end !== 'refused') return ending
  await session.clock.sleep(SLOTS_UNTIL_IN_A_BLOCK_MS)
  await session.dispatch({ step: 'topup', type: 'checkAsked' })
  await session.clock.sleep(SLOTS_UNTIL_IN_A_BLOCK_MS)
  const decision = nextDecision(decided(session))
  if (decision !== undefined) await session.dispatch(decision)
  return register(world, decided(session))
}

/** The same session, in which something happens between the look at the top-up and its typed word. */
function beforeWord(session: Session, happens: () => Promise<void>): Session {
  return {
    ...session,
    async dispatch(event: Event) {
      if (event.step === 'topup' && event.type === 'agreed') await happens()
      return session.dispatch(event)
    },
  }
}

const HANDS: readonly [Moment, string, Offered, Hand][] = [
  ['before the word is typed', 'the printed command', 'offered', printedCommand],
  ['before the word is typed', 'the printed command', 'not offered', printedCommand],
  ['before the word is typed', 'another wallet', 'not offered', anotherWallet(270_000n)],
  ['between the word and the first byte', 'the printed command', 'offered', printedCommand],
  ['between the word and the first byte', 'the printed command', 'not offered', printedCommand],
  ['between the word and the first byte', 'another wallet', 'offered', anotherWallet(270_000n)],
]

describe('on real money a top-up that another hand has paid is not paid again', () => {
  test.each(one(HANDS, 5))('%s, with %s, the state %s', async (moment, _, state, pays) => {
    const { world, ending, refusals, session } = await registerBeside(moment, pays, state)
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
    expect(ending).toEqual({ end: 'active' })
    expect(refusals[0]).toMatch(anyNumbers(GATE_TEXT.agreed.arrived('270,000 BERA', 1n)))
    expect(session.getState().topup.finished).toEqual([])
  })

  test.each(one<Offered>(['offered', 'not offered'], 1))(
    'in part: what is left is proposed anew, agreed to anew, and paid (the state %s)',
    async (state) => {
      const moment = 'between the word and the first byte'
      const { world, ending, said, refusals } = await registerBeside(moment, anotherWallet(100_000n), state)
      const word = state === 'offered' ? 'send' : 'risk'
      expect(saidOf(said, 'topup types: ')).toEqual([`${word} 270000`, `${word} 170000`])
      expect(refusals[0]).toMatch(anyNumbers(GATE_TEXT.agreed.arrived('100,000 BERA', 1n)))
      expect(ending).toEqual({ end: 'active' })
      expect(await ownDeposits(world)).toEqual([10_000n, 100_000n, 170_000n].map(tokens))
    },
  )
})

describe('on two computers with one wallet', () => {
  /** One of them, with a journal and locks of its own. */
  async function computer(world: World, name: string) {
    const journalDirectory = join(world.directory, name)
    const places = { journalDirectory, lockDirectories: [join(journalDirectory, 'locks')] }
    return sessionOfKind(world, beginWithSecond(world), 'real', places)
  }

  hardTest('the top-up that one has paid while the other one is looked at is not paid there', async () => {
    const world = await openWorld()
    await world.clock.flow(async () => {
      const [here, there] = [await computer(world, 'here'), await computer(world, 'there')]
      const refusals: string[] = []
      here.subscribe(({ topup }) => refusals.push(...(topup.send.failure?.details ?? [])))
      const late = beforeWord(here, async () => {
        if ((await ownDeposits(world)).length > 1) return
        expect(await register(world, decided(there))).toEqual({ end: 'active' })
      })
      expect(await register(world, decided(late))).toEqual({ end: 'active' })
      expect(refusals[0]).toMatch(anyNumbers(GATE_TEXT.agreed.arrived('270,000 BERA', 1n)))
    })
    expect(await ownDeposits(world)).toEqual(PAID_ONCE)
  })
})

describe('a node that understates the balance of a validator that has been paid for', () => {
  type Lie = 'in its list' | 'in its list and its state' | 'in its list and its proof'

  const LIST = /^\/eth\/v1\/beacon\/states\/[^/]+\/validators/
  const PROOF = /\/proof\/validator_balance\//
  const OWN = 12
  const LEAST = tokens(10_000n)

  const inList = (text: string, pubkey: string): string => {
    type Row = { balance: string; validator: { pubkey: string } }
    const { data, ...rest } = JSON.parse(text) as { data: Row[] }
    const told = data.map((row) => {
      return row.validator.pubkey === pubkey ? { ...row, balance: String(LEAST) } : row
    })
    return JSON.stringify({ ...rest, data: told })
  }
  const inState = alterState((text) =>
    text.replace(/"balances":\[([^\]]*)\]/, (_, all: string) => {
      return `"balances":[${all.split(',').with(OWN, String(LEAST)).join(',')}]`
    }),
  )
  const inProof = (text: string): string =>
    text.replace(/"validator_balance":"[^"]*"/, `"validator_balance":"${numberToHex(LEAST)}"`)

  const understating = (effects: Effects, lie: Lie, pubkey: string): Effects => {
    const request = async (asked: HttpRequest) => {
      const { pathname } = new URL(asked.url)
      const { sink: _, ...whole } = asked
      const reply = await effects.http.request(whole)
      const altered = lie === 'in its list and its state' ? await inState(pathname, reply) : undefined
      if (altered !== undefined) return altered
      const isProof = lie === 'in its list and its proof' && PROOF.test(pathname)
      if (!LIST.test(pathname) && !isProof) return reply
      const text = new TextDecoder().decode(reply.body)
      const told = isProof ? inProof(text) : inList(text, pubkey)
      return { ...reply, body: new TextEncoder().encode(told) }
    }
    return { ...effects, http: { request } }
  }

  const ENOUGH = /^No more is needed: your stake keeps a place in the active set/m

  const LIES: readonly [Lie, Offered, RegExp][] = [
    ['in its list', 'offered', ENOUGH],
    ['in its list and its state', 'offered', /problem: The node’s state is not the one that the chain holds/],
    ['in its list', 'not offered', ENOUGH],
    ['in its list and its proof', 'not offered', /key: unknown not proven: the balance is not in its leaf$/m],
  ]

  test.each(one(LIES, 3))(
    '%s, the state %s, has nothing paid again, and it is said why',
    async (lie, state, words) => {
      const world = await openWorld()
      const user = await userOf(world.devnet)
      await user.firstDeposit(10_000n)
      for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
      await user.topUp(270_000n)
      for (let slot = 0; slot < 4; slot += 1) await world.devnet.advanceSlot()
      let isLying = false
      const mutate = (honest: Effects): Effects => {
        const effects = state === 'offered' ? honest : withoutState(honest)
        const liar = understating(effects, lie, user.pubkey)
        return { ...effects, http: { request: (asked) => (isLying ? liar : effects).http.request(asked) } }
      }
      const life = withSecondEndpoint(world, { mutate })
      await world.clock.flow(async () => {
        const validator = { pubkey: user.pubkey }
        const session = await sessionOfValidator(world, life, { validator, kind: 'real' })
        await askKey(session)
        await typeAddress(session, user.address)
        await proveAdopted(session)
        const said = listen(session)
        isLying = true
        await session.dispatch({ step: 'session', type: 'went', to: 'topup' })
        await session.clock.sleep(20_000)
        expect([...saidOf(said, 'topup '), shown(session, 'topup').intro].join('\n')).toMatch(words)
        expect(saidOf(said, 'topup types: ')).toEqual([])
      })
      expect(world.wire).toEqual([])
      expect(await ownDeposits(world)).toEqual(PAID_ONCE)
    },
  )
})
