import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { SERVICE_WORDS } from '../../../../src/core/base/errors/client.ts'
import { STEP_TEXT } from '../../../../src/core/view/text.ts'
import type { LoopbackReply, LoopbackRequest } from '../../../../src/devnet/loopback-server.ts'
import { faultCode } from '../../../support/fault-code.ts'
import { pattern } from '../../../support/pattern.ts'
import { recordedBody } from '../../../support/replay-recording.ts'
import type { Tamper } from '../../../support/replay-servers.ts'
import { asked, KEYS, rows, situation } from '../../../support/situation.ts'

const vector = (path: string) => readFileSync(new URL(`../../../vectors/${path}`, import.meta.url), 'utf8')
const KEY = KEYS.odd
const UNTOUCHED = { line: 'this step sends nothing' }

/** Puts another body in the place of every good reply of a path. */
const instead =
  (path: string, status: number, contentType: string, body: string): Tamper =>
  (request: LoopbackRequest): LoopbackReply | undefined =>
    request.path === path ? { status, contentType, body } : undefined

function changeConfig(home: string, from: string, to: string): void {
  const path = join(home, 'config/config.toml')
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to))
}

const GENESIS = '/eth/v1/beacon/genesis'

describe('the chain is checked before anything else', () => {
  situation(
    'all sources name the recorded network',
    {
      slot: 187,
      key: KEY,
      recorded: 'genesis file, node, engine, chain id, node tool',
      madeUp: 'contract code',
    },
    async (it) => {
      await asked(it)
      const view = it.view('genesis')
      expect(rows(view)).toEqual({
        preset: expect.stringMatching(/^given /),
        config: 'proven chain 80087, same contract',
        fork: 'proven Electra',
        deposits: `unasked ${STEP_TEXT.row.notOffered}`,
        schedule: `unasked ${STEP_TEXT.row.notOffered}`,
        file: 'proven same root, 3 validators',
        node: 'proven same root, fork 0x05000000',
        tool: 'proven same root',
        execution: 'proven chain 80087, expected 80087',
        engine: 'proven beacond-2061',
        contract: 'proven the known code',
      })
      expect(view).toMatchObject({ done: true, money: UNTOUCHED })
      expect(view.problem).toBeUndefined()
    },
  )

  situation(
    'the addresses of all three services are mixed up',
    {
      slot: 187,
      key: KEY,
      mixUp: ({ execution, node, engine, second }) => ({
        execution: node,
        node: engine,
        engine: execution,
        second,
      }),
      recorded: 'the node, at the wrong addresses',
    },
    async (it) => {
      await it.until(({ genesis }) => !genesis.asking)
      const view = it.view('genesis')
      const said = rows(view)
      expect(said).toMatchObject({
        execution: expect.stringMatching(pattern`^unknown .* ${SERVICE_WORDS['node API']}\.$`),
        node: expect.stringMatching(pattern`^unknown .* ${SERVICE_WORDS['engine RPC']}\.$`),
        engine: expect.stringMatching(pattern`^unknown .* ${SERVICE_WORDS['execution RPC']}\.$`),
      })
      const { execution, node, engine } = it.session.getState().genesis.observed
      expect([execution, node, engine].map(faultCode)).toEqual(Array(3).fill('client.wrong-service'))
      expect(view.intro).toContain('Esc ')
      expect(view.intro).toContain('r asks again')
      expect(view.done).toBe(false)
    },
  )

  situation(
    'something else than a node listens at its address',
    {
      slot: 187,
      key: KEY,
      node: () => ({ status: 404, contentType: 'text/html', body: '<h1>Not here</h1>' }),
      recorded: 'the other services',
      madeUp: 'a web page',
    },
    async (it) => {
      await it.until(({ genesis }) => !genesis.asking)
      expect(rows(it.view('genesis')).node).toMatch(/^unknown /)
      expect(faultCode(it.session.getState().genesis.observed.node)).toBe('client.wrong-service')
    },
  )

  situation(
    'the home has the genesis file of another network',
    {
      slot: 187,
      key: KEY,
      genesisJson: vector('networks/bepolia/genesis.json'),
      recorded: "the node; Bepolia's published file in the home",
    },
    async (it) => {
      await asked(it)
      const view = it.view('genesis')
      expect(rows(view).file).toMatch(/^refused another root/)
      expect(view).toMatchObject({
        done: false,
        money: UNTOUCHED,
        problem: {
          id: 'genesis.other-root',
          money: 'untouched',
          values: [
            {
              label: 'your genesis.json',
              value: '0x3cbcf75b02fe4750c592f1c1ff8b5500a74406f80f038e9ff250e2e294c5615e',
            },
            {
              label: 'Recorded, your files',
              value: '0x961b839044d9e6f1e527f0622cea49397f9f315c769dd1258a91c9f31e651d0c',
            },
          ],
        },
      })
    },
  )

  situation(
    'the home was never given the network’s genesis file',
    {
      slot: 187,
      key: KEY,
      genesisJson: vector('deposits/init-genesis.json'),
      recorded: 'the node; the file that the node tool’s init writes',
    },
    async (it) => {
      await asked(it)
      const view = it.view('genesis')
      expect(rows(view).file).toMatch(/^unknown genesis\.json /)
      expect(faultCode(it.session.getState().genesis.observed.file)).toBe('genesis-file.no-deposits')
      expect(view.done).toBe(false)
    },
  )

  situation(
    'the node reads its genesis file from another place',
    {
      slot: 187,
      key: KEY,
      changeHome: (home) => {
        renameSync(join(home, 'config/genesis.json'), join(home, "the chain's.json"))
        changeConfig(home, 'genesis_file = "config/genesis.json"', 'genesis_file = "the chain\'s.json"')
      },
      recorded: 'the file',
      madeUp: 'its place',
    },
    async (it) => {
      await asked(it)
      const view = it.view('genesis')
      expect(rows(view).file).toBe('proven same root, 3 validators')
      expect(view.commands[0]).toMatch(
        /^beacond genesis validator-root '\/.*\/home\/the chain'\\''s\.json' --home "\$\(mktemp -d\)"$/,
      )
      expect(view.done).toBe(true)
    },
  )

  situation(
    'the genesis file in its usual place is not the one that the node reads',
    {
      slot: 187,
      key: KEY,
      changeHome: (home) => {
        writeFileSync(join(home, 'bepolia.json'), vector('networks/bepolia/genesis.json'))
        changeConfig(home, 'genesis_file = "config/genesis.json"', 'genesis_file = "bepolia.json"')
      },
      recorded: "the node; Bepolia's published file in the home",
    },
    async (it) => {
      await asked(it)
      expect(rows(it.view('genesis')).file).toMatch(/^refused another root/)
      expect(it.view('genesis').done).toBe(false)
    },
  )

  situation(
    'nothing says which genesis file the node reads',
    {
      slot: 187,
      key: KEY,
      changeHome: (home) => rmSync(join(home, 'config/config.toml')),
      recorded: 'all but the home',
      madeUp: 'its missing file',
    },
    async (it) => {
      await it.until(({ genesis }) => genesis.observed.file.status === 'failed' && !genesis.asking)
      const view = it.view('genesis')
      expect(rows(view).file).toMatch(/^unknown .* config\/config\.toml\.$/)
      expect(view.commands[0]).toMatch(/\/config\/genesis\.json --home /)
      expect(view.done).toBe(false)
    },
  )

  situation(
    'the engine runs another chain',
    {
      slot: 187,
      key: KEY,
      engine: instead(
        '/status',
        200,
        'application/json',
        recordedBody('/status').replace('beacond-2061', 'testnet-beacon-80069'),
      ),
      recorded: 'all but the engine',
      madeUp: 'its chain id',
    },
    async (it) => {
      await asked(it)
      const view = it.view('genesis')
      expect(rows(view).engine).toBe('refused testnet-beacon-80069')
      expect(view).toMatchObject({
        done: false,
        problem: { id: 'genesis.other-chain', money: 'untouched' },
      })
    },
  )

  situation(
    'the node waits for its first block',
    {
      slot: 187,
      key: KEY,
      node: (request) => ({
        status: request.path === '/eth/v1/node/syncing' ? 200 : 404,
        contentType: 'application/json',
        body: recordedBody(
          request.path === '/eth/v1/node/syncing' ? request.path : GENESIS,
          'node just started',
        ),
      }),
      absent: ['engine'],
      recorded: 'every reply of a node before its first block',
    },
    async (it) => {
      await asked(it)
      expect(rows(it.view('genesis'))).toMatchObject({
        node: expect.stringMatching(/^unknown /),
        engine: expect.stringMatching(/^unknown /),
      })
      const { node, engine } = it.session.getState().genesis.observed
      expect([node, engine].map(faultCode)).toEqual(['client.not-ready', 'client.unreachable'])
      expect(it.view('genesis').done).toBe(false)
      expect(rows(it.view('identity')).node).toMatch(/^refused .* slot 0 for \d+ s/)
      expect(it.view('identity').done).toBe(false)
    },
  )

  situation(
    'the node API is off',
    { slot: 187, key: KEY, absent: ['node'], recorded: 'a stopped node refuses the connection' },
    async (it) => {
      await asked(it)
      expect(rows(it.view('genesis')).node).toMatch(/^unknown /)
      expect(faultCode(it.session.getState().genesis.observed.node)).toBe('client.unreachable')
      expect(rows(it.view('identity'))).toMatchObject({
        node: expect.stringMatching(/^unknown /),
        beacon: expect.stringMatching(/^unknown /),
      })
      expect(it.view('genesis').done || it.view('identity').done).toBe(false)
    },
  )

  situation(
    'a proxy answers with a page',
    {
      slot: 187,
      key: KEY,
      node: instead(GENESIS, 200, 'text/html', '<html>\u001b[2J✔ same root</html>'),
      recorded: 'all but one reply',
      madeUp: 'the page',
    },
    async (it) => {
      await asked(it)
      const view = it.view('genesis')
      expect(rows(view).node).toMatch(/^unknown /)
      expect(faultCode(it.session.getState().genesis.observed.node)).toBe('client.malformed')
      expect(view.done).toBe(false)
    },
  )

  situation(
    'numbers come with commas',
    {
      slot: 187,
      key: KEY,
      node: (request, reply) =>
        request.path === GENESIS || reply === 'close'
          ? {
              status: 200,
              contentType: 'application/json',
              body: recordedBody(GENESIS).replace('"0"', '"1,795,203"'),
            }
          : undefined,
      recorded: 'all but one field',
      madeUp: 'a genesis time with commas',
    },
    async (it) => {
      await asked(it)
      expect(rows(it.view('genesis')).node).toMatch(/^unknown /)
      expect(faultCode(it.session.getState().genesis.observed.node)).toBe('client.malformed')
      expect(it.view('genesis').done).toBe(false)
    },
  )

  situation(
    'the second execution endpoint is on another chain',
    {
      slot: 187,
      key: KEY,
      withSecond: true,
      second: (request, reply) =>
        reply !== 'close' && request.body.includes('eth_chainId')
          ? { ...reply, body: reply.body.replace('0x138d7', '0x138c5') }
          : undefined,
      recorded: 'the first endpoint',
      madeUp: 'the second one’s chain id',
    },
    async (it) => {
      await asked(it)
      const view = it.view('genesis')
      expect(rows(view).second).toMatch(/^refused chain 80069/)
      expect(view).toMatchObject({ done: false, problem: { money: 'untouched' } })
    },
  )
})
