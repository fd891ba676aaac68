import { connect } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type MetricsServer, openMetricsServer } from '../../src/compose/metrics-server.ts'
import { METRICS, type Sample } from '../../src/watch/metrics.ts'
import { readMetrics } from '../support/metrics-text.ts'
import { everySample } from '../support/pictures.ts'

const PATIENCE_MS = 60_000

let now = 0
const opened: MetricsServer[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()))
})

async function open(names: readonly string[] = []): Promise<MetricsServer> {
  now = 1000
  const clock = { monotonicMs: () => now }
  const server = await openMetricsServer({
    host: '127.0.0.1',
    port: 0,
    names,
    clock,
    patienceMs: PATIENCE_MS,
  })
  opened.push(server)
  return server
}

async function asked({ url }: MetricsServer, path: string, options?: RequestInit) {
  const reply = await fetch(`${url}${path}`, options)
  return { status: reply.status, type: reply.headers.get('content-type'), text: await reply.text() }
}

/** The family of a metric: a counter leaves the end of its name out there. */
const familyOf = (name: string) => name.replace(/_total$/, '')

const ready = { isAnswered: true }

describe('the page of metrics', () => {
  test('is one of OpenMetrics, with every metric, its help, its type and its samples', async () => {
    const server = await open()
    const samples = everySample()
    server.show(samples, ready)
    const { status, type, text } = await asked(server, '/metrics')
    expect({ status, type }).toEqual({
      status: 200,
      type: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
    })
    const lines = text.split('\n')
    expect(lines.slice(-2)).toEqual(['# EOF', ''])
    expect(lines.slice(0, -1).filter((line) => line.trim() === '')).toEqual([])
    for (const [name, { help, type: kind }] of Object.entries(METRICS)) {
      expect(lines).toContain(`# HELP ${familyOf(name)} ${help}`)
      expect(lines).toContain(`# TYPE ${familyOf(name)} ${kind}`)
    }
    const { names, value } = readMetrics(text)
    expect(Object.keys(METRICS).filter((name) => !names.includes(name))).toEqual([])
    const found = samples.map(({ metric, labels }) => Number(value(metric, labels)))
    expect(found).toEqual(samples.map((sample) => sample.value))
    expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toHaveLength(samples.length)
  })

  test('gives labels back as they were, whatever is in them', async () => {
    const server = await open()
    const NAMES = ['say "hello"', 'C:\\new\\tables', 'one\ntwo', '\\', '\\"', '{a="b"},', '', 'ω 🐻']
    const samples = NAMES.map(
      (name, value): Sample => ({ metric: 'bearings_validator_registered', labels: { name }, value }),
    )
    server.show(samples, ready)
    const { text } = await asked(server, '/metrics')
    expect(NAMES.map((name) => readMetrics(text).value('bearings_validator_registered', { name }))).toEqual(
      NAMES.map((_, value) => String(value)),
    )
  })

  test('is empty before the first look, without a blank line, which is no OpenMetrics', async () => {
    expect(await asked(await open(), '/metrics')).toMatchObject({ status: 200, text: '# EOF\n' })
  })

  test('shows the last look only', async () => {
    const server = await open()
    const head = (value: number): Sample => ({ metric: 'bearings_chain_slot', labels: {}, value })
    server.show([head(1)], ready)
    server.show([head(2)], ready)
    const { text } = await asked(server, '/metrics')
    expect(text.match(/^bearings_chain_slot .*$/gm)).toEqual(['bearings_chain_slot 2'])
  })
})

describe('whether the watch lives', () => {
  test('is said by how long ago its last look was finished', async () => {
    const server = await open()
    now += PATIENCE_MS
    expect(await asked(server, '/live')).toMatchObject({ status: 200, text: 'last look 60 s ago\n' })
    now += 1
    expect((await asked(server, '/live')).status).toBe(503)
    server.show([], ready)
    expect(await asked(server, '/live')).toMatchObject({ status: 200, text: 'last look 0 s ago\n' })
    now += PATIENCE_MS + 1000
    expect(await asked(server, '/live')).toMatchObject({ status: 503, text: 'last look 61 s ago\n' })
  })
})

describe('whether the watch is ready', () => {
  test('is said by whether an endpoint answered in the last look', async () => {
    const server = await open()
    const silence = { status: 503, text: 'no endpoint answered in the last look\n' }
    const before = await asked(server, '/ready')
    expect(before).toMatchObject({ status: 503, text: expect.stringMatching(/^no [^\n]+\n$/) })
    expect(before).not.toMatchObject(silence)
    server.show([], { isAnswered: false })
    expect(await asked(server, '/ready')).toMatchObject(silence)
    server.show([], ready)
    expect(await asked(server, '/ready')).toMatchObject({ status: 200, text: 'ready\n' })
    server.show([], { isAnswered: false })
    expect(await asked(server, '/ready')).toMatchObject(silence)
  })
})

describe('what else is asked', () => {
  test('is not there, and nothing can be sent', async () => {
    const server = await open()
    expect((await asked(server, '/')).status).toBe(404)
    expect((await asked(server, '/metrics', { method: 'POST', body: 'x' })).status).toBe(405)
    expect(await asked(server, '/metrics', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    expect((await asked(server, '/metrics?name[]=x')).status).toBe(200)
  })

  test('finds nobody on an address that is taken', async () => {
    const { url } = await open()
    const clock = { monotonicMs: () => 0 }
    const port = Number(new URL(url).port)
    await expect(
      openMetricsServer({ host: '127.0.0.1', port, names: [], clock, patienceMs: PATIENCE_MS }),
    ).rejects.toMatchObject({ code: 'watch.port', details: ['reason: EADDRINUSE'] })
  })
})

/** What a connection hears that asks for a path under the name of a host. */
function heard(url: string, path: string, host: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    })
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

describe('who asks', () => {
  test('is answered only under a name of this computer or the address that is listened at', async () => {
    const server = await open()
    server.show(everySample(), ready)
    const { port } = new URL(server.url)
    for (const host of ['127.0.0.1', `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
      expect(await heard(server.url, '/live', host)).toMatch(/^HTTP\/1.1 200 /)
    for (const host of [
      'attacker.example',
      `attacker.example:${port}`,
      'localhost.attacker.example',
      '10.0.0.1',
      '',
    ])
      expect(await heard(server.url, '/metrics', host)).toMatch(/^HTTP\/1.1 421 /)
  })

  test('is answered though 400 others are connected and ask nothing', async () => {
    const server = await open()
    server.show([], ready)
    const { hostname, port } = new URL(server.url)
    let closed = 0
    let enough: () => void = () => undefined
    const most = new Promise<void>((resolve) => {
      enough = resolve
    })
    const idle = await Promise.all(
      Array.from({ length: 400 }, () => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => undefined)
        socket.on('close', () => {
          closed += 1
          if (closed >= 300) enough()
        })
        return new Promise<typeof socket>((resolve) => socket.once('connect', () => resolve(socket)))
      }),
    )
    expect(await heard(server.url, '/live', 'localhost')).toMatch(/^HTTP\/1.1 200 /)
    await most
    for (const socket of idle) socket.destroy()
  })
})

describe('a name under which it is asked', () => {
  test('is refused with the name, those that are allowed, and the option that adds one', async () => {
    const { url } = await open(['prometheus'])
    const text = await heard(url, '/live', 'bearings:9478')
    expect(text).toMatch(/^HTTP\/1.1 421 /)
    for (const part of ['"bearings"', 'localhost', '127.0.0.1', 'prometheus', '--metrics-host bearings'])
      expect(text).toContain(part)
  })

  test('is taken where it was given', async () => {
    const { url } = await open(['bearings'])
    expect(await heard(url, '/live', 'Bearings:9478')).toMatch(/^HTTP\/1.1 200 /)
  })

  test('that is none is no option to copy', async () => {
    expect(await heard((await open()).url, '/live', 'a;rm')).toContain('--metrics-host NAME')
  })
})
