import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Files } from '../../../src/core/base/effects/effects.ts'
import { createNodeFiles } from '../../../src/core/base/effects/node-files.ts'
import { type BaseError, isError } from '../../../src/core/base/errors/base.ts'
import { groupHex } from '../../../src/core/base/format/hex.ts'
import { engineKey } from '../../../src/core/chain/identity/engine-key.ts'
import { CHANNELS } from '../../../src/watch/notify/channels.ts'
import { loadWatchConfig, readWatchConfig } from '../../../src/watch/notify/config.ts'
import { exampleConfig } from '../../../src/watch/notify/test-alarm.ts'
import { saidNext } from '../../support/said.ts'
import { keyedDeposits } from '../../support/signed-deposit.ts'
import { wholeExample } from '../../support/whole-example.ts'

const PUBKEY = `0x${'ab'.repeat(48)}`
const SECRET = 'quaffing-7-zephyrs'

function errorOf(text: string): BaseError {
  try {
    readWatchConfig(text)
  } catch (thrown) {
    if (isError(thrown, 'watch-config')) return thrown
    throw thrown
  }
  throw new Error('the configuration was taken')
}

/** The details that begin with this word, without it. */
const detailsOf = ({ details }: BaseError, word: string) =>
  details.filter((line) => line.startsWith(`${word}: `)).map((line) => line.slice(word.length + 2))
const fieldsOf = (text: string) => detailsOf(errorOf(text), 'field')

describe('the configuration of the watch', () => {
  test('may be empty: then everything has its usual value', () => {
    expect(readWatchConfig('')).toEqual({
      network: undefined,
      validators: [],
      endpoints: { execution: [], node: [], engine: [] },
      marginGwei: 0n,
      marginPlaces: undefined,
      marginEpochs: undefined,
      missed: { inARow: 5, ofHundred: 20 },
      repeatMs: { critical: 1_800_000, warning: 21_600_000, info: undefined },
      quiet: undefined,
      channels: [],
      ping: undefined,
    })
  })

  test('of the example is taken, and has a channel of every type', () => {
    const config = readWatchConfig(wholeExample())
    expect(config.channels.map(({ type }) => type)).toEqual(Object.keys(CHANNELS))
    expect(config.validators).toEqual([
      { key: `0x${'00'.repeat(48)}`, name: 'home' },
      { key: '17', name: 'second' },
    ])
    expect(config).toMatchObject({
      marginGwei: 20_000_000_000_000n,
      marginPlaces: 3,
      marginEpochs: 225,
      quiet: { fromMinute: 1320, toMinute: 420, timeZone: 'Europe/Berlin' },
      ping: { url: 'https://hc-ping.com/00000000-0000-0000-0000-000000000000', everyMs: 60_000 },
    })
  })

  test('of the example as it stands watches nobody by name and calls nobody', () => {
    const { validators, channels, ping, quiet } = readWatchConfig(exampleConfig())
    expect({ validators, channels, ping, quiet }).toEqual({ validators: [], channels: [] })
  })

  test('of the example names each placeholder that is still one', () => {
    const left = exampleConfig().replaceAll(/^# (?=\[|[a-z_]+ = )/gm, '')
    expect(fieldsOf(left)).toEqual(['validator[1].key', 'channel[7].topic'])
  })

  test('keeps its lines short enough to be read in a terminal', () => {
    const long = exampleConfig()
      .split('\n')
      .filter((line) => line.length > 110 && !line.includes('0x000'))
    expect(long).toEqual([])
  })

  test('takes a public key in capitals, and an index as text', () => {
    const text = `[[validator]]\nkey = "${PUBKEY.toUpperCase().replace('X', 'x')}"\n[[validator]]\nkey = "7"`
    expect(readWatchConfig(text).validators).toEqual([{ key: PUBKEY }, { key: '7' }])
  })

  test('takes a public key as the engine writes it', () => {
    const [deposit] = keyedDeposits()
    const base64 = engineKey(deposit?.pubkey ?? '0x')
    const named = (key: string) => `[[validator]]\nkey = "${key}"`
    expect(readWatchConfig(named(base64)).validators).toEqual([{ key: base64 }])
    for (const cut of [base64.slice(1), base64.slice(4), `${base64}AAAA`])
      expect(fieldsOf(named(cut))).toEqual(['validator[0].key'])
  })
})

describe('the file of the configuration', () => {
  test.each([
    [0o600, undefined],
    [0o640, 'Others on this computer may read PATH, which may hold secrets: chmod 600 closes it.'],
  ])('with permissions %o warns: %s', async (mode, warning) => {
    const directory = mkdtempSync(join(tmpdir(), 'bearings-config-'))
    const path = join(directory, 'watch.toml')
    writeFileSync(path, 'network = "mainnet"', { mode })
    const loaded = await loadWatchConfig(createNodeFiles(), path)
    expect([loaded.config.network, loaded.warning?.replace(path, 'PATH')]).toEqual(['mainnet', warning])
    rmSync(directory, { recursive: true })
  })

  test('without permissions, as on Windows, warns of nothing', async () => {
    const files: Pick<Files, 'read' | 'facts'> = {
      read: async () => new TextEncoder().encode('network = "mainnet"'),
      facts: async () => ({
        kind: 'file',
        sizeBytes: 19,
        mode: undefined,
        ownedByUser: true,
        identity: '1:1',
      }),
    }
    expect(await loadWatchConfig({ ...createNodeFiles(), ...files }, 'watch.toml')).not.toHaveProperty(
      'warning',
    )
  })
})

describe('an amount and a key of the configuration', () => {
  const KEY = `0x${'ab'.repeat(48)}`

  test('are refused where the amount has two meanings, or the key a character nobody sees', () => {
    const error = errorOf(`[margin]\ntokens = "20.000"\n[[validator]]\nkey = "${KEY}\\u200b"`)
    expect(detailsOf(error, 'field')).toEqual(['validator[0].key', 'margin.tokens'])
    expect(detailsOf(error, 'expected')).toEqual([
      expect.stringMatching(/99 of 99 .*U\+200B/),
      expect.stringMatching(/20\.000 .* 20,000/),
    ])
  })

  test('are taken as a screen shows them', () => {
    const text = `[margin]\ntokens = "20,000"\n[[validator]]\nkey = "${groupHex(KEY)}"`
    expect(readWatchConfig(text)).toMatchObject({
      marginGwei: 20_000_000_000_000n,
      validators: [{ key: KEY }],
    })
  })
})

test('the address of an ntfy server has no topic in it: there JSON would be the message', () => {
  const ntfy = (url: string) =>
    `[[channel]]\ntype = "ntfy"\nname = "phone"\ntopic = "secret-topic"\nurl = "${url}"`
  const error = errorOf(ntfy('https://ntfy.sh/secret-topic'))
  expect(detailsOf(error, 'field')).toEqual(['channel[0].url'])
  expect(JSON.stringify(error)).not.toContain('secret-topic')
  expect(readWatchConfig(ntfy('https://ntfy.sh/')).channels).toHaveLength(1)
})

describe('a configuration that cannot be used', () => {
  test('is refused with every odd field, what was found, what was expected and what to do', () => {
    const error = errorOf(
      [
        'netwrok = "mainnet"',
        '[margin]\ntokens = "25,00"\nplaces = 0\nepoch = 3',
        '[missed]\nof_hundred = 101',
        '[repeat]\ncritical = "5"',
        '[quiet]\nfrom = "22"\nto = "07:00"',
        '[[validator]]\nname = "no key"',
        '[[channel]]\ntype = "slak"',
        '[[channel]]\ntype = "exec"\ncommand = ["on-alarm"]',
        '[ping]\nurl = "http://example.com/x"\nevery = "1s"',
      ].join('\n'),
    )
    expect(error.shortMessage).toMatch(/ 13 /)
    const next = detailsOf(error, 'what to do')
    expect(detailsOf(error, 'field').map((field, at) => `${field}: ${next[at]}`)).toMatchInlineSnapshot(`
      [
        "netwrok: Did you mean network? Otherwise remove netwrok.",
        "validator[0].key: Add validator[0].key.",
        "margin.epoch: Did you mean epochs? Otherwise remove margin.epoch.",
        "margin.tokens: Correct margin.tokens.",
        "margin.places: Correct margin.places.",
        "missed.of_hundred: Correct missed.of_hundred.",
        "repeat.critical: Correct repeat.critical.",
        "quiet.from: Correct quiet.from.",
        "quiet.time_zone: Add quiet.time_zone.",
        "channel[0].type: Correct channel[0].type.",
        "channel[1].command: Correct channel[1].command.",
        "ping.every: Correct ping.every.",
        "ping.url: Correct ping.url.",
      ]
    `)
    expect(error.details.slice(0, 4)).toEqual([
      'field: netwrok',
      'found: (not shown)',
      expect.stringMatching(/^expected: /),
      'what to do: Did you mean network? Otherwise remove netwrok.',
    ])
  })

  test.each([
    [
      'two channels of one name',
      '[[channel]]\ntype = "desktop"\n[[channel]]\ntype = "desktop"',
      ['channel[1].name'],
    ],
    ['one validator twice', '[[validator]]\nkey = 7\n[[validator]]\nkey = "7"', ['validator[1].key']],
    ['http to elsewhere', '[[channel]]\ntype = "slack"\nurl = "http://example.com/x"', ['channel[0].url']],
    [
      'a header that is ours',
      '[[channel]]\ntype = "webhook"\nurl = "https://a.b/"\nheaders = { Host = "x" }',
      ['channel[0].headers.Host'],
    ],
    ['quiet hours of no length', '[quiet]\nfrom = "22:00"\nto = "22:00"\ntime_zone = "UTC"', ['quiet.to']],
    ['no time zone', '[quiet]\nfrom = "22:00"\nto = "23:00"\ntime_zone = "Berlin"', ['quiet.time_zone']],
    ['no table', 'margin = 5', ['margin']],
    ['a date for a table', 'margin = 2026-11-22', ['margin']],
    ['no list', 'channel = 5', ['channel']],
    ['a chat without a bot', '[[channel]]\ntype = "telegram"\nchat_id = 5', ['channel[0].token']],
  ])('names %s', (_, text, fields) => {
    expect(fieldsOf(text)).toEqual(fields)
  })

  test.each(['http://127.0.0.1:9/x', 'http://localhost/x', 'http://[::1]/x'])(
    'but takes %s of this computer',
    (url) => {
      expect(readWatchConfig(`[[channel]]\ntype = "slack"\nurl = "${url}"`).channels).toMatchObject([{ url }])
    },
  )

  test('takes http to elsewhere where that is said', () => {
    const text = '[[channel]]\ntype = "slack"\nallow_http = true\nurl = "http://example.com/x"'
    expect(readWatchConfig(text).channels).toMatchObject([{ url: 'http://example.com/x' }])
  })

  test('is named by line and column where it is no TOML, without its text', () => {
    const error = errorOf(`[[channel]]\nurl = "https://x.y/${SECRET}\n`)
    expect(error.details.slice(0, 1)).toEqual(['line: 2'])
    expect(JSON.stringify([error.message, error.nextSteps])).not.toContain(SECRET)
  })

  const SPOTS = [
    `url = "https://${SECRET}@x.y/"`,
    `url = "${SECRET}"`,
    `url = "http://x.y/${SECRET}"`,
    `type = "https://x.y/${SECRET}"`,
    `ulr = "https://x.y/${SECRET}"`,
    `name = "${SECRET}${'x'.repeat(40)}"`,
    `token = "${SECRET}"`,
    `chat_id = "${SECRET}"`,
    `routing_key = "${SECRET}"`,
    `topic = "${SECRET}!"`,
    `headers = "${SECRET}"`,
    `headers = { Authorization = "${SECRET}\\n" }`,
    `headers = { Authorization = ["${SECRET}"] }`,
    `command = "${SECRET}"`,
    `command = ["sh", "${SECRET}"]`,
    `least = "${SECRET}"`,
  ]
  const TYPES = ['webhook', 'slack', 'telegram', 'pagerduty', 'ntfy', 'exec', 'terminal']

  test('never shows what may be a secret, wherever it stands', () => {
    for (const spot of SPOTS)
      for (const type of TYPES) {
        const own = spot.startsWith('type') ? '' : `type = "${type}"\n`
        const text = `[[channel]]\n${own}${spot}\n[ping]\nurl = "${SECRET}"\n[endpoints]\nnode = ["${SECRET}"]`
        const error = errorOf(text)
        expect(
          [error.message, ...saidNext(error.nextSteps), JSON.stringify(error.details)].join('\n'),
        ).not.toContain(SECRET)
      }
  })
})
