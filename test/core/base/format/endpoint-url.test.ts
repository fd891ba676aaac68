import { describe, expect, test } from 'vitest'
import {
  endpointFault,
  endpointLabel,
  isSameServer,
  joinUrl,
} from '../../../../src/core/base/format/endpoint-url.ts'

describe('two addresses of one server', () => {
  test.each([
    ['https://rpc.example/a', 'https://rpc.example/b?key=1'],
    ['https://rpc.example', 'https://RPC.example.:443/'],
    ['http://127.0.0.1:8545', 'http://localhost:8545'],
    ['http://[::1]:8545', 'http://127.0.0.1:8545/'],
    ['https://ann:pw@rpc.example', 'https://rpc.example'],
    ['http://rpc.example', 'https://rpc.example'],
  ])('%s and %s are known to be so', (a, b) => {
    expect(isSameServer(a, b)).toBe(true)
  })

  test.each([
    ['https://rpc.example', 'https://rpc.other'],
    ['http://127.0.0.1:8545', 'http://127.0.0.1:8546'],
  ])('%s and %s are two', (a, b) => {
    expect(isSameServer(a, b)).toBe(false)
  })
})

describe('the address of an endpoint', () => {
  test.each([
    ['http://127.0.0.1:8545', undefined, 'http://127.0.0.1:8545'],
    ['https://rpc.example/v2/secret?key=secret', undefined, 'https://rpc.example:443'],
    ['https://ann:secret@rpc.example', 'credentials', 'https://rpc.example:443'],
    ['https://secret@rpc.example', 'credentials', 'https://rpc.example:443'],
    ['https://:secret@rpc.example', 'credentials', 'https://rpc.example:443'],
    ['ws://rpc.example/secret', 'no-address', '(not a URL)'],
    ['rpc.example', 'no-address', '(not a URL)'],
    ['', 'no-address', '(not a URL)'],
  ])('"%s" has the fault %j and is shown as %s', (text, fault, label) => {
    expect([endpointFault(text), endpointLabel(text)]).toEqual([fault, label])
  })
})

describe('what is below an endpoint', () => {
  test.each<[string, string[], [string, string][], string]>([
    ['http://127.0.0.1:1', ['eth', 'v1'], [], 'http://127.0.0.1:1/eth/v1'],
    ['https://rpc.example/v2/key//', ['eth', 'v1'], [], 'https://rpc.example/v2/key/eth/v1'],
    ['https://rpc.example?key=a%20b', ['eth'], [], 'https://rpc.example/eth?key=a%20b'],
    ['https://rpc.example?key=a%20b', ['eth'], [['id', '1']], 'https://rpc.example/eth?key=a+b&id=1'],
    [
      'http://rpc.example/#part',
      ['a'],
      [
        ['id', '0xab'],
        ['id', '2'],
      ],
      'http://rpc.example/a?id=0xab&id=2',
    ],
    [
      'http://rpc.example',
      ['a/b c?'],
      [
        ['x', 'a b&c'],
        ['y', '~!'],
      ],
      'http://rpc.example/a%2Fb%20c%3F?x=a+b%26c&y=%7E%21',
    ],
    ['https://ann:pw@rpc.example', ['a'], [], 'https://ann:pw@rpc.example/a'],
    ['no address', ['a'], [['x', '1']], 'no address'],
  ])('of %s with %j and %j is in order', (endpoint, path, query, url) => {
    expect(joinUrl(endpoint, path, query)).toBe(url)
  })
})
