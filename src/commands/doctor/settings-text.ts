/** What a setting should be, and why, each as the end of a sentence. */
type Should = { be: string; why: string }

/** What the network's support asks of each setting. */
const should = {
  pprof_laddr: { be: 'empty', why: 'whoever reaches it may slow the node down' },
  external_address: {
    be: 'the address and port under which others reach the node',
    why: 'behind a router others cannot call it back without it',
  },
  seeds: { be: "the network's seeds", why: 'without them the node finds nobody after a start' },
  persistent_peers: {
    be: 'empty, but for machines of your own',
    why: 'a fixed list of others grows old, and the node keeps calling them',
  },
  addr_book_strict: { be: 'true', why: 'addresses of a private network do not belong into the address book' },
  max_num_inbound_peers: { be: '40', why: 'more than 100 peers together cost the node its time' },
  max_num_outbound_peers: { be: '10', why: 'more than 100 peers together cost the node its time' },
  unconditional_peer_ids: {
    be: 'empty, but for machines of your own',
    why: 'who stands there is counted by no limit',
  },
  pex: { be: 'true', why: 'by it the node hears of others' },
  seed_mode: { be: 'false', why: 'a seed hangs up on everybody, and a validator must not' },
  double_sign_check_height: {
    be: 'above 0, such as 10, for the start of a node that was moved',
    why: 'at 0 the node does not look whether its key has just voted elsewhere before it starts',
  },
  prometheus_listen_addr: {
    be: '127.0.0.1:26660, or closed by the firewall',
    why: 'metrics tell everybody about the node',
  },
  pruning: { be: 'everything, or default', why: 'with nothing the disk fills up' },
  'halt-height': { be: '0', why: 'at any other height the node stops there by itself, as if it had failed' },
  'halt-time': { be: '0', why: 'at any other time the node stops then by itself, as if it had failed' },
  'rpc-dial-url': {
    be: 'the address of the own execution client',
    why: 'without one the node follows nothing',
  },
  'rpc-timeout': { be: 'at least 2s', why: 'a shorter one gives up on an execution client that is busy' },
} as const satisfies Readonly<Record<string, Should>>

/** Every sentence about the settings of a home. */
export const SETTINGS_TEXT = {
  should,
  notThere: 'is not there',
  is: (key: string, value: string) => `${key} = ${value === '' ? '""' : value}`,
  shouldBe: (is: string, { be, why }: Should) => `${is}; should be ${be}: ${why}`,
  place: (file: string, line: number | undefined) => (line === undefined ? file : `${file}, line ${line}`),
  change: ({ id, section, file, be }: Should & { id: string; section: string; file: string }) =>
    `set ${id}${section === '' ? '' : ` under [${section}]`} in ${file}: ${be}`,
  secret: {
    there: (path: string) => `${path} is there, and closed to others; it was not opened`,
    missing: (path: string) => `there is no file at ${path}; without it the execution client answers nothing`,
    relative: (path: string) =>
      `${path} is meant from the folder in which the node is started; it is not in the home`,
    noFile: (path: string) => `${path} is no file`,
    open: (path: string) => `other users of this computer may open ${path}`,
    change: 'set jwt-secret-path in config/app.toml to the whole path of the file, and close it: chmod 600',
  },
} as const
