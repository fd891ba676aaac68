import { type HomeWorld, keyPlaceOf } from './home.ts'

const PARTS = ['config/config.toml', 'config/app.toml', 'config/client.toml', 'data'] as const

/**
 * The first thing that a home lacks of what the node tool makes where it is not there, or undefined where nothing is.
 * With `needsKey` also the key file and the state of the key: without the one the tool makes a new key. Safe to draw.
 * Throws a `HomeError` or a `FileError`.
 */
export async function toolHomeGap(
  world: HomeWorld,
  { home, needsKey }: { home: string; needsKey: boolean },
): Promise<string | undefined> {
  const isThere = async (path: string) => (await world.files.facts(path)) !== undefined
  if (!/^(?:\/|[A-Za-z]:[\\/])/.test(home)) return 'place that begins at the root'
  for (const part of PARTS) if (!(await isThere(`${home}/${part}`))) return part
  if (!needsKey) return undefined
  const { keyFile, stateFile } = await keyPlaceOf(world, { homePath: home })
  if (!(await isThere(keyFile))) return 'key file'
  return (await isThere(stateFile)) ? undefined : 'state of the key'
}
