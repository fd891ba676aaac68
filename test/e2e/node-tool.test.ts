import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DevnetDescriptor } from '../../src/devnet/home.ts'
import { installFakeBeacond } from '../support/fake-beacond.ts'
import { hardTest } from '../support/hard.ts'
import { buildCli, type Run, runCli, runDevnetCli } from '../support/run-cli.ts'

let directory = ''
let network: Run
let descriptor: DevnetDescriptor
let calls: ReturnType<typeof installFakeBeacond>['calls']

const place = (name: string): string => join(directory, name)
const environment = () => ({
  ...process.env,
  HOME: place('user'),
  TMPDIR: place('tmp'),
  PATH: `${place('bin')}:${process.env.PATH}`,
})

beforeAll(async () => {
  await buildCli()
  directory = mkdtempSync(join(tmpdir(), 'tool-'))
  for (const name of ['user', 'tmp']) mkdirSync(place(name))
  calls = installFakeBeacond(place('bin')).calls
  const started = await runDevnetCli(['--directory', place('net'), '--slot-ms', '100'])
  network = started.run
  descriptor = started.descriptor
})

afterAll(async () => {
  network.kill('SIGTERM')
  await network.end
  rmSync(directory, { recursive: true, maxRetries: 5 })
})

/** Every file and directory below, with its size and the time of its last change. */
function contents(path: string): string[] {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  return names.map((name) => {
    const { size, mtimeMs } = statSync(join(path, name))
    return `${name} ${size} ${mtimeMs}`
  })
}

const cli = (args: readonly string[]) => runCli([...args, '--state', place('state')], environment()).end

/** What a node itself writes into its home, once its key signs blocks: its last height, in a file that it makes anew. */
const WRITTEN_BY_NODE = /^data(?:\/priv_validator_state\.json)? /

/** What is on the disk outside of the program's own places, and where the tool worked. */
function traces() {
  return {
    user: contents(place('user')),
    home: contents(descriptor.home).filter((line) => !WRITTEN_BY_NODE.test(line)),
    scratch: readdirSync(place('tmp')).filter((name) => name.startsWith('bearings-tool-')),
    withoutHome: calls().filter(({ args }) => !args.includes(' --home ')),
    inUserHome: calls().filter(({ userHome }) => userHome === place('user')),
  }
}

describe('beside a node tool that makes what a home lacks', () => {
  hardTest(
    'a whole registration and every command leave the home of the user and that of the node alone',
    async () => {
      const before = { ...traces(), withoutHome: [], inUserHome: [] }
      const devnet = ['--devnet', place('net/descriptor.json')]
      const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
      const order = ['--withdrawal', address, '--operator', address, '--amount', '10000']
      const file = place('deposit.json')
      // Before the rehearsal registers the key: no used one is signed with.
      const signed = await cli(['sign', ...devnet, ...order, '--out', file])
      const verified = await cli(['verify', file])
      const rehearsed = await cli(['rehearse', ...devnet])
      expect(rehearsed).toMatchObject({ code: 0, stderr: '' })
      const ended = await Promise.all([
        cli(['doctor', ...devnet]),
        cli(['genesis', join(descriptor.home, 'config/genesis.json')]),
        cli(['keys', ...devnet]),
        cli(['status', ...devnet]),
        cli(['topup-plan', ...devnet]),
        cli(['api', '/status', ...devnet]),
      ])
      const [doctor, ...others] = ended
      expect(traces()).toEqual(before)
      expect(rehearsed.stdout).toMatch(/^identity +ok +node tool key/m)
      expect(rehearsed.stdout).toMatch(/^sign +ok +node tool checks: accepts/m)
      expect([signed, verified, ...others].map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0])
      expect(doctor?.stdout).toMatch(/ok node tool status +rehearsal\S*, this key,\s+height\s+\d+/)
      const verbs = new Set(calls().map(({ args }) => args.split(' ').slice(0, 2).join(' ')))
      for (const verb of ['create-validator', 'validate', 'validator-keys'])
        expect(verbs).toContain(`deposit ${verb}`)
      expect(verbs).toContain('genesis validator-root')
    },
  )

  test('a home that lacks a part is not completed: what needs it stays unknown', async () => {
    const home = place('half')
    cpSync(descriptor.home, home, { recursive: true, preserveTimestamps: true })
    rmSync(join(home, 'data'), { recursive: true })
    const before = contents(home)
    const { stdout } = await cli(['keys', '--devnet', place('net/descriptor.json'), '--home', home])
    expect(contents(home)).toEqual(before)
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/\?\? node tool key .*no data/)
  })
})
