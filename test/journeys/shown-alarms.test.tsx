import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getAddress } from 'viem'
import { expect, test } from 'vitest'
import { status } from '../../src/commands/status.ts'
import type { Effects, HttpReply } from '../../src/core/base/effects/effects.ts'
import type { AlarmView } from '../../src/core/view/alarm-view.ts'
import type { FactRow } from '../../src/core/view/view.ts'
import type { Session } from '../../src/core/wizard/session.ts'
import { viewOf } from '../../src/core/wizard/view-of.ts'
import { SessionProvider } from '../../src/hooks/shell.tsx'
import { EXIT } from '../../src/output/io.ts'
import { stepPage } from '../../src/plain/rows.ts'
import { Steps } from '../../src/screens/Steps.tsx'
import { stillSession } from '../support/moments.ts'
import { press } from '../support/press.ts'
import { journey, live } from '../support/register.ts'
import { openTerminal } from '../support/terminal.tsx'
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

/** What a terminal of 80 by 24 shows of it. */
async function frameOf(session: Session): Promise<string> {
  const state = session.getState()
  const terminal = await openTerminal(
    <SessionProvider session={stillSession(() => state, session)}>
      <Steps />
    </SessionProvider>,
  )
  const lines = terminal.lines()
  await terminal.close()
  return lines.join('\n')
}

/** What the command `status` says in one look. */
async function lookOnce(world: World) {
  const lines: string[] = []
  const { pubkey } = await userOf(world.devnet)
  const code = await world.clock.flow(() =>
    status({
      argv: ['--devnet', join(world.directory, 'descriptor.json'), '--pubkey', pubkey],
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
        new RegExp(
          `^An operator change is queued for your validator\\. Since ${TIME}, until ${TIME}\\. 0x[0-9a-fA-F]{40} can accept it in 2[34] h .* the key of ${operator}: cancel it`,
        ),
      ),
    })
    expect(missed).toMatchObject({
      mark: 'unknown',
      long: expect.stringMatching(
        new RegExp(`^Your validator missed 5 blocks in a row\\. Since ${TIME}\\.$`),
      ),
      explain: { what: expect.stringMatching(/Look at the node: does it run/) },
    })
    expect(statusOf(session)).toMatchObject({
      title: 'Your validator is active, and an alarm stands',
      money: { line: 'staked 280,000 BERA · an alarm stands: what to do is on top' },
    })
    const frame = await frameOf(session)
    expect(frame).toMatch(/✘ +alarm .*An operator change is queued.*, until .*missed 5 blocks in a row/s)
    expect(frame).toContain('staked 280,000 BERA · an alarm stands')
    // Beside two alarms the place is in sight at 80×24.
    expect(frame).toMatch(/^ {3}✔ +rank /m)

    await press(session, 'status', 'l')
    expect(statusOf(session).title).toBe('After activation')
    expect(alarmRows(session).map(({ id }) => id)).toEqual([queued?.id, missed?.id])
    const { code, lines } = await lookOnce(world)
    expect(code).toBe(EXIT.done)
    expect(lines).toContain('critical: An operator change is queued for your validator.')

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
    expect(statusOf(later).notes.at(-1)).toMatch(
      new RegExp(
        `^Alarm over since ${WHOLE_TIME}: The operator change of your validator to 0x\\w+ was cancelled or replaced\\.$`,
      ),
    )
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
    expect(statusOf(later).title).toMatch(/^Your validator is active(, by a thin margin)?$/)
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
        new RegExp(
          `^Your node stands still at slot \\d+ for \\d+ s \\(127\\.0\\.0\\.1:\\d+\\)\\. Since ${TIME}\\. It answers, and the chain goes on without it: .* Restart the node: it hangs`,
        ),
      ),
    })
    expect(statusOf(session)).toMatchObject({ title: 'Your node stands still', done: false })
    const frame = await frameOf(session)
    expect(frame).toMatch(/✘ +alarm +Your node stands still.*Restart the node.*rank +.*node +this key/s)
    const page = stepPage(statusOf(session), { kind: 'rehearsal', label: 'x' }, { kind: 'keys', help: '' })
    expect(page.said.flatMap(({ lines }) => lines).join('\n')).toMatch(
      /alarm:\s+Your node stands still.*Restart the node/s,
    )
    late = undefined
    await untilAlarm(world, session, 'node-hanging', { stands: false })
    expect(statusOf(session).notes.at(-1)).toMatch(/^Alarm over since .*: Your node goes on\.$/)

    const user = await userOf(world.devnet)
    await world.clock.flow(() => user.topUp(10_000n))
    await untilAlarm(world, session, 'deposit-unexpected', { stands: true })
    expect(alarmRows(session)[0]?.long).toContain(
      'A deposit of 10,000 BERA for your validator arrived, not by this program.',
    )
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

test('alarms follow the limits of the configuration of the watch, and a fault in it is told', async () => {
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
    ).toContain('Your validator missed 3 blocks in a row.')
    await configure('[missed\n')
    await untilTold(session, ({ getState }) => getState().status.limitsFault !== undefined)
    expect(statusOf(session).notes[0]).toBe(
      `Alarms here follow the usual limits, not those of ${config}: The watch configuration is not TOML.`,
    )
    await rm(config)
    await untilTold(session, ({ getState }) => getState().status.limitsFault === undefined)
    expect(statusOf(session).notes[0]).not.toContain('limits')
  } finally {
    await world.end()
  }
})

test('a margin that only a limit of the user finds thin is told as an alarm', () =>
  journey({}, async ({ world, session }) => {
    const config = join(world.directory, 'journal', 'watch.toml')
    const later = () => world.clock.flow(() => session.clock.sleep(17 * session.setup.network.slotMs))
    await later()
    expect([statusOf(session).title, ...alarmRows(session)]).toEqual(['Your validator is active'])
    await writeFile(config, '[margin]\nplaces = 1\n', { mode: 0o600 })
    await later()
    expect(session.getState().status.alarms.map(({ alarm }) => alarm)).toEqual(['margin'])
    expect(alarmRows(session)[0]?.long).toContain('t tops up, after all checks.')
    await rm(config)
    await later()
    expect(alarmRows(session)).toEqual([])
  }))

test('an alarm that somebody knows of is shown as known, by later looks and through a restart', async () => {
  const world = await startWorld({ scenario: 'troubles-while-active' })
  const keysOf = (session: Session) => statusOf(session).actions.map(({ key }) => key)
  const missed = (session: Session) => alarmRows(session).find(({ long }) => long?.includes('missed'))?.long
  try {
    const life = world.begin()
    const { session } = await live(world, life)
    expect(keysOf(session)).not.toContain('a')
    await untilAlarm(world, session, 'missed-blocks', { stands: true })
    expect(await frameOf(session)).toMatch(/a I know of it/)
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
})
