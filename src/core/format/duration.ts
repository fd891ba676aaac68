const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A duration in words of at most two units: `4 s`, `12 min 8 s`, `27 h 18 min`. */
export function formatDuration(ms: number): string {
  const rounded = Math.max(0, Math.round(ms / SECOND) * SECOND)
  if (rounded < MINUTE) return `${rounded / SECOND} s`
  if (rounded < HOUR) return two(Math.floor(rounded / MINUTE), 'min', (rounded % MINUTE) / SECOND, 's')
  return two(Math.floor(rounded / HOUR), 'h', Math.floor((rounded % HOUR) / MINUTE), 'min')
}

function two(major: number, majorUnit: string, minor: number, minorUnit: string): string {
  return minor === 0 ? `${major} ${majorUnit}` : `${major} ${majorUnit} ${minor} ${minorUnit}`
}
