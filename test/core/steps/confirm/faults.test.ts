import { describe, expect } from 'vitest'
import { known } from '../../../../src/core/view/observation.ts'
import { STEP_TEXT } from '../../../../src/core/view/text.ts'
import type { LoopbackReply } from '../../../../src/devnet/loopback-server.ts'
import { faultCode } from '../../../support/fault-code.ts'
import type { Replay } from '../../../support/replay.ts'
import { failed } from '../../../support/replay-node.ts'
import type { Tamper } from '../../../support/replay-servers.ts'
import { KEYS, rows, sentAs, situation, toConfirm } from '../../../support/situation.ts'

const sent = { deposit: sentAs('first deposit, the minimum') }
const key = KEYS.registered
const RECORDED = 'deposit of block 196, receipt, registry, proofs of slots 200 and 218, EIP-4788 roots'

const NEVER = '18446744073709551615'

/** What the recorded network cannot be made to prove stays unproven, and the way to the top-up stays shut. */
async function notProven(it: Replay): Promise<void> {
  expect(it.view('confirm').done).toBe(false)
  expect(it.view('confirm').money.line).toBe(STEP_TEXT.sendsNothing(STEP_TEXT.left.paid('10,000 BERA')))
  expect(await it.session.dispatch({ step: 'session', type: 'went', to: 'topup' })).toBe(false)
}

/** Tampers with the replies of one proof endpoint, or of all. */
const onProofs =
  (change: (reply: Exclude<LoopbackReply, 'close'>) => LoopbackReply, kind = ''): Tamper =>
  (request, reply) =>
    request.path.includes(`/proof/${kind}`) && reply !== 'close' ? change(reply) : undefined

const otherRoot: Tamper = (request, reply) =>
  reply !== 'close' && request.body.includes('0x000f3df6d7')
    ? { ...reply, body: reply.body.replace(/"result":"0x..../, '"result":"0xbad0') }
    : undefined

describe('an endpoint that lies, or says nothing, proves nothing', () => {
  situation(
    'the node lies about the balance in its proof',
    {
      slot: 199,
      key,
      sent,
      node: onProofs((reply) => {
        const body = reply.body.replace(/"validator_balance":"0x\w+"/, '"validator_balance":"0x5af3107a4000"')
        return { ...reply, body }
      }, 'validator_balance'),
      recorded: RECORDED,
      madeUp: 'the balance beside the recorded proof',
    },
    async (it) => {
      await toConfirm(it)
      await it.until(({ confirm }) => confirm.observed.proofs.status === 'known')
      expect(rows(it.view('confirm')).proofs).toMatch(/^refused /)
      expect(known(it.session.getState().confirm.observed.proofs)).toMatchObject({
        fault: { is: 'not-proven', reason: 'balance-not-in-leaf' },
      })
      await notProven(it)
    },
  )

  situation(
    'the node hides that the validator has left',
    {
      slot: 289,
      key,
      sent,
      node: (request, reply) => {
        if (reply === 'close' || !request.path.includes('/validators')) return undefined
        return {
          ...reply,
          body: reply.body.replace(/"(exit|withdrawable)_epoch":"\d\d"/g, `"$1_epoch":"${NEVER}"`),
        }
      },
      recorded: 'validator 3 after its exit at slot 280, its proof of slot 290',
      madeUp: 'the epochs that the node names instead',
    },
    async (it) => {
      await toConfirm(it)
      await it.until(({ confirm }) => confirm.observed.proofs.status === 'known')
      expect(rows(it.view('confirm')).beacon).toMatch(/^proven validator 3/)
      expect(rows(it.view('confirm')).proofs).toMatch(/^refused /)
      expect(known(it.session.getState().confirm.observed.proofs)).toMatchObject({
        fault: { is: 'other-record' },
      })
      await notProven(it)
    },
  )

  situation(
    'the node lies about the balance and puts it into the leaf',
    {
      slot: 199,
      key,
      sent,
      node: onProofs((reply) => {
        const { balance_leaf, ...rest } = JSON.parse(reply.body) as { balance_leaf: string }
        const leaf = `${balance_leaf.slice(0, 50)}00407a10f35a0000`
        return {
          ...reply,
          body: JSON.stringify({ ...rest, balance_leaf: leaf, validator_balance: '0x5af3107a4000' }),
        }
      }, 'validator_balance'),
      recorded: RECORDED,
      madeUp: 'the balance and its leaf',
    },
    async (it) => {
      await toConfirm(it)
      await it.until(({ confirm }) => confirm.observed.proofs.status === 'known')
      expect(rows(it.view('confirm')).proofs).toMatch(/^refused /)
      expect(known(it.session.getState().confirm.observed.proofs)).toMatchObject({
        fault: { is: 'not-proven', reason: 'does-not-reach-the-root' },
      })
      await notProven(it)
    },
  )

  situation(
    'the proof ends in a root that the execution chain does not hold',
    {
      slot: 199,
      key,
      sent,
      execution: otherRoot,
      recorded: RECORDED,
      madeUp: 'the root that EIP-4788 gives',
    },
    async (it) => {
      await toConfirm(it)
      await it.until(({ confirm }) => confirm.observed.anchor.status === 'known')
      expect(rows(it.view('confirm'))).toMatchObject({
        proofs: 'proven valid, slot 200',
        anchor: expect.stringMatching(/^refused /),
      })
      await notProven(it)
    },
  )

  situation(
    'the second endpoint names another root',
    {
      slot: 199,
      key,
      sent,
      withSecond: true,
      second: otherRoot,
      recorded: RECORDED,
      madeUp: 'the second root',
    },
    async (it) => {
      await toConfirm(it)
      await it.until(({ confirm }) => confirm.observed.secondAnchor.status === 'known')
      expect(rows(it.view('confirm'))).toMatchObject({
        anchor: 'proven confirms the root',
        secondAnchor: expect.stringMatching(/^refused /),
      })
      await notProven(it)
    },
  )

  situation(
    'the proof endpoint closes the connection',
    {
      slot: 199,
      key,
      sent,
      node: onProofs(() => 'close'),
      recorded: RECORDED,
      madeUp: 'every proof reply is cut',
    },
    async (it) => {
      await toConfirm(it)
      await it.pass(8)
      expect(rows(it.view('confirm')).proofs).toMatch(/^unknown /)
      expect(faultCode(it.session.getState().confirm.observed.proofs)).toBe('client.says-nothing')
      await notProven(it)
    },
  )

  situation(
    'the proof endpoint is not implemented',
    {
      slot: 199,
      key,
      sent,
      node: onProofs(() => failed(500, 'endpoint /bkit/v1/proof is not yet implemented')),
      recorded: 'words of a node for what it lacks',
      madeUp: 'that it lacks the proofs',
    },
    async (it) => {
      await toConfirm(it)
      await it.pass(8)
      expect(rows(it.view('confirm')).proofs).toMatch(/^unknown /)
      expect(faultCode(it.session.getState().confirm.observed.proofs)).toBe('client.not-offered')
      await notProven(it)
    },
  )

  situation(
    'the proof endpoint answers with a page',
    {
      slot: 199,
      key,
      sent,
      node: onProofs(() => ({ status: 200, contentType: 'text/html', body: '<html>proven</html>' })),
      recorded: RECORDED,
      madeUp: 'the page',
    },
    async (it) => {
      await toConfirm(it)
      await it.pass(8)
      expect(rows(it.view('confirm')).proofs).toMatch(/^unknown /)
      expect(faultCode(it.session.getState().confirm.observed.proofs)).toBe('client.malformed')
      await notProven(it)
    },
  )
})
