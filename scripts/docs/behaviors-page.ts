import { BEHAVIOR_NAMES, type BehaviorName, PLACES, suits } from '../../src/devnet/behaviors.ts'
import { CELLS, FORGED_CELLS, JOURNEYS } from '../../test/simulation/table.ts'

/** What each behavior is, and where it was seen. */
const SAYS: Readonly<Record<BehaviorName, readonly [says: string, source: string]>> = {
  'forgets-receipts': [
    'keeps no receipts and logs of old blocks and says null and nothing; look-up by hash stays',
    'reth --full, 10,064 blocks (set-up scripts of the network); eth_getLogs until reth#27002',
  ],
  'refuses-old-receipts': [
    'refuses receipts of old blocks (4444) and their logs (−32602); look-up by hash stays',
    'geth with history expiry; reth since #27002',
  ],
  'forgets-transactions': [
    'keeps neither receipts nor logs of old blocks, nor the look-up by hash',
    'reth --minimal',
  ],
  'forgets-states': ['has no state of old blocks', 'geth in full mode: the newest 128 blocks'],
  'refuses-logs': ['refuses every question for logs (−32005)', 'public RPC services: limit exceeded'],
  'offers-no-logs': ['does not offer logs (−32601)', 'proxies with a list of methods'],
  'fails-at-logs': ['answers every question for logs with HTTP 500', 'overloaded services'],
  'gives-large-logs': [
    'answers a question for logs with more than anybody reads',
    'services without a limit of their own',
  ],
  'gives-no-logs': ['says that there are no logs', 'services behind a wrong index'],
  stops: [
    'node API and engine RPC hang, and the execution endpoint stands still with them',
    'a hanging beacond 1.4 with its execution client',
  ],
  'stands-still': ['stands still with its consensus client', 'geth 1.17.4 beside a stopped beacond'],
  'is-syncing': ['still syncs: block 0, no code', 'a client on its first day'],
  'loses-bytes': ['takes signed bytes and loses them', 'services in front of several clients'],
  'refuses-bytes': [
    'refuses signed bytes with words',
    'clients whose pool is full or has another payment with the nonce',
  ],
  'knows-bytes': [
    'passes signed bytes on and says that it knew them',
    'clients that heard of them from a neighbor',
  ],
  'asks-high-fee': ['shows a base fee 2,000 times as high', 'a busy hour'],
  'refuses-host': ['refuses the host name (403)', 'geth without --http.vhosts'],
  'limits-rate': ['limits the rate: 429, Retry-After 30', 'public RPC services'],
  'is-late-0.2': ['answers after 0.2 s', 'another city'],
  'is-late-1.2': ['answers after 1.2 s', 'another continent, a busy service'],
  'is-late-10': ['answers after 10 s', 'an overloaded service'],
  hangs: ['accepts and never answers', 'a stopped process (SIGSTOP)'],
  'is-dead': ['cuts every connection', 'a proxy without its server'],
  'forges-signatures': [
    'shows blocks that the validator set did not sign',
    'an attacker who serves the engine RPC',
  ],
}

/** Returns docs/behaviors.md: how endpoints really behave, and what is played beside them. */
export function behaviorsPage(): string {
  const rows = BEHAVIOR_NAMES.map((name) => {
    const places = PLACES.filter((place) => suits(place, name))
    const who = places.length === PLACES.length ? 'all' : places.join(', ')
    const [says, source] = SAYS[name]
    return `| \`${name}\` | ${says} | ${who} | ${source} |`
  })
  const journeys = Object.entries(JOURNEYS).map(([name, says]) => `- \`${name}\`: somebody ${says}`)
  return `# How endpoints really behave

Endpoints forget, refuse, hang and answer late. Each way to do so is a switch of the rehearsal network, and a part of the simulation. "Old" means: there when the behavior began.

| name | what the endpoint does | which endpoints | where it was seen |
|---|---|---|---|
${rows.join('\n')}

An endpoint is one of the own node (\`execution\`, \`node\`, \`engine\`) or, with \`bearings devnet --foreign-node\`, of somebody else's (\`second\`, \`foreign-api\`, \`foreign-engine\`); \`own-node\` and \`foreign-node\` are all three.

## Try one
While a rehearsal runs, send a wish to the \`control\` address that \`bearings devnet\` prints. Send \`null\` to end it.

\`\`\`sh
curl -d '{"endpoint": "execution", "behavior": "forgets-receipts"}' http://127.0.0.1:PORT/behave
\`\`\`

## What is played
${journeys.join('\n')}

Each journey meets each behavior at the own execution endpoint, at the second one, at both, at the node API, at the engine RPC and at the own node as a whole, from the start on or in the middle: ${CELLS.length} cells. In each of them nothing may be paid twice, burnt, sent too early, denied or stuck once the endpoints answer again. A guard that is held from before the danger on must keep the place beside one execution endpoint or an engine that behaves so, as signed blocks and the others prove all that it needs; where it can't act, it must say so within 20 s, with the name of the endpoint. A watch must tell of a danger while there is time, may not end its alarm before it is over, and may not call a drop-out an exit that somebody asked for. A request to leave that is in a proven state must be told, and none of a block may be left out of what is told as all. \`npm test\` plays a fixed sample, \`npm run nightly -- behaviors\` every cell.

In ${FORGED_CELLS.length} more cells nobody is honest: from some slot on all endpoints show one false chain, on which payments count that the true one doesn't have, or a rival outbids the guard's validator. Nothing of it may be believed, no guard may pay, and the journey goes on once they are honest again.

## What the first run found
Before anything was changed for it, three of 729 cells failed. They have one cause: an endpoint that forgot a payment was taken for one that never had it.

| cell | what happened | now |
|---|---|---|
| opens-again: both executions \`forgets-receipts\` | The journal got \`deposit.contradicted\` for a deposit that the chain holds. | The block that the journal noted confirms the payment. |
| opens-again: both executions \`forgets-transactions\` | The same. | The same. |
| adopts: both executions \`forgets-transactions\`, in the middle | A top-up in a block was told as overtaken by another payment. | A nonce counts as lost only if all deposits since are there, by the contract's count. |

Before a record was judged by the state that it is of, 27 of the 356 cells with a watch alone failed, all with the journey \`drops-out\`:

| cell | what happened | now |
|---|---|---|
| \`limits-rate\`, \`is-late-0.2\`, \`is-late-1.2\`, \`is-late-10\`, \`hangs\`, \`is-dead\` at an execution endpoint, the node or the engine (27 cells) | The watch told a drop-out as \`exit-begun\`: it put the epoch of a head on a record that was asked later. | Record and epoch are of one state, and a request to leave needs a state that shows one. |

Before guards were asked whether they can act, 37 of the 324 cells with a guard failed:

| cell | what happened | now |
|---|---|---|
| own execution \`hangs\`, \`limits-rate\`, \`is-late-10\` (6 cells) | The place was lost, though the second endpoint and the signed blocks proved everything: the guard waited for the own one. | Who answers proves first, and an endpoint that was left out isn't asked for anything before the bytes leave. |
| node \`refuses-host\`, \`limits-rate\`, \`is-late-10\`, \`hangs\`, \`is-dead\`; both executions with each of these, \`stands-still\`, \`is-syncing\` or \`asks-high-fee\`; engine \`forges-signatures\` (31 cells) | The guard couldn't act and said nothing for a minute, or didn't say who kept it from acting. | It says so after 8 s, with each endpoint and its cause. |

Before requests to leave were read apart from what they rest on, 60 of the 356 cells with \`leave\` failed:

| cell | what happened | now |
|---|---|---|
| both executions \`forgets-receipts\`, \`forgets-transactions\`, \`gives-no-logs\` (8 cells) | "0 for this key", proven, though the exit or the part was in the state. | The state is told as well, and that the logs lack it. |
| one execution, or both, with logs refused, late, forgotten, or dead (52 cells) | Nothing was told of a request that the proven state had: one endpoint's failure hid what the other gave. | What any endpoint gives is told, who lacks it is named, and signed blocks say what waits before a new request. |
`
}
