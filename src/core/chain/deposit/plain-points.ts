/** An encoded point read strictly, or why not. `words` for points are EIP-2537's: 64 bytes a field element. */
export type ReadPoint = { point: Buffer } | { problem: 'encoding' | 'not-on-curve' | 'infinity' }

type Fp2 = readonly [bigint, bigint]

const P = BigInt(
  '0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab',
)
const HALF = (P - 1n) / 2n
const COMPRESSED = 0x80
const INFINITY = 0x40
const LARGER = 0x20

/**
 * Reads a 48-byte compressed G1 point (ZCash encoding): compression bit set, x below p, canonical flags, on the
 * curve y² = x³ + 4. Infinity is refused: no validator may have it. The subgroup is left to the precompile.
 */
export function readG1(bytes: Uint8Array): ReadPoint {
  const flags = bytes[0] ?? 0
  const problem = flagProblem(bytes, 48)
  if (problem !== undefined) return { problem }
  const x = unflagged(bytes)
  if (x >= P) return { problem: 'encoding' }
  const y = power(mod(x * x * x + 4n), (P + 1n) / 4n)
  if (mod(y * y) !== mod(x * x * x + 4n)) return { problem: 'not-on-curve' }
  const larger = (flags & LARGER) !== 0
  return { point: words([x, y > HALF === larger ? y : mod(-y)]) }
}

/**
 * Reads a 96-byte compressed G2 point: x as c1 ‖ c0, on the curve y² = x³ + 4(1 + u). The answer is c0 before c1,
 * as EIP-2537 has it. Infinity is refused.
 */
export function readG2(bytes: Uint8Array): ReadPoint {
  const flags = bytes[0] ?? 0
  const problem = flagProblem(bytes, 96)
  if (problem !== undefined) return { problem }
  const x: Fp2 = [toBigInt(bytes.subarray(48)), unflagged(bytes.subarray(0, 48))]
  if (x[0] >= P || x[1] >= P) return { problem: 'encoding' }
  const cube = multiply(multiply(x, x), x)
  const y = squareRoot([mod(cube[0] + 4n), mod(cube[1] + 4n)])
  if (y === undefined) return { problem: 'not-on-curve' }
  const larger = (flags & LARGER) !== 0
  const signed = isLarger(y) === larger ? y : ([mod(-y[0]), mod(-y[1])] as const)
  return { point: words([...x, ...signed]) }
}

/** Field elements as EIP-2537 takes them: 64 bytes each, big-endian. */
export function words(elements: readonly bigint[]): Buffer {
  return Buffer.from(elements.map((element) => element.toString(16).padStart(128, '0')).join(''), 'hex')
}

function flagProblem(bytes: Uint8Array, length: number): 'encoding' | 'infinity' | undefined {
  const flags = bytes[0] ?? 0
  if (bytes.length !== length || (flags & COMPRESSED) === 0) return 'encoding'
  if ((flags & INFINITY) === 0) return undefined
  const canonical = flags === (COMPRESSED | INFINITY) && bytes.subarray(1).every((byte) => byte === 0)
  return canonical ? 'infinity' : 'encoding'
}

function unflagged(bytes: Uint8Array): bigint {
  return toBigInt(bytes) & (2n ** 381n - 1n)
}

function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}

function mod(value: bigint): bigint {
  const rest = value % P
  return rest < 0n ? rest + P : rest
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = mod(base)
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

function multiply(a: Fp2, b: Fp2): Fp2 {
  return [mod(a[0] * b[0] - a[1] * b[1]), mod(a[0] * b[1] + a[1] * b[0])]
}

/** By the norm: for p ≡ 3 (mod 4), with i² = −1. undefined when there is no root. */
function squareRoot(a: Fp2): Fp2 | undefined {
  const norm = power(mod(a[0] * a[0] + a[1] * a[1]), (P + 1n) / 4n)
  const inverseOfTwo = (P + 1n) / 2n
  for (const candidate of [mod((a[0] + norm) * inverseOfTwo), mod((a[0] - norm) * inverseOfTwo)]) {
    const real = power(candidate, (P + 1n) / 4n)
    const imaginary = real === 0n ? power(mod(-a[0]), (P + 1n) / 4n) : mod(a[1] * power(2n * real, P - 2n))
    const root: Fp2 = [real, imaginary]
    const square = multiply(root, root)
    if (square[0] === a[0] && square[1] === a[1]) return root
  }
  return undefined
}

function isLarger(y: Fp2): boolean {
  return y[1] === 0n ? y[0] > HALF : y[1] > HALF
}
