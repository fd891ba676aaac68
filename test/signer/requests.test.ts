import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { walletError } from '../../src/core/base/errors/wallet.ts'
import { readDescriptorPassword } from '../../src/signer/ask-password.ts'
import { handleRequest, readRequestLine, toReply } from '../../src/signer/handle-request.ts'
import { listenToKeys } from '../../src/signer/password-line.ts'
import { keyedDeposit } from '../support/signed-deposit.ts'

// In this process: what the child does with a line. That a child does it is in child.test.ts.

const { keyFile: keyFileText, secretKey: _, signature, ...message } = keyedDeposit()
const folder = mkdtempSync(join(tmpdir(), 'signer-requests-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}
const keyFile = file('key.json', keyFileText)
const context = {} as Parameters<typeof handleRequest>[1]
const ask = (verb: string, request: object) =>
  handleRequest(
    JSON.stringify({ verb, request }, (__, value) => (typeof value === 'bigint' ? String(value) : value)),
    context,
  )
const KEY = { keyFile, keyTypePrefix: 'cometbft' }
const inspected = () => ask('inspect', KEY)
const asked = async (over: object = {}) => {
  const { fileHash } = await inspected()
  return { ...message, ...KEY, fileHash, ...over }
}
const refusal = (code: string, nextStep = expect.anything()) =>
  expect.objectContaining({ code, money: 'untouched', nextSteps: nextStep })

describe('a request for a deposit', () => {
  test('is signed with the key that was inspected', async () => {
    expect(await inspected()).toMatchObject({ pubkey: message.pubkey, storedPubkeyMatches: true })
    expect(await ask('signDeposit', await asked())).toEqual({ signature })
  })

  test.each([
    ['another file than the inspected one', { fileHash: `0x${'11'.repeat(32)}` }, 'signer.file-changed'],
    ['another key', { pubkey: `0x${'11'.repeat(48)}` }, 'signer.other-key'],
    [
      'credentials that name no address',
      { withdrawalCredentials: `0x02${'00'.repeat(31)}` },
      'deposit.bad-credentials',
    ],
    ['an amount beyond 64 bits', { amountGwei: String(2n ** 64n) }, 'signer.bad-request'],
    ['a field too many', { extra: 1 }, 'signer.bad-request'],
  ])('is refused with %s', async (__, over, code) => {
    await expect(ask('signDeposit', await asked(over))).rejects.toThrow(refusal(code))
  })

  test('is refused for a file that is not its owner’s own, and says what to do', async () => {
    const link = join(folder, 'link')
    symlinkSync(keyFile, link)
    const unsafe = (words: RegExp) => refusal('signer.unsafe-file', [expect.stringMatching(words)])
    const inspect = (path: string) => ask('inspect', { ...KEY, keyFile: path })
    await expect(inspect(link)).rejects.toThrow(unsafe(/file itself/))
    await expect(inspect(folder)).rejects.toThrow(unsafe(/file itself/))
    await expect(inspect(join(folder, 'nothing'))).rejects.toThrow(unsafe(/^Check the path/))
    await expect(inspect(file('big', 'x'.repeat(70_000)))).rejects.toThrow(unsafe(/^Check the path: .*small/))
  })
})

describe('the address of a keystore', () => {
  const keystore = (over: object) =>
    file(
      'keystore.json',
      JSON.stringify({
        version: 3,
        crypto: {
          cipher: 'aes-128-ctr',
          cipherparams: { iv: '11'.repeat(16) },
          ciphertext: '22'.repeat(32),
          kdf: 'scrypt',
          kdfparams: { dklen: 32, n: 8192, r: 8, p: 1, salt: '33'.repeat(32) },
          mac: '44'.repeat(32),
        },
        ...over,
      }),
    )

  test('is the one that it claims, with its checksum, and none where it claims none', async () => {
    const address = '71c7656ec7ab88b098defb751b7401b5f6d8976f'
    expect(await ask('keystoreAddress', { keystore: keystore({ address }) })).toEqual({
      address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
    })
    expect(await ask('keystoreAddress', { keystore: keystore({}) })).toEqual({})
  })
})

describe('a line', () => {
  test.each([
    ['no JSON', 'nonsense', ['field: request', 'expected: one line of JSON']],
    ['no object', '[]', ['field: content']],
    ['no verb', '{"request":{}}', ['field: verb']],
    [
      'a verb that is not known',
      '{"verb":"signAnything","request":{}}',
      ['field: verb', 'expected: inspect, signDeposit, keystoreAddress, signTransaction, signGuard'],
    ],
    ['no request', '{"verb":"inspect"}', ['field: request']],
  ])('is refused with %s, by the name of what is odd', async (__, line, details) => {
    await expect(handleRequest(line, context)).rejects.toThrow(
      expect.objectContaining({ code: 'signer.bad-request', details: expect.arrayContaining(details) }),
    )
  })

  const readOf = (...chunks: readonly string[]) => {
    const input = new PassThrough()
    const ended = new AbortController()
    const read = readRequestLine(input, ended)
    for (const chunk of chunks) input.write(chunk)
    return { input, ended, read }
  }

  test('is the first one, in however many pieces it comes', async () => {
    const { read, ended } = readOf('{"verb"', ':1}\nand', ' more\n')
    expect(await read).toBe('{"verb":1}')
    expect(ended.signal.aborted).toBe(false)
  })

  test('that is too long, or never whole, is refused, and the end is heard', async () => {
    const refused = expect.objectContaining({
      code: 'signer.bad-request',
      details: expect.arrayContaining(['field: request']),
    })
    await expect(readOf('x'.repeat(70_000)).read).rejects.toThrow(refused)
    const { input, ended, read } = readOf('{"verb"')
    input.end()
    await expect(read).rejects.toThrow(refused)
    expect(ended.signal.aborted).toBe(true)
    const broken = readOf('{"verb"')
    broken.input.destroy(new Error('gone'))
    await expect(broken.read).rejects.toThrow(refused)
  })
})

describe('a reply', () => {
  test('is the result, or what a refusal says; never the words of a fault that was not meant', async () => {
    expect(await toReply(async () => ({ a: 1 }))).toEqual({ ok: true, result: { a: 1 } })
    const error = walletError('wallet.in-use', {
      short: 'There is none.',
      next: ['name one'],
      retryable: true,
    })
    expect(await toReply(() => Promise.reject(error))).toEqual({
      ok: false,
      error: {
        code: 'wallet.in-use',
        shortMessage: 'There is none.',
        details: [],
        nextSteps: ['name one'],
        retryable: true,
      },
    })
    const unmeant = await toReply(() => Promise.reject(new Error('the secret')))
    expect(unmeant).toMatchObject({ ok: false, error: { code: 'signer.failed' } })
    expect(JSON.stringify(unmeant)).not.toContain('the secret')
  })
})

describe('the descriptor of a rehearsal', () => {
  const use = { keystore: '/key.json', chainId: 7 }
  const descriptor = { chainId: 7, keystore: { path: '/key.json', password: 'play money' } }
  const read = (value: unknown) => readDescriptorPassword(JSON.stringify(value), use)

  test('opens the keystore that it names', () => {
    expect(read(descriptor).toString()).toBe('play money')
  })

  test.each([
    ['no chain', { ...descriptor, chainId: undefined }],
    ['no keystore', { chainId: 7 }],
    ['no password', { chainId: 7, keystore: { path: '/key.json' } }],
    ['a password that is no text', { chainId: 7, keystore: { path: '/key.json', password: ['play money'] } }],
    ['nothing', null],
  ])('is refused with %s, without a word of its password', (__, value) => {
    const run = () => read(value)
    expect(run).toThrow(expect.objectContaining({ code: 'signer.descriptor-refused' }))
    expect(run).not.toThrow(/play money/)
  })
})

test.each(['end', 'error'])('a keyboard that is gone (%s) signs nothing', async (event) => {
  const keyboard = new EventEmitter()
  const keys = listenToKeys(keyboard, () => 0)
  const cancelled = keys.cancelled.then(() => 'cancelled')
  keyboard.emit(event, new Error('gone'))
  expect(await cancelled).toBe('cancelled')
  keys.forget()
})
