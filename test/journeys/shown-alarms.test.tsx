import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { status } from '../../src/commands/status.ts'
import type { Effects, HttpReply } from '../../src/core/base/effects/effects.ts'
import { queuedCommands } from '../../src/core/chain/deposit/operator-command.ts'
import type { KnownHead } from '../../src/core/observe/judge-heads.ts'
import { STATUS_TEXT } from '../../src/core/steps/status/text.ts'
import type { AlarmView } from '../../src/core/view/alarm-view.ts'
import type { FactRow } from '../../src/core/view/view.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { EXIT } from '../../src/output/io.ts'
import { nodeGoesOn } from '../../src/watch/endpoint-words.ts'
import { hardTest } from '../support/hard.ts'
import { press } from '../support/press.ts'
import { journey, live } from '../support/register.ts'
import { frameOf, linesOf } from '../support/session-frame.tsx'
import { doubtIn, standing } from '../support/standing.ts'
import { until } from '../support/two-machines.ts'
import { userOf } from '../support/user-of.ts'
import { startWorld, type World } from '../support/world.ts'

const statusOf = (session: Session) => viewOf('status', session.getState(), session)
const alarmRows = (session: Session): FactRow[] =>
  statusOf(session).facts.filter(({ label }) => label === 'alarm')

/** Every alarm that stood on the screen of a session, in the order in which they came and went. */
function recordedOf(session: Session) {
  const log: string[] = []
  const ids = new Map<string, string>()
  let before: readonly AlarmView[] = []
  session.subscribe((_, event) => {
    if (event.step !== 'status' || event.type !== 'alarmed') return
    for (const { alarm, id } of event.alarms)
      if (!before.some((each) => each.id === id)) {
        log.push(`${alarm} stands`)
        ids.set(alarm, id)
      }
    for (const { alarm, id } of before)
      if (!event.alarms.some((each) => each.id === id)) log.push(`${alarm} is over`)
    before = event.alarms
  })
  return { ids, log }
}

/** Lets time pass until an alarm stands, or does not any more. */
const untilAlarm = (world: World, session: Session, alarm: string, { stands }: { stands: boolean }) =>
  world.clock.flow(() =>
    until(session, ({ status }) => status.alarms.some((each) => each.alarm === alarm) === stands),
  )

/** What the command `status` says in one look. */
async function lookOnce(world: World, ...more: string[]) {
  const lines: string[] = []
  const { pubkey } = await userOf(world.devnet)
  const code = await world.clock.flow(() =>
    status({
      argv: ['--devnet', join(world.directory, 'descriptor.json'), '--validator', pubkey, ...more],
      effects: world.begin().effects,
      io: {
        out: (line) => void lines.push(line),
        err: (line) => void lines.push(line),
        signal: new AbortController().signal,
      },
      stateDirectory: join(world.directory, 'state'),
      environment: { HOME: '/nowhere' },
    }),
  )
  return { code, lines: lines.flatMap((line) => line.split('\n')).map((line) => line.trim()) }
}

/** Beside an alarm a time is short; in a note that may be read on any day it is whole. */
const TIME = String.raw`\d\d:\d\d UTC(?: on \d+ [A-Z][a-z]{2}(?: \d{4})?)?`
const WHOLE_TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`
const wholeTimeIn = (note = '') => new RegExp(WHOLE_TIME).exec(note)?.[0] ?? ''
/** What an alarm is and its times, without what changes with each block. */
const TIMES = new RegExp(`^.*? Since ${TIME}, until ${TIME}\\.`)

test('an operator change and missed blocks stand on top with their times, through a restart, and end once each', async () => {
  const world = await startWorld({ scenario: 'troubles-while-active' })
  try {
    const life = world.begin()
    const { session, ending } = await live(world, life)
    expect(ending).toEqual({ end: 'active' })
    const recorded = recordedOf(session)
    await untilAlarm(world, session, 'operator-change', { stands: true })
    await untilAlarm(world, session, 'missed-blocks', { stands: true })
    const operator = getAddress(session.facts().validator?.operator ?? '0x')
    const [queued, missed] = alarmRows(session)
    expect(queued).toMatchObject({
      mark: 'refused',
      long: expect.stringMatching(
        new RegExp(`^.*\\. Since ${TIME}, until ${TIME}\\. 0x[0-9a-fA-F]{40} .* 2[34] h .* ${operator}: `),
      ),
    })
    // Both steps in their order, with who makes which; their commands are those that the contract takes.
    const pubkey = session.facts().identity?.pubkey ?? '0x'
    const change = session.getState().status.operator
    const next = getAddress(change?.queued?.operator ?? '0x')
    expect(queued?.long).toMatch(new RegExp(`${next} can accept it .* second .*${operator}: .* first step `))
    const wallets = queuedCommands(change, { pubkey, contract: session.setup.network.spec.depositContract })
    const ofOperator = wallets.map(({ command }) => command)
    expect(ofOperator).toHaveLength(2)
    expect(statusOf(session).commands.slice(0, 2)).toEqual(ofOperator)
    expect(missed).toMatchObject({
      mark: 'unknown',
      long: expect.stringMatching(new RegExp(`^.* 5 .*\\. Since ${TIME}\\.$`)),
    })
    expect(standing(session)).toMatchObject({ is: 'active', contact: 'alarmed' })
    expect(statusOf(session).money.line).toMatch(/^staked 280,000 BERA /)
    const frame = await frameOf(session)
    expect(frame).toMatch(/✘ +alarm .*, until .* 5 /s)
    expect(frame).toContain('staked 280,000 BERA · ')
    // Beside two alarms the place is in sight at 80×24.
    expect(frame).toMatch(/^ {3}✔ +rank /m)

    await press(session, 'status', 'l')
    expect(statusOf(session).title).toBe('After activation')
    expect(alarmRows(session).map(({ id }) => id)).toEqual([queued?.id, missed?.id])
    const { code, lines } = await lookOnce(world)
    expect(code).toBe(EXIT.done)
    expect(lines.filter((line) => line.startsWith('critical: '))).toHaveLength(1)
    expect(lines).toEqual(expect.arrayContaining(ofOperator))
    const { lines: document } = await lookOnce(world, '--json')
    expect(JSON.parse(document.join(''))).toMatchObject({ operatorCommands: ofOperator })

    // The program is ended and begun again: the alarm is the one of before.
    life.kill()
    await life.died
    const { session: later } = await live(world, world.begin())
    const after = recordedOf(later)
    await untilAlarm(world, later, 'operator-change', { stands: true })
    expect(alarmRows(later)[0]?.id).toBe(queued?.id)
    const [times] = TIMES.exec(queued?.long ?? '') ?? []
    expect(times).toBeDefined()
    expect(TIMES.exec(alarmRows(later)[0]?.long ?? '')?.[0]).toBe(times)
    await untilAlarm(world, later, 'operator-change', { stands: false })
    expect(statusOf(later).notes.at(-1)).toMatch(new RegExp(`^[^:]* ${WHOLE_TIME}: .* 0x\\w+ [^:]*\\.$`))
    expect(statusOf(later).commands.join(' ')).not.toContain('OperatorChange')
    await world.clock.flow(() => later.clock.sleep(20_000))
    expect(recorded.log).toEqual(['operator-change stands', 'missed-blocks stands'])
    expect(after.log.toSorted()).toEqual([
      'missed-blocks is over',
      'missed-blocks stands',
      'operator-change is over',
      'operator-change stands',
    ])
    expect(after.ids.get('missed-blocks')).toBe(recorded.ids.get('missed-blocks'))
    expect(alarmRows(later).filter(({ long }) => long?.includes('from others') !== true)).toEqual([])
    expect(standing(later)).toMatchObject({ is: 'active', contact: 'sound' })
  } finally {
    await world.end()
  }
})

test('a node that hangs, and somebody’s deposit, stand on top until they are over, also by lines', async () => {
  const world = await startWorld({ scenario: 'free-places' })
  let late: Map<string, HttpReply> | undefined
  /** The node and its engine tell the heads of then, from when they hang on. */
  const withNode = (effects: Effects): Effects => ({
    ...effects,
    http: {
      async request(asked) {
        const reply = await effects.http.request(asked)
        if (late === undefined || !/\/(?:headers\/head|status)$/.test(asked.url)) return reply
        const before = late.get(asked.url)
        if (before === undefined) late.set(asked.url, reply)
        return before ?? reply
      },
    },
  })
  try {
    const { session, ending } = await live(world, world.begin({ mutate: withNode }))
    expect(ending).toEqual({ end: 'active' })
    const recorded = recordedOf(session)
    late = new Map()
    await untilAlarm(world, session, 'node-hanging', { stands: true })
    const [hangs] = alarmRows(session)
    expect(hangs).toMatchObject({
      mark: 'refused',
      long: expect.stringMatching(
        new RegExp(`^.* slot \\d+ for \\d+ s \\(127\\.0\\.0\\.1:\\d+\\)\\. Since ${TIME}\\. `),
      ),
    })
    expect(statusOf(session).done).toBe(false)
    expect(doubtIn(session)?.is).toBe('still')
    const frame = await frameOf(session)
    expect(frame).toMatch(/✘ +alarm +.* slot \d+ for .*rank +.*node +this key/s)
    expect(linesOf(session).join('\n')).toMatch(/alarm:\s+.* slot \d+ for /s)
    late = undefined
    await untilAlarm(world, session, 'node-hanging', { stands: false })
    // For channels it stands a minute, and only then it is told as over.
    await world.clock.flow(() => session.clock.sleep(60_000))
    expect(statusOf(session).notes.at(-1)).toBe(
      STATUS_TEXT.alarm.past(
        nodeGoesOn({ slot: 0n } as KnownHead).title,
        wholeTimeIn(statusOf(session).notes.at(-1)),
      ),
    )

    const user = await userOf(world.devnet)
    await world.clock.flow(() => user.topUp(10_000n))
    await untilAlarm(world, session, 'deposit-unexpected', { stands: true })
    expect(alarmRows(session)[0]?.long).toMatch(/^[^.]* 10,000 BERA /)
    await untilAlarm(world, session, 'deposit-unexpected', { stands: false })
    await world.clock.flow(() => session.clock.sleep(10_000))
    expect(recorded.log).toEqual([
      'node-hanging stands',
      'node-hanging is over',
      'deposit-unexpected stands',
      'deposit-unexpected is over',
    ])
  } finally {
    await world.end()
  }
})

hardTest(
  'alarms follow the limits of the configuration of the watch, and a fault in it is told',
  async () => {
    const world = await startWorld({ scenario: 'troubles-while-active' })
    const config = join(world.directory, 'journal', 'watch.toml')
    const configure = (text: string) => writeFile(config, text, { mode: 0o600 })
    const untilTold = (session: Session, isTold: (session: Session) => boolean) =>
      world.clock.flow(() => until(session, () => isTold(session)))
    try {
      const { session, ending } = await live(world, world.begin())
      expect(ending).toEqual({ end: 'active' })
      await configure('[missed]\nin_a_row = 3\nof_hundred = 0\n')
      await untilAlarm(world, session, 'missed-blocks', { stands: true })
      expect(
        alarmRows(session)
          .map(({ long }) => long)
          .join('\n'),
      ).toMatch(/^[^.]* 3 [^.]*\./m)
      await configure('[missed\n')
      await untilTold(session, ({ getState }) => getState().status.fileFaults.length > 0)
      expect(statusOf(session).notes[0]).toContain(STATUS_TEXT.alarm.limitsFault('', config))
      await rm(config)
      await untilTold(session, ({ getState }) => getState().status.fileFaults.length === 0)
      expect(statusOf(session).notes[0]).not.toContain('limits')
    } finally {
      await world.end()
    }
  },
)

hardTest('a margin that only a limit of the user finds thin is told as an alarm', () =>
  journey({}, async ({ world, session }) => {
    const config = join(world.directory, 'journal', 'watch.toml')
    const later = () => world.clock.flow(() => session.clock.sleep(17 * session.setup.network.slotMs))
    await later()
    expect(alarmRows(session)).toEqual([])
    expect(standing(session)).toMatchObject({ is: 'active', contact: 'sound' })
    await writeFile(config, '[margin]\nplaces = 1\n', { mode: 0o600 })
    await later()
    expect(session.getState().status.alarms.map(({ alarm }) => alarm)).toEqual(['margin'])
    expect(alarmRows(session)[0]?.long).toContain(STATUS_TEXT.alarm.topUp)
    await rm(config)
    await later()
    expect(alarmRows(session)).toEqual([])
  }),
)

hardTest(
  'an alarm that somebody knows of is shown as known, by later looks and through a restart',
  async () => {
    const world = await startWorld({ scenario: 'troubles-while-active' })
    const keysOf = (session: Session) => statusOf(session).actions.map(({ key }) => key)
    const missed = (session: Session) => alarmRows(session).find(({ long }) => long?.includes('missed'))?.long
    try {
      const life = world.begin()
      const { session } = await live(world, life)
      expect(keysOf(session)).not.toContain('a')
      await untilAlarm(world, session, 'missed-blocks', { stands: true })
      expect(await frameOf(session)).toContain(`a ${STATUS_TEXT.keys.know}`)
      expect(missed(session)).toMatch(new RegExp(`Since ${TIME}\\.`))
      await press(session, 'status', 'a')
      expect(missed(session)).toMatch(new RegExp(`Since ${TIME} · known\\.`))
      expect(keysOf(session)).not.toContain('a')
      // It ends before another look: what was taken for known is kept all the same.
      await world.clock.flow(() => session.stop())

      const { session: later } = await live(world, world.begin())
      await untilAlarm(world, later, 'missed-blocks', { stands: true })
      expect(missed(later)).toMatch(new RegExp(`Since ${TIME} · known\\.`))
      expect(keysOf(later)).not.toContain('a')
      await world.clock.flow(() => later.clock.sleep(3_000))
      expect(alarmRows(later).filter(({ long }) => !long?.includes(' · known.'))).toEqual([])
    } finally {
      await world.end()
    }
  },
)
