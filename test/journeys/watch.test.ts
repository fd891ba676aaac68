import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeFunctionData, getAddress, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Effects, HttpReply } from '../../src/core/base/effects/effects.ts'
import { httpError } from '../../src/core/base/errors/http.ts'
import { tokens } from '../../src/core/base/format/amount.ts'
import type { Hex } from '../../src/core/base/format/hex.ts'
import { encodeWithdrawalCall } from '../../src/core/chain/deposit/withdrawal-call.ts'
import { engineKey } from '../../src/core/chain/identity/engine-key.ts'
import type { AlarmId, WatchEvent } from '../../src/core/view/alarm-event.ts'
import { WITHDRAWAL_REQUESTS } from '../../src/devnet/execution/genesis.ts'
import { account, validatorKey } from '../../src/devnet/keys.ts'
import { loopbackServer } from '../../src/devnet/loopback-server.ts'
import { EXIT } from '../../src/output/io.ts'
import { operatorCancelled, signsAgain } from '../../src/watch/findings.ts'
import { SENTENCES } from '../../src/watch/notify/text.ts'
import { SLOTS_TO_BE_OVER } from '../../src/watch/transition.ts'
import { HARD } from '../support/hard.ts'
import { readMetrics } from '../support/metrics-text.ts'
import { userOf } from '../support/user-of.ts'
import { beginWatch, type ToldEvent, type WatchRun } from '../support/watch-run.ts'
import { startWorld, type World } from '../support/world.ts'

const MINE = { pubkey: '0x', name: 'mine' } as const

const OPERATOR_ABI = parseAbi([
  'function requestOperatorChange(bytes pubkey, address newOperator)',
  'function cancelOperatorChange(bytes pubkey)',
])
const STRANGER: Hex = `0x${'5a'.repeat(20)}`

/** A rehearsal network with a watch on it that is ended and begun again as often as a story wants. */
async function watching(story: (it: Watching) => Promise<void>): Promise<void> {
  const world = await startWorld({ scenario: 'outbid-while-active' })
  try {
    await world.clock.flow(async () => {
      const it = await beginWatching(world)
      await story(it)
      await it.end()
      expect(it.told.map(({ sequence }) => sequence)).toEqual(it.told.map((_, at) => at + 1))
      expect(it.faults).toEqual([])
    })
  } finally {
    await world.end()
  }
}

type Watching = Awaited<ReturnType<typeof beginWatching>>

async function beginWatching(world: World) {
  const { descriptor, chain } = world.devnet
  const state = await mkdtemp(join(world.directory, 'state-'))
  const keyOf = (name: Parameters<typeof validatorKey>[1]): Hex => validatorKey(descriptor.seed, name).pubkey
  const pubkey = keyOf('genesis/11')
  const user = await userOf(world.devnet)
  /** A validator of somebody else, and where its stake is paid out. */
  const others = { leaver: keyOf('genesis/2'), payout: account(descriptor.seed, 'others').address }
  let running: WatchRun | undefined
  /** Whose key the node runs with. */
  let runs: Parameters<typeof validatorKey>[1] = 'fresh'
  let halted = false
  const silent = new Set<'node' | 'engine' | 'execution'>()
  /** What the own node and its execution client tell, from when they hang or fall behind on. */
  let late: { by: 'node' | 'execution'; answers: Map<string, HttpReply> } | undefined

  // The chain makes no block while it is halted, and time goes on.
  const advance = chain.advance.bind(chain)
  chain.advance = async (timestamp) => {
    while (halted) await world.clock.resting.sleep(1000)
    return advance(timestamp)
  }

  /** A node that can be silent or hang, whose key file may be changed, and its execution client. */
  const withNode = (effects: Effects): Effects => ({
    ...effects,
    http: {
      async request(asked) {
        const { urls } = descriptor
        const role = (['node', 'engine', 'execution'] as const).find((each) =>
          asked.url.startsWith(urls[each]),
        )
        if (role !== undefined && silent.has(role))
          throw httpError('http.unreachable', urls[role], 'ECONNREFUSED')
        const isHead =
          role === 'execution'
            ? asked.body?.includes('eth_blockNumber') === true
            : /\/(?:headers\/head|status)$/.test(asked.url)
        const isOf = late?.by === 'execution' ? role === 'execution' : role === 'node' || role === 'engine'
        const before = isHead && isOf ? late?.answers.get(asked.url) : undefined
        const now = await effects.http.request(asked)
        const reply = before === undefined ? now : withIdOf(now, before)
        if (isHead && isOf && before === undefined) late?.answers.set(asked.url, reply)
        return runs !== 'fresh' && asked.url.endsWith('/status') ? changed(reply) : reply
      },
    },
  })
  /** An answer of before to a question of now. */
  const withIdOf = (now: HttpReply, before: HttpReply): HttpReply => {
    const [{ id }, told] = [now, before].map(({ body }) => JSON.parse(new TextDecoder().decode(body)))
    return { ...before, body: new TextEncoder().encode(JSON.stringify({ ...told, id })) }
  }
  const changed = (reply: HttpReply): HttpReply => {
    const text = new TextDecoder().decode(reply.body)
    const swapped = text.replaceAll(engineKey(keyOf('fresh')), engineKey(keyOf(runs)))
    return { ...reply, body: new TextEncoder().encode(swapped) }
  }

  /** Begins a watch, and says how to end it and when it has. */
  const start = (more: readonly string[] = []) => {
    const life = world.begin({ mutate: withNode })
    const { execution } = descriptor.urls
    const other = execution.replace('127.0.0.1', 'localhost')
    return beginWatch(
      [
        '--devnet',
        join(world.directory, 'descriptor.json'),
        '--lang',
        'en',
        ...more,
        '--execution',
        `${execution},${other}`,
        `${pubkey}=mine`,
        `${keyOf('fresh')}=fresh`,
        `${others.leaver}=leaver`,
      ],
      { effects: life.effects, directory: state, ...(running === undefined ? {} : { before: running }) },
    )
  }
  const begin = (more?: readonly string[]): WatchRun => {
    running = start(more)
    return running
  }
  const pass = (slots: number) => world.clock.sleep(slots * 1000)
  const { told, faults } = begin()
  return {
    world,
    told,
    faults,
    state,
    pubkey,
    rival: keyOf('rival'),
    user,
    pass,
    /** Ends the watch and begins it again some slots later. */
    async restart(slots = 3, more: readonly string[] = []) {
      await running?.stop()
      await pass(slots)
      begin(more)
      await pass(2)
    },
    /** Lets time pass until an alarm has changed so once more; one that came again soon stays for a while. */
    async until(alarm: AlarmId, change: WatchEvent['change'], from = 0): Promise<ToldEvent> {
      for (let slot = 0; slot < 200 + SLOTS_TO_BE_OVER; slot += 1) {
        const found = told.slice(from).find((each) => each.alarm === alarm && each.change === change)
        if (found !== undefined) return found
        await pass(1)
      }
      throw new Error(`${alarm} was not ${change}: ${JSON.stringify(told)} ${faults.join(' ')}`)
    },
    silence: (is: boolean, roles: readonly ('node' | 'engine' | 'execution')[] = ['node', 'engine']) => {
      for (const role of roles) {
        if (is) silent.add(role)
        else silent.delete(role)
      }
    },
    /** The heads that the node, or its execution client, tells from now on are those of now. */
    hang: (by: 'node' | 'execution' | undefined) => {
      late = by === undefined ? undefined : { by, answers: new Map() }
    },
    /** Blocks from now on are not signed by these. */
    withhold: (pubkeys: readonly Hex[]) => chain.withhold(pubkeys),
    keyOf,
    others,
    /** Sends something of an account of the network that the rehearsal plays. */
    async sendFrom(from: Hex, to: Hex, data: Hex, valueWei = 0n) {
      const { rpc, addBalance } = world.devnet.execution
      await addBalance(from, 10n ** 18n)
      await rpc('hardhat_impersonateAccount', [from])
      const value = `0x${valueWei.toString(16)}`
      await rpc('eth_sendTransaction', [{ from, to, data, value, gas: '0x30d40' }])
      await rpc('hardhat_stopImpersonatingAccount', [from])
    },
    swapKey: (is: boolean) => {
      runs = is ? 'genesis/3' : 'fresh'
    },
    /** The node runs with the key of another validator from now on. */
    runAs: (name: typeof runs) => {
      runs = name
    },
    halt: (is: boolean) => {
      halted = is
    },
    /** Begins another one beside it. */
    another: (more?: readonly string[]) => start(more).ended,
    end: async () => void (await running?.stop()),
  }
}

/** What an alarm did, but for repeats. */
const changesOf = ({ told }: Watching, alarm: AlarmId, from = 0) =>
  told
    .slice(from)
    .filter((each) => each.alarm === alarm && each.change !== 'repeated')
    .map(({ change }) => change)

/** The alarm is fired, outlives a restart, and is cleared once under the same id. */
async function through(
  it: Watching,
  alarm: AlarmId,
  { begin, finish }: { begin(): unknown; finish(fired: ToldEvent): unknown },
): Promise<{ fired: ToldEvent; cleared: ToldEvent }> {
  const from = it.told.length
  await begin()
  const fired = await it.until(alarm, 'fired', from)
  await it.restart()
  await finish(fired)
  const cleared = await it.until(alarm, 'cleared', from)
  expect(cleared.id).toBe(fired.id)
  await it.pass(4)
  expect(changesOf(it, alarm, from).filter((change) => change !== 'worse')).toEqual(['fired', 'cleared'])
  return { fired, cleared }
}

const STORIES: Readonly<Record<string, (it: Watching) => Promise<void>>> = {
  'numbers for a monitoring system, while it runs': async (it) => {
    await it.restart(3, ['--metrics', '127.0.0.1:0'])
    const saying = /^metrics at (http:\/\/127\.0\.0\.1:\d+)\/metrics$/
    while (!it.faults.some((line) => saying.test(line))) await it.pass(1)
    const [, url = ''] = saying.exec(it.faults.splice(0).join('')) ?? []
    await it.pass(3)
    const asked = async (path: string, options?: RequestInit) => {
      const reply = await fetch(`${url}${path}`, options)
      return { status: reply.status, text: await reply.text() }
    }
    const { status, text } = await asked('/metrics')
    expect(status).toBe(200)
    expect(text.endsWith('# EOF\n')).toBe(true)
    const { value } = readMetrics(text)
    expect(value('bearings_validator_registered', { name: 'mine' })).toBe('1')
    expect(value('bearings_validator_registered', { name: 'fresh' })).toBe('0')
    expect(value('bearings_validator_status', { name: 'mine', status: 'active_ongoing' })).toBe('1')
    expect(value('bearings_validator_rank', { name: 'mine' })).toMatch(/^\d+$/)
    expect(value('bearings_validator_places')).toBe('12')
    expect(Number(value('bearings_validator_effective_balance_tokens', { name: 'mine' }))).toBeGreaterThan(
      250_000,
    )
    expect(value('bearings_endpoint_up', { role: 'node' })).toBe('1')
    expect(Number(value('bearings_chain_slot'))).toBeGreaterThan(3)
    expect((await asked('/live')).status).toBe(200)
    expect(await asked('/ready')).toEqual({ status: 200, text: 'ready\n' })
    expect((await asked('/watch.json')).status).toBe(404)
    expect((await asked('/metrics', { method: 'POST', body: 'x' })).status).toBe(405)
    it.silence(true)
    await it.until('node-silent', 'fired')
    expect((await asked('/metrics')).text).toMatch(/^bearings_alarm_active\{.*alarm="node-silent".*\} 1$/m)
    it.silence(false)
    await it.until('node-silent', 'cleared')
    expect((await asked('/metrics')).text).not.toMatch(/^bearings_alarm_active\{.*alarm="node-silent"/m)
    await it.restart()
    await expect(fetch(`${url}/live`)).rejects.toThrow()
  },
  'a node that is silent': async (it) => {
    const { fired } = await through(it, 'node-silent', {
      begin: () => it.silence(true),
      finish: () => it.silence(false),
    })
    expect(fired.severity).toBe('critical')
  },
  'a node that hangs while the chain goes on': async (it) => {
    const from = it.told.length
    const { fired } = await through(it, 'node-hanging', {
      begin: () => it.hang('node'),
      finish: () => it.hang(undefined),
    })
    expect(fired.severity).toBe('critical')
    expect(changesOf(it, 'chain-halted', from)).toEqual([])
  },
  'an execution client that stopped': async (it) => {
    const { fired } = await through(it, 'execution-silent', {
      begin: () => it.silence(true, ['execution']),
      finish: () => it.silence(false, ['execution']),
    })
    expect(fired.severity).toBe('warning')
    expect(changesOf(it, 'endpoints-silent')).toEqual([])
  },
  'an execution client that is behind': async (it) => {
    const { fired, cleared } = await through(it, 'execution-behind', {
      begin: () => it.hang('execution'),
      finish: () => it.hang(undefined),
    })
    expect(fired.title).toMatch(/ \d+ .* for /)
    expect(cleared.severity).toBe(fired.severity)
  },
  'a key that votes while its node runs with another one': async (it) => {
    it.runAs('genesis/11')
    await it.pass(4)
    const { fired } = await through(it, 'key-elsewhere', {
      begin: () => it.runAs('genesis/3'),
      finish: () => it.runAs('genesis/11'),
    })
    expect(fired).toMatchObject({ severity: 'critical', validator: { name: 'mine' } })
    expect(changesOf(it, 'node-other-key')).toEqual(['fired', 'cleared'])
    it.runAs('fresh')
    await it.pass(2)
  },
  'a key that votes while its node is silent, by the engine of somebody else': async (it) => {
    const { engine } = it.world.devnet.descriptor.urls
    it.runAs('genesis/11')
    const beside = ['--engine', `${engine},${engine.replace('127.0.0.1', 'localhost')}`]
    await it.restart(3, beside)
    await it.pass(4)
    const from = it.told.length
    it.silence(true)
    const fired = await it.until('key-elsewhere', 'fired', from)
    expect(fired.severity).toBe('warning')
    await it.pass(30)
    expect(changesOf(it, 'key-elsewhere', from)).toEqual(['fired'])
    it.silence(false)
    await it.until('key-elsewhere', 'cleared', from)
    expect(changesOf(it, 'key-elsewhere', from)).toEqual(['fired', 'cleared'])
    it.runAs('fresh')
    await it.restart()
  },
  'blocks that it missed, and not those that many missed too': async (it) => {
    const from = it.told.length
    const others = ['genesis/7', 'genesis/8', 'genesis/9', 'genesis/10'] as const
    it.withhold([it.pubkey, ...others.map(it.keyOf)])
    await it.pass(10)
    it.withhold([])
    await it.pass(3)
    expect(changesOf(it, 'missed-blocks', from)).toEqual([])
    it.withhold([it.pubkey])
    const fired = await it.until('missed-blocks', 'fired', from)
    it.withhold([])
    await it.restart(1)
    const cleared = await it.until('missed-blocks', 'cleared', from)
    await it.pass(4)
    expect(changesOf(it, 'missed-blocks', from)).toEqual(['fired', 'cleared'])
    expect(cleared.id).toBe(fired.id)
    expect(fired).toMatchObject({ severity: 'warning', title: expect.stringMatching(/^mine .* 5 /) })
    expect(cleared.title).toBe(signsAgain(MINE, { inRow: 0, missed: 0, of: 0 }).title)
  },
  'an operator change that is queued and cancelled': async (it) => {
    const { depositContract } = it.world.devnet.chain.input.spec
    const operator = it.others.payout
    const change = (name: 'requestOperatorChange' | 'cancelOperatorChange') =>
      it.sendFrom(
        operator,
        depositContract,
        name === 'requestOperatorChange'
          ? encodeFunctionData({ abi: OPERATOR_ABI, functionName: name, args: [it.pubkey, STRANGER] })
          : encodeFunctionData({ abi: OPERATOR_ABI, functionName: name, args: [it.pubkey] }),
      )
    const { fired, cleared } = await through(it, 'operator-change', {
      begin: () => change('requestOperatorChange'),
      finish: () => change('cancelOperatorChange'),
    })
    expect(fired).toMatchObject({
      severity: 'critical',
      what: expect.stringMatching(new RegExp(`^${getAddress(STRANGER)} .* 2[34] h `)),
      next: expect.stringContaining(` ${getAddress(operator)}: `),
    })
    expect(Date.parse(String(fired.until?.at)) - it.world.clock.nowMs()).toBeGreaterThan(86_000_000)
    expect(cleared.title).toBe(operatorCancelled(MINE, { queued: STRANGER, operator }).title)
  },
  'an engine that runs with another key': async (it) => {
    await through(it, 'node-other-key', {
      begin: () => it.swapKey(true),
      finish: () => it.swapKey(false),
    })
  },
  'a chain that makes no block': async (it) => {
    const from = it.told.length
    await through(it, 'chain-halted', { begin: () => it.halt(true), finish: () => it.halt(false) })
    expect(changesOf(it, 'node-hanging', from)).toEqual([])
  },
  'a deposit of somebody': async (it) => {
    const from = it.told.length
    await it.user.topUp(10_000n, it.pubkey)
    const fired = await it.until('deposit-unexpected', 'fired', from)
    expect(fired.title).toMatch(/ 10,000 BERA .* mine /)
    await it.restart()
    const cleared = await it.until('deposit-unexpected', 'cleared', from)
    expect(cleared.id).toBe(fired.id)
    await it.pass(3)
    expect(changesOf(it, 'deposit-unexpected', from)).toEqual(['fired', 'cleared'])
  },
  'being outbid, and saved by what the alarm says': async (it) => {
    const { fired } = await through(it, 'drops-out', {
      begin: () => it.user.topUp(310_000n, it.rival),
      finish: ({ next = '' }) => it.user.topUp(BigInt(/--topup (\d+)$/.exec(next)?.[1] ?? '0'), it.pubkey),
    })
    expect(fired.severity).toBe('critical')
    expect(fired.next).toMatch(
      new RegExp(`^bearings --validator ${it.pubkey} --devnet .* --lang en --topup \\d+$`),
    )
    await it.pass(24)
    expect(changesOf(it, 'dropped-out')).toEqual([])
  },
  'being outbid, and lost': async (it) => {
    const from = it.told.length
    const { cleared } = await through(it, 'drops-out', {
      begin: () => it.user.firstDeposit(600_000n),
      finish: () => undefined,
    })
    expect(cleared.title).toMatch(/^mine /)
    const out = await it.until('dropped-out', 'fired')
    expect(out).toMatchObject({
      severity: 'critical',
      title: expect.stringMatching(/^mine .* epoch \d+: /),
    })
    const paid = await it.until('dropped-out', 'cleared')
    expect(paid).toMatchObject({ id: out.id, title: expect.stringMatching(/ mine /) })
    // The key that made the first deposit meanwhile has its first operator by it.
    expect(changesOf(it, 'operator-change', from)).toEqual([])
  },
  'a part that is asked for, and paid': async (it) => {
    const { others } = it
    const data = encodeWithdrawalCall({ pubkey: others.leaver, amountGwei: tokens(10_000n) })
    const { fired, cleared } = await through(it, 'exit-begun', {
      begin: () => it.sendFrom(others.payout, WITHDRAWAL_REQUESTS, data, 1n),
      finish: () => undefined,
    })
    expect(fired).toMatchObject({
      severity: 'warning',
      title: expect.stringMatching(/^10,000 BERA of leaver /),
    })
    expect(cleared.title).toContain('leaver')
  },
  'a full exit': async (it) => {
    const from = it.told.length
    const { others } = it
    const request: Hex = `0x${others.leaver.slice(2)}${'00'.repeat(8)}`
    const { fired } = await through(it, 'exit-begun', {
      begin: () => it.sendFrom(others.payout, WITHDRAWAL_REQUESTS, request, 1n),
      finish: () => undefined,
    })
    expect(fired).toMatchObject({
      severity: 'critical',
      title: expect.stringMatching(/^leaver .* epoch \d+: /),
    })
    const out = await it.until('dropped-out', 'fired', from)
    expect(out).toMatchObject({ severity: 'warning', title: expect.stringMatching(/^leaver .* epoch \d+/) })
    expect(await it.until('dropped-out', 'cleared', from)).toMatchObject({ id: out.id })
    expect(changesOf(it, 'drops-out', from)).toEqual([])
  },
  'a second watch, and a memory that is damaged': async (it) => {
    expect(await it.another()).toBe(EXIT.unknown)
    expect(it.faults.splice(0).join(' ')).toMatch(/watch\.held/)
    await it.end()
    const path = join(it.state, 'journal/watch.json')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace('"format":1', '"format":2'))
    expect(await it.another()).toBe(EXIT.unknown)
    expect(it.faults.splice(0).join(' ')).toMatch(/watch\.newer.*format: 2/)
    expect(await readFile(path, 'utf8')).toContain('"format":2')
    await writeFile(path, text)
  },
  'a fault that ends it, to whom its pings go': async (it) => {
    await it.end()
    const pings: string[] = []
    const server = await loopbackServer(({ path, body }) => {
      pings.push(`${path} ${body}`.trim())
      return { status: 200, contentType: 'text/plain', body: 'OK' }
    })
    const config = join(it.world.directory, 'watch.toml')
    await writeFile(config, `network = "rehearsal"\n[ping]\nurl = "${server.url}/key"\nevery = "1h"\n`, {
      mode: 0o600,
    })
    const ended = it.another(['--config', config, '--metrics', new URL(server.url).host])
    await it.pass(20)
    expect(await ended).toBe(EXIT.unknown)
    expect(pings.at(-1)).toMatch(/^\/key\/fail /)
    expect(it.faults.splice(0).join(' ')).toMatch(/watch\.port/)
    await server.close()
  },
  'a disk that takes nothing more, which ends no alarm': async (it) => {
    await it.restart()
    const memory = join(it.state, 'journal/watch.json')
    const from = it.told.length
    await rm(memory, { force: true })
    await mkdir(join(memory, 'in the way'), { recursive: true })
    it.silence(true)
    await it.until('node-silent', 'fired', from)
    it.silence(false)
    await it.until('node-silent', 'cleared', from)
    await rm(memory, { recursive: true })
    await it.pass(70)
    expect(it.faults.splice(0)).toEqual([expect.stringMatching(/^[^(]*\(.+\)\. /), SENTENCES.keptAgain()])
  },
}

describe('a watch on the rehearsal network tells, once each and through a restart, of', () => {
  const one = Object.entries(STORIES)
  const all: (typeof one)[number] = [
    'all that can happen to it, one after the other',
    async (it) => {
      for (const [name, story] of one) {
        if (!HARD && name === 'an execution client that is behind') continue
        await story(it)
        await it.pass(2)
      }
    },
  ]
  for (const [name, story] of HARD ? [all, ...one] : [all]) {
    test(name, () =>
      watching(async (it) => {
        await it.pass(3)
        await story(it)
      }),
    )
  }
})
