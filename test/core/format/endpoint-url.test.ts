import { describe, expect, test } from 'vitest'
import { isSameServer } from '../../../src/core/format/endpoint-url.ts'

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
