/** An address to listen on: `tcp://host:port`, `host:port` or `:port`. */
export type ListenAddress = {
  /** How this computer reaches it. */
  url: string
  /** Whether other computers can reach it too. */
  exposed: boolean
}

const FORM = /^(?:(?:tcp|http):\/\/)?(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]*):(\d{1,5})$/
const ANYWHERE = new Set(['', '0.0.0.0', '[::]'])
const HERE = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Reads an address that a node listens on; undefined when it is none (a Unix socket, or empty). */
export function readListenAddress(text: string): ListenAddress | undefined {
  const [, host, port] = FORM.exec(text) ?? []
  if (host === undefined || port === undefined || Number(port) > 65_535) return undefined
  return { url: `http://${ANYWHERE.has(host) ? '127.0.0.1' : host}:${port}`, exposed: !HERE.has(host) }
}
