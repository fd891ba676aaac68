import { describe, expect } from 'vitest'
import { known } from '../../../../src/core/view/observation.ts'
import { STEP_TEXT } from '../../../../src/core/view/text.ts'
import type { LoopbackReply } from '../../../../src/devnet/loopback-server.ts'
import { faultCode } from '../../../support/fault-code.ts'
import { offering, type Saying, saying, status } from '../../../support/offering-node.ts'
import type { Replay } from '../../../support/replay.ts'
import { asked, gate, KEYS, pastConfirm, rows, sentAs, situation } from '../../../support/situation.ts'

const CONTRACT = `0x${'42'.repeat(20)}`
const OTHER = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const HERE = { slot: 187, key: KEYS.registered }
const TURNED_OFF = status(500, 'endpoint is not yet implemented')

/** The genesis step beside a node that says these things. */
function claims(
  title: string,
  sayings: { [path: string]: Saying },
  look: (it: Replay, node: ReturnType<typeof offering>) => Promise<void>,
): void {
  const node = offering(sayings)
  const told = { ...HERE, node, recorded: 'all but these replies', madeUp: Object.keys(sayings).join(', ') }
  situation(title, told, async (it) => {
    await asked(it)
    await look(it, node)
  })
}

/** The gate is open, or shut by this problem; undefined for a shut one that nobody has to explain. */
const shut = (it: Replay, id?: string) => {
  const view = it.view('genesis')
  expect(view.done).toBe(false)
  expect(view.problem?.id).toBe(id)
}
const open = (it: Replay) => expect(it.view('genesis').done).toBe(true)
const row = (it: Replay, id: string) => rows(it.view('genesis'))[id]

const MIXED = 'genesis.other-chain'
const RULES = 'genesis.other-rules'
const HISTORY = 'genesis.other-history'

describe('what the node says of its deposit contract', () => {
  const spec = (parts: object) => ({ 'config/spec': saying(parts) })

  claims(
    'another chain',
    spec({ DEPOSIT_CONTRACT_ADDRESS: CONTRACT, DEPOSIT_NETWORK_ID: '1' }),
    async (it) => {
      expect(row(it, 'config')).toBe('refused chain 1, same contract')
      shut(it, MIXED)
      expect(it.view('genesis').problem?.values).toEqual([
        { label: expect.stringMatching(/^deposit chain of /), value: '1' },
        { label: 'expected', value: '80087' },
      ])
    },
  )

  claims(
    'two chains at once',
    spec({ DEPOSIT_CONTRACT_ADDRESS: CONTRACT, DEPOSIT_NETWORK_ID: '80087', DEPOSIT_CHAIN_ID: '1' }),
    async (it) => {
      expect(row(it, 'config')).toBe('refused chain 1 and 80087, same contract')
      shut(it, MIXED)
    },
  )

  claims(
    'another contract',
    spec({ DEPOSIT_CONTRACT_ADDRESS: OTHER, DEPOSIT_NETWORK_ID: '80087' }),
    async (it) => {
      expect(row(it, 'config')).toMatch(/^refused chain 80087, another contract: 0x00000000219ab5/i)
      shut(it, MIXED)
    },
  )

  claims('neither chain nor contract', spec({}), async (it) => {
    expect(row(it, 'config')).toBe('unknown no chain named, no contract named')
    shut(it)
  })

  claims('nothing, because it fails', { 'config/spec': status(500, 'boom') }, async (it) => {
    expect(row(it, 'config')).toMatch(/^unknown The node API at .* failed while answering\. It said: "boom"$/)
    shut(it)
  })

  claims(
    'the contract in its own place only',
    { ...spec({}), deposit_contract: saying({ chain_id: '80087', address: CONTRACT }) },
    async (it) => {
      expect(row(it, 'config')).toBe('proven no chain named, no contract named')
      expect(row(it, 'deposits')).toBe('proven chain 80087, same contract')
      open(it)
    },
  )

  claims(
    'another contract in its own place',
    { deposit_contract: saying({ chain_id: '80087', address: OTHER }) },
    async (it) => {
      expect(row(it, 'config')).toMatch(/^proven/)
      expect(row(it, 'deposits')).toMatch(/^refused chain 80087, another contract/)
      shut(it, MIXED)
    },
  )
})

describe('what a node need not offer', () => {
  const absent: [string, LoopbackReply][] = [
    ['500, not yet implemented', TURNED_OFF],
    ['500, deprecated', status(500, 'endpoint is deprecated')],
    ['501', status(501)],
    ['404 of the router', { status: 404, contentType: 'application/json', body: '{"message":"Not Found"}' }],
  ]
  for (const [what, reply] of absent) {
    claims(
      `is asked for once: ${what}`,
      { deposit_contract: reply, fork_schedule: reply },
      async (it, node) => {
        await again(it)
        expect(row(it, 'deposits')).toBe(`unasked ${STEP_TEXT.row.notOffered}`)
        expect([...node.asked.values()]).toEqual([1, 1])
        open(it)
      },
    )
  }

  claims(
    'shuts nothing while it fails and never answered',
    { deposit_contract: 'close' },
    async (it, node) => {
      expect(row(it, 'deposits')).toMatch(/^unknown /)
      expect(known(it.session.getState().genesis.observed.deposits)).toMatchObject({ offer: 'unheard' })
      open(it)
      await again(it)
      expect(node.asked.get('deposit_contract')).toBe(2)
    },
  )

  const replies = [saying({ chain_id: '80087', address: CONTRACT }), status(500, 'boom')]
  claims(
    'shuts the gate when it answered once and fails now',
    { deposit_contract: () => replies.shift() ?? status(500, 'boom') },
    async (it) => {
      open(it)
      await again(it)
      expect(row(it, 'deposits')).toMatch(/^unknown .*"boom"$/)
      expect(faultCode(it.session.getState().genesis.observed.deposits)).toBe('client.failed')
      shut(it)
    },
  )
})

describe('the rules that the chain follows', () => {
  const fork = (version: string) => ({
    '/fork': saying({ previous_version: version, current_version: version, epoch: '0x0' }),
  })
  const schedule = (...forks: [version: string, epoch: string][]) => ({
    fork_schedule: saying(
      forks.map(([current_version, epoch]) => ({
        previous_version: current_version,
        current_version,
        epoch,
      })),
    ),
  })

  claims('an unknown fork', fork('0x07000000'), async (it) => {
    expect(row(it, 'fork')).toBe('refused unknown fork 0x07000000, expected Electra')
    shut(it, RULES)
  })
  claims('a known fork before its time', fork('0x06000000'), async (it) => {
    expect(row(it, 'fork')).toBe('refused Fulu, expected Electra')
    shut(it, RULES)
  })
  claims('a node that does not say its fork', { '/fork': status(500, 'boom') }, async (it) => {
    expect(row(it, 'fork')).toMatch(/^unknown/)
    shut(it)
  })
  claims('a schedule that agrees', schedule(['0x05000000', '0'], ['0x07000000', '9999']), async (it) => {
    expect(row(it, 'schedule')).toBe('proven agrees, ahead: unknown fork 0x07000000')
    open(it)
  })
  claims('a schedule of another network', schedule(['0x05000000', '0'], ['0x06000000', '5']), async (it) => {
    expect(row(it, 'schedule')).toMatch(/^refused /)
    shut(it, HISTORY)
  })
  claims('a schedule without a line', { fork_schedule: saying([]) }, async (it) => {
    expect(row(it, 'schedule')).toBe(`unasked ${STEP_TEXT.row.notOffered}`)
    open(it)
  })
  const soon = Math.floor(187 / 8) + 30
  claims(
    'an unknown fork within two hours',
    schedule(['0x05000000', '0'], ['0x07000000', String(soon)]),
    async (it) => {
      expect(it.view('genesis').notes[0]).toMatch(
        /^The chain's rules change in about .*unknown fork 0x07000000/,
      )
      open(it)
    },
  )
})

const REGISTERED = {
  slot: 199,
  key: KEYS.registered,
  sent: { deposit: sentAs('first deposit, the minimum') },
}

describe('rules that change after the chain was checked', () => {
  const forks = ['0x05000000']
  const node = offering({
    '/fork': () => {
      const version = forks.shift() ?? '0x07000000'
      return saying({ previous_version: version, current_version: version, epoch: '0x0' })
    },
  })
  situation(
    'shut the gate before the top-up',
    { ...REGISTERED, node, recorded: 'all but the fork', madeUp: 'an unknown fork from the second look on' },
    async (it) => {
      await pastConfirm(it, 'topup')
      await it.pass(5)
      await it.session.dispatch({ step: 'topup', type: 'chosen', text: '260000' })
      await it.until(({ topup }) => topup.send.observed.dryRun.status === 'known')
      const view = it.view('topup')
      expect(gate(view).chain).toMatch(
        /^refused 80087, block \d+, unknown fork 0x07000000, expected Electra$/,
      )
      expect(view.actions.map(({ key }) => key)).not.toContain('return')
    },
  )
})

describe('a fork within the next two hours', () => {
  const WARNING = /^The chain's rules change in about .*unknown fork 0x07000000/
  const forks = ['0x05000000', '0x07000000'].map((version, place) => ({
    previous_version: version,
    current_version: version,
    epoch: String(place * (Math.floor(199 / 8) + 40)),
  }))

  for (const step of ['topup', 'status'] as const) {
    situation(
      `is told at the step ${step}`,
      {
        ...REGISTERED,
        node: offering({ fork_schedule: saying(forks) }),
        recorded: 'all but the schedule',
        madeUp: 'a schedule with an unknown fork in some 40 epochs',
      },
      async (it) => {
        await pastConfirm(it, step)
        await it.pass(5)
        expect(it.view(step).notes[0]).toMatch(WARNING)
      },
    )
  }
})

/** Asks once more, as a person does who presses r. */
async function again(it: Replay): Promise<void> {
  await it.session.dispatch({ step: 'genesis', type: 'retried' })
  await asked(it)
}
