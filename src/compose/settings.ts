import Conf from 'conf'

/** What is remembered between runs for each network. Paths and addresses of endpoints; nothing secret. */
export type NetworkSettings = {
  homePath?: string
  execution?: string
  node?: string
  engine?: string
  secondExecution?: string
  keystore?: string
  /** Public key that was typed because the private one is on another machine. */
  pubkey?: string
  /** First block of the execution chain, as the first proven look at it found it. */
  executionGenesisHash?: string
}

export type Settings = {
  of(networkId: string): NetworkSettings
  remember(networkId: string, settings: NetworkSettings): void
}

/** Settings in a file of their own below the state directory, readable by this user alone. */
export function openSettings(directory: string): Settings {
  const conf = new Conf<{ networks: Record<string, NetworkSettings> }>({
    cwd: directory,
    configName: 'settings',
    configFileMode: 0o600,
    defaults: { networks: {} },
  })
  return {
    of: (networkId) => conf.get('networks')[networkId] ?? {},
    remember: (networkId, settings) =>
      conf.set('networks', { ...conf.get('networks'), [networkId]: settings }),
  }
}
