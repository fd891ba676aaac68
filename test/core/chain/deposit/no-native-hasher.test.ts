import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

// As on a Mac with an Intel processor, for which the library is not packaged.
const UNKNOWN_PROCESSOR = "Object.defineProperty(process, 'arch', { value: 'none' })"
const HASHES = `
  ${UNKNOWN_PROCESSOR}
  const { useFastHasher } = await import('./src/core/chain/deposit/fast-hasher.ts')
  const { hashPairs, plainHashPairs } = await import('./src/core/chain/deposit/hash-pairs.ts')
  process.stdout.write(\`\${await useFastHasher()} \${hashPairs === plainHashPairs} \${await useFastHasher()}\`)
`

test('hashes without the native library where there is none for the processor', () => {
  const args = ['--input-type=module', '-e', HASHES]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'plain true plain', stderr: '' })
})
