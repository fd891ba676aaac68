import { expect, test } from 'vitest'
import { readAppToml, readListenAddress } from '../../../../src/core/chain/identity/app-toml.ts'
import { BERACHAIN_NAMES } from '../../../../src/core/chain/network/presets.ts'

const FILE = `[beacon-kit]
chain-spec = "mainnet"
[beacon-kit.payload-builder]
enabled = true
[beacon-kit.block-store-service]
availability-window = 8192
[beacon-kit.node-api]
enabled = "true"
address = "127.0.0.1:3500"
`

test.each([
  ['enabled = true', 'enabled = {}'],
  ['enabled = true', 'enabled = [{}]'],
  ['enabled = "true"', 'enabled = { a = 1 }'],
  ['availability-window = 8192', 'availability-window = {}'],
  ['availability-window = 8192', 'availability-window = [[8192]]'],
])(
  'a table or a list where app.toml has one value is told with file and field: %s, then %s',
  (right, wrong) => {
    const read = (text: string) =>
      readAppToml({ home: '/home/n', file: 'config/app.toml', text }, BERACHAIN_NAMES)
    expect(read(FILE).nodeApi.enabled).toBe(true)
    expect(() => read(FILE.replace(right, wrong))).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^home\./),
        message: expect.stringContaining('app.toml'),
      }),
    )
  },
)

test.each([
  [':26657', 'http://127.0.0.1:26657', true],
  ['tcp://0.0.0.0:26657', 'http://127.0.0.1:26657', true],
  ['[::]:1', 'http://127.0.0.1:1', true],
  ['tcp://127.0.0.1:26657', 'http://127.0.0.1:26657', false],
  ['[::1]:1', 'http://[::1]:1', false],
  ['http://node:65535', 'http://node:65535', true],
] as const)('%s is listened on', (text, url, exposed) => {
  expect(readListenAddress(text)).toEqual({ url, exposed })
})

test.each(['', 'unix:///run/node', 'node', ':65536', ':123456'])('%s is no address to listen on', (text) => {
  expect(readListenAddress(text)).toBeUndefined()
})
