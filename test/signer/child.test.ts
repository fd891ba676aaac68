import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createNodeSigner, runSignerChild, TOO_LONG } from '../../src/core/base/effects/node-signer.ts'
import { type BuiltSigner, buildSigner } from '../support/build-signer.ts'
import { buildExecutable, HAS_EXECUTABLE } from '../support/executable.ts'
import { HARD } from '../support/hard.ts'
import { keyedDeposit } from '../support/signed-deposit.ts'
import { watchChildren } from '../support/watch-children.ts'

const { keyFile: keyFileText, secretKey, ...deposit } = keyedDeposit()
const { signature, ...message } = deposit
const folder = mkdtempSync(join(tmpdir(), 'signer-test-'))
// Where a path can hold them: what is quoted on the way to Node.
const KEY_NAME = process.platform === 'win32' ? 'a key, with comma.json' : 'a "key", with \\ and comma.json'
const keyFile = join(folder, KEY_NAME)
const keyTypePrefix = 'cometbft'
const RUN_SIGNER = join(import.meta.dirname, '../support/run-signer.ts')

let built: BuiltSigner
beforeAll(async () => {
  writeFileSync(keyFile, keyFileText, { mode: 0o600 })
  built = await buildSigner()
})

/** Where the child is, of one way of starting it, and how it is taken away again. */
type Place = { signerPath: string; executable?: string }
type Built = { place: Place; remove?: () => void }

const WAYS: { name: string; build: () => Promise<Built> }[] = [
  { name: 'from its file', build: async () => ({ place: { signerPath: built.signerPath } }) },
  { name: 'from the single executable', build: placeInExecutable },
]

async function placeInExecutable(): Promise<Built> {
  const { path, remove } = await buildExecutable()
  return { place: { executable: path, signerPath: join(path, 'signer.js') }, remove }
}

const refusal = (code: string) => expect.objectContaining({ name: 'BaseError', code, money: 'untouched' })

function script(source: string): string {
  const path = join(mkdtempSync(join(folder, 'fake-')), 'signer.mjs')
  writeFileSync(path, source)
  return path
}

describe.each(HARD && HAS_EXECUTABLE ? WAYS : WAYS.slice(0, 1))('the child, started $name,', ({ build }) => {
  let place: Place
  beforeAll(async () => {
    const made = await build()
    place = made.place
    return made.remove
  })
  const signer = () => createNodeSigner(place)
  const inspected = () => signer().inspect({ keyFile, keyTypePrefix })

  test('tells the public facts of a key file, and signs the very bytes that the node signs', async () => {
    const facts = await inspected()
    expect(facts).toMatchObject({ pubkey: deposit.pubkey, storedPubkeyMatches: true, publishedKey: false })
    const request = { ...message, keyFile, keyTypePrefix, fileHash: facts.fileHash }
    expect(await signer().signDeposit(request)).toEqual({ signature })
  })

  test('opens no socket and shows no secret to the rest of the machine while it works', async () => {
    const { fileHash } = await inspected()
    const work = signer().signDeposit({ ...message, keyFile, keyTypePrefix, fileHash })
    const { result, seen } = await watchChildren(work)
    expect(result.signature).toBe(signature)
    expect(seen.samples).toBeGreaterThan(5)
    expect([...seen.sockets]).toEqual([])
    const everything = [...seen.texts, JSON.stringify(result)].join('\n')
    const raw = Buffer.from(secretKey)
    const forms = [
      raw.toString('hex'),
      raw.toString('base64'),
      raw.toString('latin1'),
      BigInt(`0x${raw.toString('hex')}`).toString(),
    ]
    for (const secret of forms) expect(everything).not.toContain(secret)
    expect(everything).toContain('--permission')
  })

  test('can read nothing but what it was given', async () => {
    const run = { ...place, writable: [], deadlineMs: 10_000 }
    const line = JSON.stringify({ verb: 'inspect', request: { keyFile, keyTypePrefix } })
    await expect(runSignerChild({ ...run, line, readable: [] })).rejects.toThrow('ERR_ACCESS_DENIED')
    const reply = await runSignerChild({ ...run, line, readable: [keyFile] })
    expect(reply.text('pubkey')).toBe(deposit.pubkey)
  })

  test('takes nothing from the environment of this program', async () => {
    const before = process.env.NODE_OPTIONS
    onTestFinished(() => {
      if (before === undefined) delete process.env.NODE_OPTIONS
      else process.env.NODE_OPTIONS = before
    })
    process.env.NODE_OPTIONS = `--require ${join(folder, 'nowhere.cjs')}`
    expect(await inspected()).toMatchObject({ pubkey: deposit.pubkey })
  })

  test('refuses a key file that is not the inspected one', async () => {
    const request = { ...message, keyFile, keyTypePrefix, fileHash: `0x${'11'.repeat(32)}` } as const
    await expect(signer().signDeposit(request)).rejects.toThrow(refusal('signer.file-changed'))
  })

  test('refuses to sign for another public key', async () => {
    const { fileHash } = await inspected()
    const pubkey = `0x${'11'.repeat(48)}` as const
    const request = { ...message, pubkey, keyFile, keyTypePrefix, fileHash }
    await expect(signer().signDeposit(request)).rejects.toThrow(refusal('signer.other-key'))
  })

  test('refuses credentials that lock the stake for ever', async () => {
    const { fileHash } = await inspected()
    const withdrawalCredentials = `0x02${'00'.repeat(11)}${'11'.repeat(20)}` as const
    const request = { ...message, withdrawalCredentials, keyFile, keyTypePrefix, fileHash }
    await expect(signer().signDeposit(request)).rejects.toThrow(refusal('deposit.bad-credentials'))
  })

  test('refuses symbolic links, folders, missing and oversized files, each in its own words', async () => {
    const own = mkdtempSync(join(folder, 'odd-'))
    const paths = { link: join(own, 'link'), folder: join(own, 'inner'), big: join(own, 'big') }
    symlinkSync(keyFile, paths.link)
    mkdirSync(paths.folder)
    writeFileSync(paths.big, 'x'.repeat(70_000), { mode: 0o600 })
    const expected: [string, string][] = [
      [paths.link, 'symbolic link'],
      [paths.folder, 'not a regular file'],
      [paths.big, 'larger than'],
      [join(folder, 'nothing'), 'no such file'],
    ]
    for (const [path, words] of expected) {
      await expect(signer().inspect({ keyFile: path, keyTypePrefix })).rejects.toThrow(words)
    }
  })

  test('refuses a key of another kind with the reason kept', async () => {
    const path = join(folder, 'ed25519.json')
    writeFileSync(path, keyFileText.replaceAll('Bls12_381', 'Ed25519'), { mode: 0o600 })
    await expect(signer().inspect({ keyFile: path, keyTypePrefix })).rejects.toThrow(
      refusal('key-file.wrong-type'),
    )
  })

  test('refuses a path that would widen its permissions', async () => {
    const request = { keyFile: join(folder, '*'), keyTypePrefix }
    await expect(signer().inspect(request)).rejects.toThrow(refusal('signer.bad-request'))
  })

  test('refuses requests that it does not know', async () => {
    const run = { ...place, readable: [], writable: [], deadlineMs: 10_000 }
    const lines = [
      'nonsense',
      '{}',
      '{"verb":"signAnything","request":{}}',
      '{"verb":"inspect","request":{"x":1}}',
    ]
    for (const line of lines) {
      await expect(runSignerChild({ ...run, line })).rejects.toThrow(refusal('signer.bad-request'))
    }
  })
})

describe('the child', () => {
  test('is built without anything that could open a connection or start a program', () => {
    const outputs = Object.values(built.metafile.outputs)
    const imports = outputs.flatMap((output) => output.imports.map(({ path }) => path))
    expect([...new Set(imports)].sort()).toEqual(['node:crypto', 'node:fs', 'node:tty'])
    const own = Object.keys(built.metafile.inputs).filter((path) => path.startsWith('src/'))
    expect(own.length).toBeGreaterThan(20)
    expect(own.filter((path) => /core\/(?:clients|base\/effects|steps|wizard)|watch\//.test(path))).toEqual(
      [],
    )
  })

  test('would be caught if it did either: the search finds a seeded socket and a seeded secret', async () => {
    const listening = "import('node:net').then(({ createServer }) => createServer().listen(0, '127.0.0.1'))"
    const stop = new AbortController()
    const run = { signerPath: script(listening), line: '{}', readable: ['/seeded-secret'], writable: [] }
    const { seen } = await watchChildren(
      runSignerChild({ ...run, signal: stop.signal }).catch(() => undefined),
      ({ sockets }) => sockets.size > 0 && stop.abort(),
    )
    expect(seen.sockets.size).toBeGreaterThan(0)
    expect([...seen.texts].join('\n')).toContain('seeded-secret')
  })
})

const onLinux = test.runIf(process.platform === 'linux')
onLinux('a shell that keeps its own stdout under a second number is no child with a socket', async () => {
  const shell = spawn('/bin/sh', ['-c', '{ echo ready >&2; read line; } > /dev/null'], { stdio: 'pipe' })
  let looks = 0
  shell.stderr.on('data', () => (looks = 1))
  const { seen } = await watchChildren(once(shell, 'close'), () => {
    if (looks > 0) looks += 1
    if (looks > 10) shell.stdin.end()
  })
  expect(looks).toBeGreaterThan(10)
  expect([...seen.sockets]).toEqual([])
})

/** Runs a child below a process whose core dumps are as large as they may be. Its working directory is `cwd`. */
function runWithCores(
  signerPath: string,
  { cwd, readable }: { cwd: string; readable: readonly string[] },
): string {
  const command = 'ulimit -c "$(ulimit -H -c)" && exec "$0" "$@"'
  const args = ['-c', command, process.execPath, RUN_SIGNER, signerPath, ...readable]
  return execFileSync('sh', args, { cwd, encoding: 'utf8' })
}

describe.runIf(process.platform === 'linux')('the child leaves no core dump', () => {
  test('for its limit is zero, hard as well, and no memory is to be dumped', () => {
    const cwd = mkdtempSync(join(folder, 'limits-'))
    const readable = ['/proc/self/limits', '/proc/self/coredump_filter', '/proc/self/environ']
    const signerPath = script(`import { readFileSync } from 'node:fs'
      const [limits, filter, environment] = ${JSON.stringify(readable)}.map((path) => readFileSync(path, 'utf8'))
      const core = limits.split('\\n').find((line) => line.startsWith('Max core file size'))
      console.log(JSON.stringify({ ok: true, result: { core, filter, environment, args: process.argv.slice(2) } }))`)
    const [core, filter, environment] = JSON.parse(runWithCores(signerPath, { cwd, readable }))
    expect(core).toMatch(/^Max core file size +0 +0 +bytes/)
    expect(filter.trim()).toBe('00000000')
    expect(environment.replace(/\b(?:PWD|SHLVL|_)=[^\0]*\0/g, '')).toBe('')
  })

  test('when it crashes', () => {
    for (const crash of ['process.abort()', "process.kill(process.pid, 'SIGSEGV')"]) {
      const cwd = mkdtempSync(join(folder, 'crash-'))
      const signerPath = script(`${crash}; setInterval(() => {}, 1000)`)
      expect(runWithCores(signerPath, { cwd, readable: [] })).toBe('signer.failed')
      expect(readdirSync(cwd)).toEqual([])
    }
  })
})

describe('a child that does not answer as it must', () => {
  const run = { line: '{}', readable: [], writable: [], deadlineMs: 10_000 }
  const failing: [string, string][] = [
    ['ends without a word', ''],
    ['answers something else', "console.log('hello')"],
    ['answers twice', 'console.log(\'{"ok":true,"result":{}}\\n{"ok":true,"result":{}}\')'],
    ['answers too much', "process.stdout.write('x'.repeat(1_000_000)); setInterval(() => {}, 1000)"],
    ['crashes', "throw new Error('boom')"],
  ]
  test.each(failing)('%s: signer.failed', async (_, source) => {
    await expect(runSignerChild({ ...run, signerPath: script(source) })).rejects.toThrow(
      refusal('signer.failed'),
    )
  })

  test('or takes too long is ended', async () => {
    const signerPath = script('process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000)')
    await expect(runSignerChild({ ...run, signerPath, deadlineMs: 300 })).rejects.toThrow(TOO_LONG)
  })

  test('is ended when the caller gives up, before or while it runs', async () => {
    const signerPath = script('setInterval(() => {}, 1000)')
    const early = AbortSignal.abort()
    await expect(runSignerChild({ ...run, signerPath, signal: early })).rejects.toThrow(
      refusal('signer.cancelled'),
    )
    const later = AbortSignal.timeout(200)
    await expect(runSignerChild({ ...run, signerPath, signal: later })).rejects.toThrow(
      refusal('signer.cancelled'),
    )
  })

  test('has its words made safe before they are passed on', async () => {
    const error = {
      code: 'x.y',
      shortMessage: '\u001b[31mred\r',
      details: ['\u0000'],
      nextSteps: [],
      retryable: false,
    }
    const signerPath = script(`console.log(${JSON.stringify(JSON.stringify({ ok: false, error }))})`)
    const failure = await runSignerChild({ ...run, signerPath }).catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ code: 'x.y', shortMessage: '·[31mred·', details: ['·'] })
  })
})
