import { readFile } from 'node:fs/promises'
import { mapToCurveSimpleSWU } from '@noble/curves/abstract/hash-to-curve.js'
import { psiFrobenius, tower12 } from '@noble/curves/abstract/tower.js'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { Plugin } from 'esbuild'

type Pair = { c0: bigint; c1: bigint }
type Power = { base: Pair; exponent: bigint; result: Pair }

const TOWER = /[\\/]@noble[\\/]curves[\\/]abstract[\\/]tower\.js$/
const POW = 'return mod.FpPow(this, num, power);'

/**
 * Writes down the powers that the curve library works out at its first use in each process, for the constants of the curve:
 * that takes longer than a verification. They are the library's own, asked of it when the program is built. Fails when
 * the sources are no longer what this expects.
 */
export const curveConstants: Plugin = {
  name: 'curve-constants',
  setup(build) {
    build.onLoad({ filter: TOWER }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      const [before = '', inside = '', ...rest] = source.split(/(?=^class )/m)
      if (!inside.startsWith('class _Field2 ') || inside.split(POW).length !== 2)
        throw new Error(`${path} is not the curve library that this build knows`)
      const field = inside.replace(
        POW,
        () => `return knownPower(this, num, power) ?? mod.FpPow(this, num, power);`,
      )
      return { contents: [before, field, ...rest, lookUp(constantPowers())].join(''), loader: 'js' }
    })
  },
}

/** The powers in the field of two elements that the library takes of its own constants. */
export function constantPowers(): readonly Power[] {
  const { Fp, Fp2, Fp6, Fp12 } = tower12({
    ORDER: bls12_381.fields.Fp.ORDER,
    X_LEN: 64,
    FP2_NONRESIDUE: [1n, 1n],
    Fp2mulByB: (num: Pair) => num,
    Fp12finalExponentiate: <Num>(num: Num) => num,
  })
  const powers: Power[] = []
  const prototype = Object.getPrototypeOf(Fp2) as { pow: (base: Pair, exponent: bigint) => Pair }
  const { pow } = prototype
  prototype.pow = function (base, exponent) {
    const result = pow.call(this, base, exponent)
    powers.push({ base, exponent, result })
    return result
  }
  try {
    for (const field of [Fp6, Fp12] as object[])
      for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(field)))
        if (name.startsWith('FROBENIUS')) Reflect.get(field, name)
    psiFrobenius(Fp, Fp2, Fp2.div(Fp2.ONE, Fp2.NONRESIDUE))
    // RFC 9380, section 8.8.2: the curve that is mapped to has A' = 240 · I, B' = 1012 · (1 + I); Z = -(2 + I).
    const element = (c0: bigint, c1: bigint) => Fp2.create({ c0: Fp.create(c0), c1: Fp.create(c1) })
    mapToCurveSimpleSWU(Fp2, { A: element(0n, 240n), B: element(1012n, 1012n), Z: element(-2n, -1n) })
  } finally {
    prototype.pow = pow
  }
  return powers
}

function lookUp(powers: readonly Power[]): string {
  const rows = powers.map(({ base, exponent, result }) =>
    [base.c0, base.c1, exponent, result.c0, result.c1].map((value) => `0x${value.toString(16)}n`).join(),
  )
  return `
let powers
function knownPower(field, base, exponent) {
  if (field.Fp.ORDER !== 0x${bls12_381.fields.Fp.ORDER.toString(16)}n) return undefined
  powers ??= Map.groupBy([[${rows.join('],[')}]], ([, , each]) => each)
  const found = powers.get(exponent)?.find(([c0, c1]) => c0 === base.c0 && c1 === base.c1)
  return found && Object.freeze({ c0: found[3], c1: found[4] })
}
`
}
