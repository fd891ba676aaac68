import { describe, expect, test } from 'vitest'
import { endpointFault, endpointLabel, isSameServer } from '../../../src/core/format/endpoint-url.ts'

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
