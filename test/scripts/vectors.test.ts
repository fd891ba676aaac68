import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { checkFolders } from '../../scripts/vectors/check-folders.ts'

const SCRIPT = join(import.meta.dirname, '../../scripts/vectors.ts')
const VECTORS = join(import.meta.dirname, '../vectors')
const root = mkdtempSync(join(tmpdir(), 'vectors-'))
afterAll(() => rmSync(root, { recursive: true }))

type Run = { exitCode: number; lines: string[] }

const timeless = (lines: readonly string[]) => lines.map((line) => line.replace(/ \(\d+\.\d s\)$/, ''))

/** Runs the script as `npm run vectors` does, from another folder. Times are left out of what it said. */
function runScript(args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [SCRIPT, ...args],
      { cwd: root, env: { ...process.env, INIT_CWD: root } },
      (_, stdout) => resolve({ exitCode: child.exitCode ?? -1, lines: timeless(stdout.trim().split('\n')) }),
    )
  })
}

/** What the script does with folders, in this process. */
async function run(folders: readonly string[]): Promise<Run> {
  const said: string[] = []
  const say = (text: string) => said.push(...text.split('\n'))
  const exitCode = await checkFolders(folders, { from: root, precompiles: false, say })
  return { exitCode, lines: timeless(said) }
}

function folder(name: string, files: Readonly<Record<string, string | Buffer>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, path)), { recursive: true })
    writeFileSync(join(root, name, path), content)
  }
  return name
}

const vector = (path: string): string => readFileSync(join(VECTORS, path), 'utf8')
const first = (path: string, count = 1): string => `${vector(path).split('\n').slice(0, count).join('\n')}\n`

describe('npm run vectors', () => {
  test('checks a folder as it is laid out, plain and packed, from anywhere', async () => {
    const name = folder('all', {
      'README.md': '# not data',
      'commits.jsonl': first('commits.jsonl', 4),
      'deposits.jsonl.gz': gzipSync(first('deposits/deposits.jsonl')),
      'genesis-roots.jsonl': first('deposits/genesis-roots.jsonl', 3),
      'mainnet-deposits.csv': first('deposits/mainnet-deposits.csv', 4),
      'epochs.jsonl.gz': readFileSync(join(VECTORS, 'consensus/epochs.jsonl.gz')),
      'proofs.jsonl': first('proofs.jsonl'),
      'recorded/contract.jsonl': vector('recorded/contract.jsonl'),
      'recorded/slots.jsonl.gz': readFileSync(join(VECTORS, 'consensus/slots.jsonl.gz')),
      'recorded/genesis.json': vector('consensus/genesis.json'),
      'recorded/spec.toml': vector('consensus/spec.toml'),
      'recorded/tool.jsonl': vector('recorded/tool.jsonl'),
    })
    const { exitCode, lines } = await runScript([name])
    expect(lines).toEqual([
      'commits.jsonl: 44 passed, 0 failed',
      '  from block 1: 3 of 3 rows reached, 0 of them in several steps',
      expect.stringMatching(/^deposits\.jsonl\.gz: 3\d passed, 0 failed$/),
      'epochs.jsonl.gz: 766 passed, 0 failed',
      '  watched: 104 evictions, 102 told while a top-up kept the place, 2 without a slot left, 0 without room; 8 alarms averted',
      expect.stringMatching(
        /^ {2}guarded, 0 slots to the human: 104 evictions, 91 never active, 0 averted, 2 raised after, /,
      ),
      expect.stringMatching(/^ {2}guarded, 60 slots to the human: 104 evictions, .*; 4 paid, /),
      'genesis-roots.jsonl: 3 passed, 0 failed',
      'mainnet-deposits.csv: 3 passed, 0 failed',
      'proofs.jsonl: 11 passed, 0 failed',
      expect.stringMatching(/^recorded\/contract\.jsonl: \d+ passed, 0 failed$/),
      'recorded/genesis.json: 1 passed, 0 failed',
      'recorded/slots.jsonl.gz: 7898 passed, 0 failed',
      'recorded/spec.toml: 1 passed, 0 failed',
      'recorded/tool.jsonl: 30 passed, 0 failed',
      expect.stringMatching(/^\d+ passed, 0 failed$/),
    ])
    expect(exitCode).toBe(0)
  })

  test('shows the first three differences in full and fails', async () => {
    const wrong = first('deposits/genesis-roots.jsonl', 5).replaceAll(/"root": ?"0x../g, '"root":"0xzz')
    const { exitCode, lines } = await run([folder('wrong', { 'genesis-roots.jsonl': wrong })])
    expect(lines[0]).toBe('genesis-roots.jsonl: 0 passed, 5 failed')
    expect(lines.slice(1, 4)).toEqual(
      [1, 2, 3].map((n) => expect.stringMatching(`^  line ${n}: 0x.* instead of 0xzz`)),
    )
    expect(lines.slice(4)).toEqual(['0 passed, 5 failed'])
    expect(exitCode).toBe(1)
  })

  test('fails for a file that it does not know, cannot read, or misses', async () => {
    const name = folder('odd', {
      'surprise.jsonl': '{}',
      'tool.jsonl': '{"args"',
      'proofs.jsonl.gz': 'no gzip',
    })
    const { exitCode, lines } = await run([name, 'nowhere'])
    expect(lines).toEqual([
      'proofs.jsonl.gz: 0 passed, 1 failed',
      expect.stringContaining('incorrect header check'),
      'surprise.jsonl: 0 passed, 1 failed',
      '  no check knows a file of this name',
      'tool.jsonl: 0 passed, 1 failed',
      expect.stringContaining('SyntaxError'),
      expect.stringMatching(/nowhere: 0 passed, 1 failed$/),
      '  there is nothing at this path',
      '0 passed, 4 failed',
    ])
    expect(exitCode).toBe(1)
  })

  test('says what a recording lacks', async () => {
    const name = folder('part', { 'slots.jsonl.gz': readFileSync(join(VECTORS, 'consensus/slots.jsonl.gz')) })
    const { lines } = await run([name])
    expect(lines[1]).toBe('  Error: it needs genesis.json beside it')
  })

  test('reads a node home as one thing, and notices a key file that is not its own', async () => {
    const home = join(root, 'homes/home-example')
    cpSync(join(VECTORS, 'home-example'), home, { recursive: true })
    const key = JSON.parse(vector('deposits/priv_validator_key.json')) as { address: string }
    const files = (address: string) => ({
      'home-example/config/priv_validator_key.json': JSON.stringify({ ...key, address }),
      'home-example/config/genesis.json': vector('consensus/genesis.json'),
      'home-example/data/priv_validator_state.json': '{"height":"0","round":0,"step":0}',
    })
    const good = await run([folder('homes', files(key.address))])
    expect(good.lines).toEqual(['home-example: 4 passed, 0 failed', '4 passed, 0 failed'])
    const packed = folder('packed', {
      'home-example/config/config.toml.gz': gzipSync(vector('home-example/config/config.toml')),
      'home-example/config/app.toml': vector('home-example/config/app.toml'),
      'home-example/config/client.toml': vector('home-example/config/client.toml'),
      ...Object.fromEntries(
        Object.entries(files(key.address)).map(([path, text]) => [`${path}.gz`, gzipSync(text)]),
      ),
    })
    expect((await run([packed])).lines).toEqual(good.lines)
    const bad = await run([folder('homes', files('00'.repeat(20).toUpperCase()))])
    expect(bad.lines.slice(0, 2)).toEqual([
      'home-example: 3 passed, 1 failed',
      '  the stored key or address is not the derived one',
    ])
  })

  test('tells replies that are no answers apart, row by row', async () => {
    const genesis = '/eth/v1/beacon/genesis'
    const row = (fields: object): string => JSON.stringify({ api: 'node-api', method: 'GET', ...fields })
    const html = { contentType: 'text/html', body: '<html>' }
    const json = { contentType: 'application/json' }
    const rows = [
      row({ path: genesis, status: 200, ...html }),
      row({ path: genesis, status: 502, ...html }),
      row({ path: genesis, status: 502, ...json, body: '{"code":' }),
      row({ path: genesis, status: 200, ...json, body: '' }),
      row({ path: genesis, status: 501, ...json, body: '' }),
      row({ path: genesis, status: 429, ...html }),
      row({
        path: '/eth/v1/beacon/headers?slot=abc',
        status: 400,
        ...json,
        body: '{"code":400,"message":"no"}',
      }),
      row({ api: 'engine', path: '/status', status: 502, ...html }),
      row({ api: 'engine', path: '/status', status: 200, ...json, body: '' }),
      row({ path: genesis, status: 200, ...json, body: '{"data":{"genesis_time":"0"}}' }),
    ]
    const { lines } = await run([folder('replies', { 'http.jsonl': rows.join('\n') })])
    expect(lines).toEqual([
      'http.jsonl: 9 passed, 1 failed',
      expect.stringContaining(`${genesis}: malformed`),
      '9 passed, 1 failed',
    ])
  })

  test('reads an object of eth_syncing by its fields, and notices one that cannot be read', async () => {
    const row = (result: unknown) =>
      JSON.stringify({ kind: 'eth', method: 'eth_syncing', reply: { jsonrpc: '2.0', id: 1, result } })
    const indexing = { currentBlock: '0x142', highestBlock: '0x0', stateIndexRemaining: '0x1' }
    const rows = [false, indexing, { currentBlock: '0x142' }].map(row)
    const { lines } = await run([folder('syncing', { 'execution.jsonl': rows.join('\n') })])
    expect(lines.slice(0, 2)).toEqual([
      'execution.jsonl: 2 passed, 1 failed',
      expect.stringContaining('eth_syncing: threw ClientError'),
    ])
    expect(lines).toContain('field: result.highestBlock')
  })

  test('takes part of a recording, and an empty genesis list', async () => {
    const emptyRoot = '0xea569bcb4fbb2ed26d30e997d7337e7e12a43ac115793e9cbe25da401fcbb725'
    const name = folder('some', {
      'genesis.json': vector('consensus/genesis.json'),
      'genesis-roots.jsonl': `{"deposits":[],"root":"${emptyRoot}"}`,
    })
    expect((await run([name])).lines).toEqual([
      'genesis-roots.jsonl: 1 passed, 0 failed',
      'genesis.json: 1 passed, 0 failed',
      '2 passed, 0 failed',
    ])
  })

  test('is used wrongly without a folder', async () => {
    expect((await runScript([])).exitCode).toBe(2)
  })
})
