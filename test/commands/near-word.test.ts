import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nearNetwork } from '../../src/compose/network-choice.ts'
import { nearWord } from '../../src/core/base/format/near-word.ts'
import { readDocument } from '../support/documents.ts'
import { sampled } from '../support/hard.ts'
import { buildCli, runCli } from '../support/run-cli.ts'

let state: string

beforeAll(async () => {
  await buildCli()
  state = await mkdtemp(join(tmpdir(), 'near-'))
})
afterAll(() => rm(state, { recursive: true }))

const run = (...argv: string[]) => runCli(argv, { ...process.env, XDG_STATE_HOME: state }).end

describe('a word that is none', () => {
  const WORDS: [string, string[], string][] = [
    ['a command', ['stauts'], 'Did you mean bearings status?'],
    ['the beginning of a command', ['topup'], 'Did you mean bearings topup-plan?'],
    ['a command with a dash too many', ['top-up'], 'Did you mean bearings topup-plan?'],
    ['a command asked for help', ['help', 'docter'], 'Did you mean bearings doctor?'],
    ['an option of the wizard', ['--netwrok', 'mainnet'], 'Did you mean --network?'],
    ['an option of a command', ['status', '--validater', '3'], 'Did you mean --validator?'],
    ['an option with its value', ['doctor', '--nod=http://127.0.0.1:1'], 'Did you mean --node?'],
    ['an option of the rehearsal network', ['devnet', '--sede', 'x'], 'Did you mean --seed?'],
    ['a network of the wizard', ['--network', 'mainet'], 'Did you mean --network mainnet?'],
    ['a network of a command', ['status', '--network', 'bepola'], 'Did you mean --network bepolia?'],
    ['a network by the name of its chain', ['genesis', '--network', 'Berachain'], '--network mainnet?'],
    ['a command behind an option', ['--state', 'x', 'status'], 'Write bearings status and then the options.'],
  ]
  test.each(sampled(WORDS, 2))('%s: names the near one, and is wrong use', async (_what, argv, near) => {
    const { code, stdout, stderr } = await run(...argv)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr.replace(/\s+/g, ' ')).toContain(near)
    const asJson = await run(...argv, '--json')
    expect(asJson.code).toBe(2)
    const { verdict, words } = readDocument(asJson.stdout)
    expect(verdict).toBe('wrong-use')
    expect(words?.next?.join(' ')).toContain(near)
  })

  test('is not guessed at where nothing is near', async () => {
    const { code, stderr } = await run('xylophone')
    expect(code).toBe(2)
    expect(stderr).not.toContain('Did you mean')
    expect(stderr).toContain('See bearings --help.')
  })

  test('is near a known one whose beginning it is but for a dash', () => {
    expect(nearWord('top-up', ['status', 'topup-plan'])).toBe('topup-plan')
    expect(nearWord('--', ['status', 'topup-plan'])).toBeUndefined()
    expect(nearWord('---', ['status'])).toBeUndefined()
  })

  test('that looks like a path is no name of a network', () => {
    expect(nearNetwork('./mainet')).toBeUndefined()
    expect(nearNetwork('mainet.json')).toBeUndefined()
    expect(nearNetwork('testnet')).toBe('bepolia')
  })

  test('costs little, however long it is', () => {
    expect(nearWord('x'.repeat(10_000_000), ['status'])).toBeUndefined()
  })
})

describe('with --json every wrong use is one document', () => {
  test.each([
    ['without a command', ['--json', '--network']],
    ['of the wizard, which has none', ['--json']],
    ['of a validator without a terminal', ['--validator', '3', '--json']],
    ['of a network without a terminal', ['--network', 'mainnet', '--json']],
    ['of the rehearsal network', ['devnet', '--slot-ms', '3', '--json']],
    ['of a rehearsal', ['rehearse', '--scenario', 'nope', '--json']],
  ])('%s', async (_what, argv) => {
    const { code, stdout } = await run(...argv)
    expect(code).toBe(2)
    expect(readDocument(stdout)).toMatchObject({ verdict: 'wrong-use', error: { money: 'untouched' } })
  })
})
