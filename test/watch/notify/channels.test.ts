import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { WatchEvent } from '../../../src/core/view/alarm-event.ts'
import { type Channel, sendingOf } from '../../../src/watch/notify/channels.ts'
import { readWatchConfig } from '../../../src/watch/notify/config.ts'
import { type DeliveryEffects, deliver } from '../../../src/watch/notify/deliver.ts'
import { openPing, testAlarm } from '../../../src/watch/notify/test-alarm.ts'
import type { Message } from '../../../src/watch/notify/text.ts'
import { SENTENCES } from '../../../src/watch/notify/text.ts'
import { textBelow } from '../../hostile/secrets.ts'
import { type AlarmService, alarmService } from '../../support/alarm-service.ts'
import { type AlarmWorld, alarmWorld, untilQuiet, watchEvent } from '../../support/alarm-world.ts'
import { readDocument } from '../../support/documents.ts'
import { wholeExample } from '../../support/whole-example.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

function world(): AlarmWorld & DeliveryEffects {
  const made = alarmWorld()
  ends.push(() => made.end())
  return { ...made.begin().effects, ...made }
}

async function service(conduct: Parameters<typeof alarmService>[0] = () => 'takes'): Promise<AlarmService> {
  const made = await alarmService(conduct)
  ends.push(made.close)
  return made
}

const common = { name: 'n', least: 'info', quiet: true } as const
const EVENT = watchEvent(7, {
  severity: 'critical',
  title: 'home drops out <in> epoch 12 & *soon*',
  next: 'bearings --validator 17 --topup 20000',
  until: { epoch: 12n, slot: 2399n, atMs: 1_800_000_600_000 },
})
const CLEARED = watchEvent(8, { id: EVENT.id, change: 'cleared', severity: 'info', title: EVENT.title })
/** The request of a service for an event. */
function postOf(channel: Channel, message: Message) {
  const { by, ...sending } = sendingOf(channel, message)
  if (!('url' in sending)) throw new Error(`a channel that is sent by ${by}`)
  return sending
}

const WEB = readWatchConfig(wholeExample()).channels.filter((channel) => 'url' in channel)

describe('the form of each service', () => {
  test.each(WEB.map((channel) => [channel.type, channel] as const))('%s', (_, channel) => {
    const { url, headers, body } = postOf(channel, { event: EVENT, droppedBefore: 2 })
    expect({ url, headers, body: JSON.parse(body) as unknown }).toMatchSnapshot()
    const cleared = postOf(channel, { event: CLEARED, droppedBefore: 0 })
    expect(JSON.parse(cleared.body)).toMatchSnapshot()
  })

  const CHANGES = ['fired', 'repeated', 'worse', 'cleared'] as const
  const SEVERITIES = ['info', 'warning', 'critical'] as const

  test.each(WEB.map((channel) => [channel.type, channel] as const))(
    '%s: every kind of event, byte for byte',
    (_, channel) => {
      const events = CHANGES.flatMap((change) =>
        SEVERITIES.flatMap((severity) => [
          { ...EVENT, change, severity },
          { ...watchEvent(9, { alarm: 'endpoints-silent' }), change, severity },
        ]),
      )
      const sent = events.flatMap((event) =>
        [0, 1, 2].map((droppedBefore) => JSON.stringify(postOf(channel, { event, droppedBefore }))),
      )
      expect(createHash('sha256').update(sent.join('\n')).digest('hex')).toMatchSnapshot()
    },
  )

  test.each(WEB.map((channel) => [channel.type, channel] as const))(
    '%s takes the longest texts',
    (type, channel) => {
      const long = watchEvent(1, { title: '*'.repeat(200), what: '🐻'.repeat(2000), next: '_'.repeat(1000) })
      const { body } = postOf(channel, { event: long, droppedBefore: 0 })
      const read = JSON.parse(body) as { content?: string; text?: string; message?: string }
      const longest: Readonly<Record<string, number>> = { discord: 2000, telegram: 4096 }
      expect((read.content ?? read.text ?? '').length).toBeLessThanOrEqual(longest[type] ?? 40_000)
      expect(Buffer.byteLength(read.message ?? '')).toBeLessThanOrEqual(4096)
      expect(body.isWellFormed()).toBe(true)
    },
  )
})

describe('a program of the user', () => {
  const program = (home: AlarmWorld, script: string) => {
    const path = join(home.directory, 'on-alarm')
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
    return path
  }
  const exec = (path: string, timeLimitMs = 30_000): Channel => ({
    ...common,
    type: 'exec',
    command: [path, '--from', '$(id); rm'],
    timeLimitMs,
  })

  test('reads the event as JSON, with its arguments as they are', async () => {
    const home = world()
    const out = join(home.directory, 'out')
    const path = program(home, `printf '%s\\n' "$@" > ${out}; cat >> ${out}`)
    expect(await deliver(home, exec(path), { event: EVENT, droppedBefore: 0 })).toEqual({
      result: 'delivered',
    })
    const [from, argument, json = ''] = readFileSync(out, 'utf8').split('\n')
    expect([from, argument]).toEqual(['--from', '$(id); rm'])
    expect(JSON.parse(json)).toMatchObject({ id: EVENT.id, sequence: 7, until: { slot: '2399' } })
  })

  test.each([
    ['ends with a fault', 'exit 3', 60_000, 'The program ended with exit code 3.'],
    ['takes too long', 'exec sleep 30', 100, 'The program did not end within 0.1 s and was stopped.'],
  ])('that %s is tried again', async (_, script, limitMs, reason) => {
    const home = world()
    const outcome = await deliver(home, exec(program(home, script), limitMs), {
      event: EVENT,
      droppedBefore: 0,
    })
    expect(outcome).toEqual({ result: 'failed', reason })
  })
})

describe('the desktop', () => {
  const onlyPath = (directory: string) => {
    const before = process.env.PATH
    process.env.PATH = [directory, '/nowhere'].join(delimiter)
    ends.push(() => {
      process.env.PATH = before
    })
  }

  test('is called with fixed arguments, by the program that is there', async () => {
    const home = world()
    const out = join(home.directory, 'out')
    const path = join(home.directory, 'notify-send')
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > ${out}\n`, { mode: 0o755 })
    onlyPath(home.directory)
    const outcome = await deliver(home, { ...common, type: 'desktop' }, { event: EVENT, droppedBefore: 0 })
    expect(outcome).toEqual({ result: 'delivered' })
    expect(readFileSync(out, 'utf8').split('\n').slice(0, 4)).toEqual([
      '--app-name=bearings',
      '--urgency=critical',
      '--',
      `CRITICAL: ${EVENT.title}`,
    ])
  })

  test('that is not there is said once, and events wait for it', async () => {
    const home = world()
    onlyPath(home.directory)
    const channels: Channel[] = [
      { ...common, type: 'desktop' },
      { ...common, name: 't', type: 'terminal', sequence: 'auto' },
    ]
    const outbox = await home.open(home.begin(), { channels, quiet: undefined })
    await outbox.add(EVENT)
    expect(home.said).toEqual([SENTENCES.noDesktop('n'), SENTENCES.noTerminal('t')])
    await home.clock.flow(() => home.clock.sleep(5000))
    expect(home.said).toHaveLength(2)
    expect(outbox.standing()).toMatchObject([
      { name: 'n', waiting: 1, isWorking: false, failing: { reason: SENTENCES.noDesktop('n') } },
      { name: 't', waiting: 1, isWorking: false, failing: { reason: SENTENCES.noTerminal('t') } },
    ])
    await outbox.close()
  })
})

describe('what a service answers', () => {
  async function answered(status: number, body: object) {
    const server = createServer((_, outgoing) => {
      outgoing.writeHead(status)
      outgoing.end(JSON.stringify(body))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    ends.push(() => {
      server.close()
      server.closeAllConnections()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const channel: Channel = { ...common, type: 'webhook', url, headers: {} }
    return deliver(world(), channel, { event: EVENT, droppedBefore: 0 })
  }

  test.each([400, 401, 403, 404, 410, 415, 422, 429, 500])('keeps the event with HTTP %s', async (status) => {
    expect(await answered(status, {})).toMatchObject({ result: 'failed' })
  })

  test('refuses the event itself with HTTP 413 alone', async () => {
    expect(await answered(413, {})).toMatchObject({ result: 'refused' })
  })

  test('names the new id of a group that has moved', async () => {
    const description = 'Bad Request: group chat was upgraded to a supergroup chat'
    const body = { ok: false, description, parameters: { migrate_to_chat_id: -1_001_234_567_890 } }
    expect(await answered(400, body)).toEqual({
      result: 'failed',
      reason: `${SENTENCES.answered(400, description)} ${SENTENCES.chatMoved('-1001234567890')}`,
    })
  })
})

describe('the terminal', () => {
  test('is called in one line, in the form that its channel asks for', async () => {
    const home = world()
    const row: string[] = []
    const ring = (text: string, sequence: string) => void row.push(`${sequence} ${text}`)
    const channel: Channel = { ...common, type: 'terminal', sequence: 'osc777' }
    const outcome = await deliver({ ...home, ring }, channel, { event: CLEARED, droppedBefore: 0 })
    expect([outcome, row]).toEqual([{ result: 'delivered' }, [`osc777 Over: ${EVENT.title}`]])
  })
})

describe('the ping', () => {
  test('starts, goes on while looks are finished, waits without one, and fails with a reason, also while a channel does', async () => {
    const home = world()
    const hook = await service((_, place) => (place === 1 ? 'fails' : 'takes'))
    const said: string[] = []
    const ping = openPing(home, {
      ping: { url: `${hook.url}/key?create=1`, everyMs: 60_000 },
      say: (sentence) => void said.push(sentence),
      signal: new AbortController().signal,
    })
    await home.clock.flow(async () => {
      for (const beats of [1, 3, 0, 1]) {
        for (let tick = 0; tick < beats; tick += 1) ping.tick()
        await home.clock.sleep(60_001)
      }
    })
    await home.clock.flow(async () => {
      for (const fault of [SENTENCES.takeNothing(['phone']), undefined]) {
        ping.tick(fault)
        await home.clock.sleep(60_001)
      }
    })
    await ping.fail('All endpoints are silent.')
    expect(hook.arrivals.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
      'GET /key/start?create=1 ',
      'GET /key?create=1 ',
      'GET /key?create=1 ',
      'GET /key?create=1 ',
      `POST /key/fail?create=1 ${SENTENCES.takeNothing(['phone'])}`,
      'GET /key?create=1 ',
      'POST /key/fail?create=1 All endpoints are silent.',
    ])
    expect(said).toEqual([
      SENTENCES.pingFails(SENTENCES.answered(503, 'busy')),
      SENTENCES.pingWaits(),
      SENTENCES.pingWorks(),
    ])
  })
})

/** Configuration with a secret in every place that may hold one. */
const SECRET = 'Zephyr7quaffs'
const LONG = `${SECRET}${SECRET}`.padEnd(32, 'x').slice(0, 32)
const secretConfig = (url: string) => `
[[channel]]
type = "webhook"
url = "${url}/${SECRET}/hook?key=${SECRET}"
headers = { Authorization = "Bearer ${SECRET}", X-Key = "${SECRET}" }
[[channel]]
type = "slack"
url = "${url}/services/${SECRET}"
[[channel]]
type = "discord"
url = "${url}/api/webhooks/1/${SECRET}"
[[channel]]
type = "telegram"
url = "${url}"
token = "123456:${LONG}"
chat_id = 5
[[channel]]
type = "pagerduty"
url = "${url}/v2/enqueue"
routing_key = "${LONG}"
[[channel]]
type = "ntfy"
url = "${url}"
topic = "${SECRET}"
token = "tk_${SECRET}"
[[channel]]
type = "exec"
command = ["/bin/false", "--key=${SECRET}"]
[ping]
url = "${url}/${SECRET}"
`

describe('secrets', () => {
  /** Says back all that it was sent, in the words that a service uses for an error. */
  async function echo(status: number): Promise<string> {
    const server = createServer((incoming, outgoing) => {
      const pieces: Buffer[] = []
      incoming.on('data', (piece: Buffer) => pieces.push(piece))
      incoming.on('end', () => {
        const all = [incoming.url, JSON.stringify(incoming.headers), Buffer.concat(pieces).toString()].join(
          ' ',
        )
        const said = `${all} ${encodeURIComponent(all)} ${Buffer.from(SECRET).toString('base64')}`
        outgoing.writeHead(status, { location: `http://other.example/${SECRET}` })
        outgoing.end(JSON.stringify({ description: said, errors: [said] }))
      })
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    ends.push(() => {
      server.close()
      server.closeAllConnections()
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test.each([400, 403, 429, 500, 302])(
    'are never said nor kept, whatever a service says back with HTTP %s',
    async (status) => {
      const home = world()
      const config = readWatchConfig(secretConfig(await echo(status)))
      const lines: string[] = []
      const tried = await testAlarm(config, home, (line) => void lines.push(line))
      expect(tried.filter(({ result }) => result !== 'delivered').length).toBe(8)
      const outbox = await home.open(home.begin(), config)
      await outbox.add(EVENT)
      await home.clock.flow(() => home.clock.sleep(5000))
      const all = [...lines, ...home.said, JSON.stringify(outbox.standing()), textBelow(home.directory)].join(
        '\n',
      )
      expect([lines.length, existsSync(join(home.directory, 'watch', 'outbox.json'))]).toEqual([8, true])
      const forms = [SECRET, LONG, Buffer.from(SECRET).toString('base64').replace(/=+$/, '')]
      expect(forms.filter((form) => all.toLowerCase().includes(form.toLowerCase()))).toEqual([])
      await outbox.close()
    },
  )

  test.each([0, 10, 40])(
    'are not said in part where a service repeats them behind %i words',
    async (words) => {
      const server = createServer(({ url = '' }, outgoing) => {
        outgoing.writeHead(404)
        outgoing.end(`${'no '.repeat(words)}${`${url} `.repeat(9)}`)
      })
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve)
      })
      ends.push(() => server.close())
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/${'Sesame-'.repeat(14)}`
      const lines: string[] = []
      const text = `[[channel]]\ntype = "slack"\nurl = "${url}"\n`
      await testAlarm(readWatchConfig(text), world(), (line) => void lines.push(line))
      expect(lines.join('\n')).toContain('HTTP 404')
      expect(lines.join('\n')).not.toMatch(/Sesam/i)
    },
  )

  test('are not said where nobody answers', async () => {
    const home = world()
    const lines: string[] = []
    await testAlarm(
      readWatchConfig(secretConfig('http://127.0.0.1:9')),
      home,
      (line) => void lines.push(line),
    )
    expect(lines.join('\n')).toContain('Nothing answers at http://127.0.0.1:9.')
    expect(lines.join('\n')).not.toContain(SECRET)
  })
})

describe('the test alarm', () => {
  test('goes through each channel as a test and nothing else, and ends where a service keeps it open', async () => {
    const home = world()
    const hook = await service()
    const config = readWatchConfig(secretConfig(hook.url).replace('/bin/false', '/bin/true'))
    const lines: string[] = []
    const tried = await testAlarm(config, home, (line) => void lines.push(line))
    expect(tried.filter(({ result }) => result !== 'delivered')).toEqual([])
    expect(tried.map(({ words }) => words)).toEqual(lines)
    expect(lines).toEqual([
      'webhook (webhook): sent, 0 s',
      'slack (slack): sent, 0 s',
      'discord (discord): sent, 0 s',
      'telegram (telegram): sent, 0 s',
      'pagerduty (pagerduty): sent, 0 s',
      'ntfy (ntfy): sent, 0 s',
      'exec (exec): sent, 0 s',
      'ping: sent, 0 s',
    ])
    const bodies = hook.arrivals
      .filter(({ body }) => body !== '' && !body.includes('"resolve"'))
      .map(({ body }) => body)
    expect(bodies.filter((body) => !body.includes(SENTENCES.testTitle))).toEqual([])
    expect(bodies.filter((body) => /margin|critical/i.test(body))).toEqual([])
    const [own = ''] = hook.arrivals
      .filter(({ body }) => body.startsWith('{"schema"'))
      .map(({ body }) => body)
    expect(readDocument(own)).toMatchObject({ alarm: 'test', severity: 'info', change: 'fired' })
    const keys = hook.arrivals
      .filter(({ path }) => path === '/v2/enqueue')
      .map(({ body }) => JSON.parse(body) as { event_action: string; dedup_key: string })
    expect(keys.map(({ event_action }) => event_action)).toEqual(['trigger', 'resolve'])
    expect(new Set(keys.map(({ dedup_key }) => dedup_key)).size).toBe(1)
  })

  test('says that there is nobody to send it to', async () => {
    const home = world()
    const lines: string[] = []
    expect(await testAlarm(readWatchConfig(''), home, (line) => void lines.push(line))).toEqual([])
    expect(lines).toEqual([SENTENCES.noChannels()])
  })
})

describe('an incident', () => {
  test('is opened, kept and closed under the stable id of its alarm', async () => {
    const home = world()
    const hook = await service()
    const channel: Channel = { ...common, type: 'pagerduty', url: hook.url, routingKey: 'k'.repeat(32) }
    const outbox = await home.open(home.begin(), { channels: [channel], quiet: undefined })
    const repeated: WatchEvent = { ...EVENT, sequence: 8, change: 'repeated' }
    for (const event of [EVENT, repeated, { ...CLEARED, sequence: 9 }]) await outbox.add(event)
    await untilQuiet(home.clock, outbox)
    const sent = hook.arrivals.map(
      ({ body }) => JSON.parse(body) as { event_action: string; dedup_key: string },
    )
    expect(sent.map(({ event_action, dedup_key }) => [event_action, dedup_key])).toEqual([
      ['trigger', EVENT.id],
      ['trigger', EVENT.id],
      ['resolve', EVENT.id],
    ])
  })
})
