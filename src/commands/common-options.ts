/** Options that every command about a node takes. */
export const NODE_OPTIONS = [
  'network',
  'spec',
  'genesis',
  'devnet',
  'home',
  'execution',
  'second-execution',
  'node',
  'engine',
  'state',
] as const

export type NodeOption = (typeof NODE_OPTIONS)[number]

/** Their part of a command's help. */
export const NODE_OPTIONS_HELP = `  --network NAME           mainnet, bepolia, rehearsal, or a network FILE.json
                           (docs/network-file.md)
  --spec FILE --genesis FILE   another network, from the node's own files
                           spec.toml and genesis.json
  --devnet FILE_OR_JSON    a running rehearsal network, by its descriptor
  --home DIR               the node's home; it is only read
  --execution URL          execution RPC
  --second-execution URL   one more, of another operator
  --node URL               node API
  --engine URL             RPC of the consensus engine (CometBFT)
  --state DIR              where settings are kept
  --json                   one JSON document on stdout
  --help                   this text
Without --network the chain id in the home's client.toml counts. Endpoints that
are not given come from what was set up before, then from the home, then from
the network's defaults on this computer.
Exit codes: 0 yes, 1 no, 2 wrong use, 3 could not find out.`
