import { describe, expect } from 'vitest'
import type { PeerCounts } from '../../../../src/core/chain/network/standstill.ts'
import { healthWords, peersWords, standstillWords } from '../../../../src/core/observe/findings.ts'
import { GATE_TEXT } from '../../../../src/core/pay/gate/text.ts'
import { STEP_TEXT } from '../../../../src/core/view/text.ts'
import type { LoopbackReply } from '../../../../src/devnet/loopback-server.ts'
import { beside, counted, NO_PEERS, type Sayings, withPeers } from '../../../support/beside-node.ts'
import { type Saying, saying, status } from '../../../support/offering-node.ts'
import type { Replay } from '../../../support/replay.ts'
import type { Tamper } from '../../../support/replay-servers.ts'
import { asked, KEYS, rows, situation } from '../../../support/situation.ts'

const peers = (it: Replay, counts: PeerCounts) => peersWords(counts, it.session.setup.network)
const row = (it: Replay, id: string) => rows(it.view('identity'))[id]
const isOpen = (it: Replay) => it.view('identity').done

describe('the key is looked at beside a node that says more than it need', () => {
  beside('nothing of all this', {}, async (it) => {
    await asked(it)
    expect(it.view('identity').facts.slice(-3)).toMatchObject([
      { id: 'peers', mark: 'unasked', value: STEP_TEXT.row.notOffered },
      { id: 'health', mark: 'unasked', value: STEP_TEXT.row.notOffered },
      { id: 'finality', mark: 'unasked', value: STEP_TEXT.row.notOffered },
    ])
    expect(isOpen(it)).toBe(true)
  })

  const healths: [string, Saying, string, boolean][] = [
    ['ready, without a body', status(200), `proven ${healthWords('ready')}`, true],
    ['syncing', status(206), `refused ${healthWords('syncing')}`, false],
    ['not ready', status(503), `refused ${healthWords('not-initialized')}`, false],
    ['a fault, and never an answer', status(500, 'boom'), 'unknown', true],
  ]
  for (const [what, say, words, open] of healths) {
    beside(`its health: ${what}`, { node: { 'node/health': say } }, async (it) => {
      await asked(it)
      expect(row(it, 'health')?.startsWith(words)).toBe(true)
      expect(isOpen(it)).toBe(open)
    })
  }

  const replies = [status(200)]
  beside(
    'its health once, and then no more',
    { node: { 'node/health': () => replies.shift() ?? 'close' } },
    async (it) => {
      await asked(it)
      expect(isOpen(it)).toBe(true)
      await it.session.dispatch({ step: 'identity', type: 'retried' })
      await asked(it)
      expect(row(it, 'health')).toMatch(/^unknown /)
      expect(it.session.getState().identity.observed.health).toMatchObject({
        status: 'failed',
        error: { code: 'client.says-nothing' },
      })
      expect(isOpen(it)).toBe(false)
    },
  )

  const finality = (epoch: number): Sayings => {
    const checkpoint = { epoch: String(epoch), root: `0x${'11'.repeat(32)}` }
    const data = { previous_justified: checkpoint, current_justified: checkpoint, finalized: checkpoint }
    return { finality_checkpoints: saying(data) }
  }
  beside('finality at the head', { node: finality(23) }, async (it) => {
    await asked(it)
    expect(row(it, 'finality')).toBe('proven final to epoch 23, head in epoch 23')
    expect(isOpen(it)).toBe(true)
  })
  for (const epoch of [0, 21, 25]) {
    beside(`finality at epoch ${epoch}, far from the head`, { node: finality(epoch) }, async (it) => {
      await asked(it)
      expect(row(it, 'finality')).toBe(`refused final to epoch ${epoch}, head in epoch 23`)
      expect(isOpen(it)).toBe(false)
    })
  }

  beside('no peers on real money', { engine: { '/net_info': NO_PEERS }, kind: 'real' }, async (it) => {
    await asked(it)
    expect(row(it, 'peers')).toBe(`refused ${peers(it, { engine: 0, node: undefined })}`)
    expect(isOpen(it)).toBe(true)
  })
  beside('no peers on a test network of one node', { engine: { '/net_info': NO_PEERS } }, async (it) => {
    await asked(it)
    expect(row(it, 'peers')).toBe(`proven ${peers(it, { engine: 0, node: undefined })}`)
  })
  beside(
    'peers of both halves',
    { engine: { '/net_info': withPeers(3) }, node: { 'node/peer_count': counted('4') } },
    async (it) => {
      await asked(it)
      expect(row(it, 'peers')).toBe('proven engine 3, node API 4')
    },
  )
  beside(
    'peers of one half only',
    { engine: { '/net_info': withPeers(3) }, node: { 'node/peer_count': counted('0') }, kind: 'real' },
    async (it) => {
      await asked(it)
      expect(row(it, 'peers')).toBe(`refused ${peers(it, { engine: 3, node: 0 })}`)
    },
  )
  beside('no peers on a rehearsal', { engine: { '/net_info': NO_PEERS }, kind: 'rehearsal' }, async (it) => {
    await asked(it)
    expect(row(it, 'peers')).toBe(`proven ${peers(it, { engine: 0, node: undefined })}`)
  })
})

describe('the key is looked at beside an engine that says that it catches up', () => {
  const beside = (title: string, says: (look: number) => boolean, look: (it: Replay) => Promise<void>) => {
    let looks = 0
    const engine: Tamper = ({ path }, reply) => {
      if (path !== '/status' || reply === 'close') return undefined
      looks += 1
      return says(looks) ? catchingUp(reply) : undefined
    }
    const told = { recorded: 'all but this word', madeUp: 'catching_up of the engine' }
    situation(title, { slot: 187, key: KEYS.registered, engine, ...told }, look)
  }

  beside(
    'all along: neither good nor bad, and no way on',
    () => true,
    async (it) => {
      await asked(it)
      expect(row(it, 'engine')).toMatch(/^proven /)
      expect(row(it, 'engineSync')).toBe(`unknown ${GATE_TEXT.node.catchesUp}`)
      expect(isOpen(it)).toBe(false)
    },
  )

  beside(
    'in the first look of each step alone: it is asked again by itself',
    (look) => look <= 2,
    async (it) => {
      await it.until(({ identity }) => identity.observed.engine.status === 'known')
      expect(row(it, 'engineSync')).toMatch(/^unknown /)
      expect(isOpen(it)).toBe(false)
      await asked(it)
      expect(row(it, 'engineSync')).toMatch(/^proven /)
      expect(isOpen(it)).toBe(true)
    },
  )
})

describe('the key is looked at beside a node that hangs', () => {
  const hung = { slot: 187, key: KEYS.registered, hangsAt: 188, recorded: 'all of slots 187 to 199' }

  situation(
    'and another endpoint goes on: it is named, with what to do',
    { ...hung, withSecond: true, madeUp: 'that the own node stays at slot 188' },
    async (it) => {
      await it.pass(3)
      await it.session.dispatch({ step: 'identity', type: 'retried' })
      await asked(it)
      expect(row(it, 'node')).toMatch(/^refused .* slot 188 for 11 s, .*127\.0\.0\.1:\d+ .*block 20\d$/)
      expect(it.view('identity').problem).toMatchObject({
        id: 'identity.node-hangs',
        money: 'untouched',
      })
      expect(isOpen(it)).toBe(false)
    },
  )

  situation('and nobody else is asked: what is not known is said', hung, async (it) => {
    await it.pass(3)
    await it.session.dispatch({ step: 'identity', type: 'retried' })
    await asked(it)
    expect(row(it, 'node')).toBe(
      `refused ${standstillWords({ slot: 188n, stillMs: 11_000, beside: { is: 'unknown' } })}`,
    )
    expect(isOpen(it)).toBe(false)
  })
})

function catchingUp(reply: Exclude<LoopbackReply, 'close'>): LoopbackReply {
  return { ...reply, body: reply.body.replace('"catching_up":false', '"catching_up":true') }
}
