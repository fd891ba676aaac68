import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { playback } from '../../scripts/vectors/playback.ts'
import { ENGINE_RPC, EXECUTION_RPC, NODE_API } from '../../src/commands/api/endpoints.ts'
import { api } from '../../src/commands/api.ts'
import type { HttpRequest } from '../../src/core/base/effects/effects.ts'
import { bareEffects, runCommandWith } from '../support/run-command.ts'

const ROOT = join(import.meta.dirname, '../..')
const CLIENTS = join(ROOT, 'src/core/clients')

type Row = { section: string; question: string; call: string }

/** The rows of the tables of docs/endpoints.md that name a call. */
const rows: Row[] = readFileSync(join(ROOT, 'docs/endpoints.md'), 'utf8')
  .split(/^## /m)
  .flatMap((part) => {
    const [section = ''] = part.split('\n')
    const table = [...part.matchAll(/^\| `([^`]+)` \| `([A-Za-z0-9-]+)` \|/gm)]
    return table.map(([, question = '', call = '']) => ({ section, question, call }))
  })
const documented = (section: string) => rows.filter((row) => row.section.startsWith(section))

const VALUES: Readonly<Record<string, string>> = {
  '{id}': 'head',
  '{t}': 'head',
  '{index}': '0',
  '{validator}': '0',
  '{height}': '3',
  '{namespace}': 'bkit/v1',
  PUBKEY: `0x${'ab'.repeat(48)}`,
  ADDRESS: `0x${'ab'.repeat(20)}`,
  HASH: `0x${'ab'.repeat(32)}`,
  '[BLOCK]': '7',
}
const filled = (text: string) =>
  Object.entries(VALUES).reduce((out, [name, value]) => out.replaceAll(name, value), text)

/** What is asked for a command line, by an endpoint that answers with nothing of use. */
async function asked(...argv: string[]) {
  const requests: HttpRequest[] = []
  const reply = { status: 200, contentType: 'application/json', body: '{}' }
  const effects = bareEffects(playback(reply, requests))
  const { code, words, out } = await runCommandWith(api, [...argv, '--network', 'mainnet'], effects)
  return { code, words, out, requests }
}

describe('docs/endpoints.md', () => {
  test('has every call of the table, and no other', () => {
    const node = NODE_API.map(({ method, name }) => `${method} ${name}`)
    const ofNode = documented('Node API')
      .map(({ question }) => question.replace(/\{\w+\}/g, ':'))
      .filter((question) => !question.includes('/proof/') && !question.includes('/debug/beacon/states/'))
    expect(ofNode.sort()).toEqual(node.sort())
    const engine = documented('Engine RPC').map(({ question }) => question)
    expect(engine.sort()).toEqual(ENGINE_RPC.map(({ name }) => name).sort())
    const execution = documented('Execution RPC').map(({ question }) => question)
    const table = EXECUTION_RPC.map(({ name, takes: [takes = ''] }) =>
      `${name} ${takes.endsWith('?') ? `[${takes.slice(0, -1)}]` : takes}`.trimEnd(),
    )
    expect(table.filter((line) => !execution.includes(line))).toEqual([])
  })

  test('names for each call the function that makes it, and every such function', () => {
    const isCall = /^export (?:(?:async )?function|const) ((?:get|post|send|call|estimate|prove)\w*)/gm
    const functions = ['node', 'engine', 'execution'].flatMap((room) =>
      readdirSync(join(CLIENTS, room)).flatMap((name) =>
        [...readFileSync(join(CLIENTS, room, name), 'utf8').matchAll(isCall)].map(([, found]) => found),
      ),
    )
    // What else is asked of the node tool is no call of a service.
    const isToolWord = ({ section, call }: Row) => section.startsWith('Node tool') && !call.startsWith('get')
    const calls = rows.filter((row) => !isToolWord(row)).map(({ call }) => call)
    expect(new Set(calls)).toEqual(new Set(functions))
  })

  test('has every method of the execution RPC that the program calls, and no other', () => {
    const sources = readdirSync(join(CLIENTS, 'execution')).map((name) =>
      readFileSync(join(CLIENTS, 'execution', name), 'utf8'),
    )
    const called = [...sources.join('').matchAll(/method: '([a-z0-9]+_[a-zA-Z]+)'/g)].map(([, name]) => name)
    const methods = documented('Execution RPC').flatMap(
      ({ question }) => /^[a-z0-9]+_[a-zA-Z]+/.exec(question) ?? [],
    )
    expect(new Set(methods)).toEqual(new Set(called))
  })

  const typed = [...documented('Node API'), ...documented('Engine RPC')].filter(
    ({ question }) => !question.startsWith('POST'),
  )
  test.each(typed)('$question is asked at that path, and read by type', async ({ question }) => {
    const path = filled(question.replace('GET ', ''))
    const { words, requests } = await asked(path)
    expect(words).not.toContain('no typed reading')
    const [first] = requests
    if (!path.includes('/proof/validator_')) expect(new URL(first?.url ?? '').pathname).toBe(path)
  })

  const named = new Set(EXECUTION_RPC.map(({ name }) => name))
  const questions = documented('Execution RPC').filter(({ question }) =>
    named.has(question.split(' ')[0] ?? ''),
  )
  test.each(questions)('$question is asked', async ({ question }) => {
    expect((await asked(...filled(question).split(' '))).requests.length).toBeGreaterThan(0)
  })

  test.each(['eth_sendRawTransaction', 'eth_call', 'eth_getLogs', 'deposit'])(
    '%s is never asked by api',
    async (name) => {
      expect(await asked(name, '0x00')).toMatchObject({ code: 2, requests: [] })
    },
  )
})

describe('what api does not understand', () => {
  test.each([
    ['an argument of a call without one', ['depositCount', 'junk'], 'depositCount takes no argument'],
    ['a block that is none', ['eth_getBlockByNumber', 'yesterday'], 'latest, finalized, safe'],
    ['a negative block', ['eth_getBlockByNumber', '03'], 'The argument cannot be read.'],
    ['a field of a query', ['/eth/v1/beacon/genesis?slot=3'], 'It takes none: leave it out.'],
    [
      'a field that is misspelt',
      ['/eth/v1/beacon/states/head/validators?stauts=x&id=0'],
      'Did you mean status=?',
    ],
    ['a field of a whole list', ['/eth/v1/beacon/states/head/validators?ids=0'], 'Did you mean id=?'],
    ['a field that is there twice', ['/eth/v1/beacon/headers?slot=3&slot=4'], 'slot stands there twice'],
    ['a field of the engine', ['/block?hieght=3'], 'Did you mean height=?'],
    ['a field of a proof', ['/bkit/v1/proof/validator_pubkey/head/0?slot=3'], 'It takes none'],
    ['a field of a whole state', ['/eth/v2/debug/beacon/states/head?slot=3'], 'It takes none'],
    ['a body for the engine', ['/status', '--body', '{}'], 'takes no --body'],
    ['a body for the execution client', ['eth_chainId', '--body', '{}'], 'takes no --body'],
    ['a body for a proof', ['/bkit/v1/proof/block_proposer/head', '--body', '{}'], 'takes no --body'],
    ['a misspelt call', ['depositCuont'], 'Did you mean depositCount?'],
  ])('is refused and not asked: %s', async (_what, argv, words) => {
    const answer = await asked(...argv)
    expect(answer).toMatchObject({ code: 2, out: '', requests: [] })
    expect(answer.words).toContain(words)
  })

  test.each([
    ['3', '0x3'],
    ['0x1f', '0x1f'],
    ['finalized', 'finalized'],
  ])('block %s is asked as %s', async (argument, param) => {
    const { requests } = await asked('eth_getBlockByNumber', argument)
    expect(JSON.parse(String(requests[0]?.body))).toMatchObject({ params: [param, false] })
  })
})

describe('an endpoint that nobody named', () => {
  const bare = async (...argv: string[]) => {
    const requests: HttpRequest[] = []
    const reply = { status: 200, contentType: 'application/json', body: '{"data":{"version":"x"}}' }
    const { code, words } = await runCommandWith(api, argv, bareEffects(playback(reply, requests)))
    return { code, words, requests: requests.map(({ url }) => url) }
  }

  test.each([
    ['/eth/v1/node/version', '--node'],
    ['/status', '--engine'],
    ['depositCount', '--execution'],
  ])('is not asked: %s', async (path, option) => {
    const { code, words, requests } = await bare(path)
    expect([code, requests]).toEqual([2, []])
    expect(words).toContain(` ${option} URL`)
  })

  test('is asked once it is named, and no other', async () => {
    const { code, requests } = await bare('/eth/v1/node/version', '--node', 'http://127.0.0.1:3999')
    expect([code, requests]).toEqual([0, ['http://127.0.0.1:3999/eth/v1/node/version']])
    expect((await bare('/status', '--node', 'http://127.0.0.1:3999')).requests).toEqual([])
  })

  test('is not asked to vouch for a proof', async () => {
    const path = '/bkit/v1/proof/block_proposer/head'
    const { code, words, requests } = await bare(path, '--verify', '--node', 'http://127.0.0.1:3999')
    expect([code, requests]).toEqual([2, []])
    expect(words).toContain('Give --execution URL')
  })
})
