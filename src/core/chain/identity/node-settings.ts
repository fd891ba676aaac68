import { parseToml } from './app-toml.ts'
import { type HomeEffects, readFileOf } from './home-files.ts'

/** The files of a home that hold settings. */
export type SettingsFile = 'config/config.toml' | 'config/app.toml'

/** One line of a settings file; `section` is empty for what stands above the first one. */
export type SettingPlace = { file: SettingsFile; section: string; key: string }

/** What stands there; left out where nothing does. `line` counts from 1. Not yet safe to draw. */
export type Setting = { value?: string; line?: number }

/** Finds settings of a home by their place. */
export type NodeSettings = (place: SettingPlace) => Setting

/**
 * Reads the settings of a node home, of which each is then found with its line. Throws a `home.*` error that names the file, or a
 * `file.*`.
 */
export async function readNodeSettings(
  effects: HomeEffects,
  { homePath }: { homePath: string },
): Promise<NodeSettings> {
  const [config, app] = await Promise.all([
    readFileOf(effects, homePath, 'config/config.toml'),
    readFileOf(effects, homePath, 'config/app.toml'),
  ])
  const files = {
    'config/config.toml': { parsed: parseToml(config), lines: config.text.split('\n') },
    'config/app.toml': { parsed: parseToml(app), lines: app.text.split('\n') },
  }
  return ({ file, section, key }) => {
    const { parsed, lines } = files[file]
    const value = valueAt(parsed, section === '' ? [key] : [...section.split('.'), key])
    const line = lineOf(lines, section, key)
    return { ...(value === undefined ? {} : { value }), ...(line === undefined ? {} : { line }) }
  }
}

/** A text, a number or a yes and no, as it is written; undefined for anything else. */
function valueAt(parsed: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    parsed,
  )
  const isPlain = typeof found === 'string' || typeof found === 'boolean' || typeof found === 'bigint'
  return isPlain ? String(found) : undefined
}

const SECTION = /^\s*\[([^[\]]+)\]/

/** The line of a key in the way that the node writes its files: sections by their whole names, one key a line. */
function lineOf(lines: readonly string[], section: string, key: string): number | undefined {
  let now = ''
  for (const [at, line] of lines.entries()) {
    now = SECTION.exec(line)?.[1]?.trim() ?? now
    if (now === section && line.split('=')[0]?.trim() === key && line.includes('=')) return at + 1
  }
  return undefined
}
