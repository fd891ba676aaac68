import { join } from 'node:path'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { constantPowers, curveConstants } from '../../scripts/build/curve-constants.ts'

const ROOT = join(import.meta.dirname, '../..')
const MESSAGE = Uint8Array.from({ length: 32 }, (_, index) => index)

type Curve = typeof bls12_381

async function builtCurve(): Promise<Curve> {
  const { outputFiles } = await build({
    stdin: { contents: "export { bls12_381 } from '@noble/curves/bls12-381.js'", resolveDir: ROOT },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    plugins: [curveConstants],
  })
  const [file] = outputFiles
  expect(file?.text).toContain('function knownPower(')
  const made: unknown = await import(`data:text/javascript,${encodeURIComponent(file?.text ?? '')}`)
  return (made as { bls12_381: Curve }).bls12_381
}

test('each constant that is written down is the power that the library takes', () => {
  const { Fp2 } = bls12_381.fields
  const powers = constantPowers()
  expect(powers.length).toBeGreaterThan(20)
  for (const { base, exponent, result } of powers) expect(Fp2.pow(base, exponent)).toEqual(result)
})

test('the curve of the program is that of the library', async () => {
  const built = await builtCurve()
  const { Fp2, Fp12 } = built.fields
  const whole = bls12_381.fields.Fp12
  const value = bls12_381.pairing(bls12_381.G1.Point.BASE, bls12_381.G2.Point.BASE)
  for (const power of [1, 2, 3, 6])
    expect(Fp12.frobeniusMap(value, power)).toEqual(whole.frobeniusMap(value, power))
  expect(built.pairing(built.G1.Point.BASE, built.G2.Point.BASE)).toEqual(value)
  const hashed = bls12_381.longSignatures.hash(MESSAGE).toAffine()
  expect(built.longSignatures.hash(MESSAGE).toAffine()).toEqual(hashed)
  // Another base to a power that is written down is worked out.
  for (const { base, exponent } of constantPowers()) {
    const other = Fp2.add(base, Fp2.ONE)
    expect(Fp2.pow(other, exponent)).toEqual(bls12_381.fields.Fp2.pow(other, exponent))
  }
})
