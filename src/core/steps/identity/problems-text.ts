import type { KeyFacts } from '../../base/effects/effects.ts'
import { formatCount } from '../../base/format/amount.ts'
import { again, back, decides, KEY, type Next, parts, shows } from '../../base/format/next.ts'
import type { TypedKey } from '../../chain/identity/typed-key.ts'
import { STANDING_TEXT } from '../../chain/key-state/standing-text.ts'
import { POOLS_TEXT } from '../../chain/network/pools.ts'
import { STOP_OTHER } from '../../observe/findings.ts'
import { REPLACE_STATE } from '../../observe/standby.ts'
import type { ErrorFacts } from '../../view/observation.ts'
import type { Problem } from '../../view/view.ts'
import type { IdentityAnswers } from './state.ts'

const ADOPT = {
  first: 'If this validator is yours, adopt it: then it can be topped up and watched from here.',
  anew: 'If you changed its operator yourself, adopt it as it is now: then it can be topped up and watched.',
}

/** What a problem says; its values and the state of the money are none of the text's. */
type ProblemText = Pick<Problem, 'title' | 'lines' | 'next'>

type RecordFacts = Pick<IdentityAnswers['beacon'], 'index' | 'status' | 'unproven'>

type Owner = 'own' | 'stranger' | 'unknown'

const newKey = (givesKeys: boolean) =>
  givesKeys
    ? parts`take a new key for this node${decides('k')` (${KEY})`}; with a real node as docs/new-key.md says${shows('c')`, ${KEY} shows the command`}`
    : parts`make a new key and register that one: docs/new-key.md${shows('c')`; ${KEY} shows the command`}`

const RESCUE: Readonly<Record<Owner, Next>> = {
  own: decides('x')`${KEY} registers this key after all; it asks for your operator address`,
  stranger: decides(
    'x',
  )`only if the operator below is another address of yours: ${KEY} registers this key after all`,
  unknown: decides(
    'x',
  )`only if the operator below is your own address: ${KEY} registers this key after all, and asks for it`,
}

/** Where a deposit of this journal may be out nothing new is signed in it. */
const RESCUE_ANEW = parts`only if that operator is your own address, and nothing of yours waits any more: start again with --state NEW_FOLDER${shows('x')`; ${KEY} there registers this key after all`}`

const AGAIN = again`${KEY} asks again`

const BEFORE_A_START =
  'if a node has run with this key: see that none signs with it any more (docs/moving.md)'

const PRESS = again`, press ${KEY}`

const THEN_PRESS = again`, then press ${KEY}`

/** What happened to a key whose deposits were all refused, by whose its operator is. */
const BURNT: Readonly<Record<Owner, (amount: string) => Pick<Problem, 'title' | 'lines'>>> = {
  own: (amount) => ({
    title: 'Stop: your first deposit for this key was burnt.',
    lines: [
      `${amount} were sent for it with a signature that the chain refuses: they are lost.`,
      'The operator in the contract is your own address. So the key can still be registered with a valid signature; what is lost stays lost.',
    ],
  }),
  stranger: (amount) => ({
    title: 'Stop: a stranger is the operator of this key.',
    lines: [
      `Somebody sent ${amount} for this key with a signature that the chain refuses. They are lost to whoever sent them.`,
      'That deposit has set the operator, who manages and receives the rewards. It is not your address: this key would earn for a stranger.',
    ],
  }),
  unknown: (amount) => ({
    title: 'Stop: a deposit for this key was burnt already.',
    lines: [
      `${amount} were sent for it with a signature that the chain refuses. They are lost, whoever sent them.`,
      'That deposit has set the operator, who manages and receives the rewards. Compare it with your own record: if it is not your address, this key would earn for a stranger.',
    ],
  }),
}

const isInFile = (key: KeyFacts | TypedKey) => 'fileHash' in key

/** Every sentence about what stops the step about the key, and what to do. */
export const IDENTITY_PROBLEMS_TEXT = {
  journal: ({
    code,
    shortMessage,
    details,
    nextSteps,
  }: Pick<ErrorFacts, 'code' | 'shortMessage' | 'details' | 'nextSteps'>): ProblemText => ({
    title:
      code === 'journal.held'
        ? 'Stop: this key is open in another window.'
        : 'Stop: the journal of this key cannot be used.',
    lines: [
      shortMessage,
      ...details,
      'Without the journal nothing can be sent: the journal keeps a payment from happening twice.',
    ],
    next: [...nextSteps, AGAIN],
  }),
  home: (stops: readonly { text: string; fix: string }[]): ProblemText => ({
    title: 'Stop: this node home is not ready for a deposit.',
    lines: stops.map(({ text }) => text),
    next: [...stops.map(({ fix }) => fix), AGAIN],
  }),
  key: (key: KeyFacts | TypedKey, why: string): ProblemText => ({
    title: isInFile(key) ? 'Stop: this key file cannot be used.' : 'Stop: this key cannot be used.',
    lines: [why],
    next: [parts`make a new key (docs/new-key.md), restart the node with it${PRESS}`],
  }),
  signsElsewhere: (vote: string): ProblemText => ({
    title: 'Stop: this key signs on another node.',
    lines: [
      `It ${vote}.`,
      'The running node uses another key. Started with this one, both would vote: the chain keeps the evidence of two votes for one block.',
    ],
    next: [STOP_OTHER, 'to move a node without that: docs/moving.md', AGAIN],
  }),
  stateAhead: (found: string): ProblemText => ({
    title: 'Stop: the signing state of this home is not of this chain.',
    lines: [
      `data/priv_validator_state.json: ${found}.`,
      'A node with it signs nothing until the chain is that far. It doesn’t show who signs with this key now.',
    ],
    next: [REPLACE_STATE, 'to move a node: docs/moving.md', AGAIN],
  }),
  /** `isFree`: as far as the chain shows it, nobody signs with the key. */
  engine: (key: KeyFacts | TypedKey, isFree: boolean): ProblemText => ({
    title: 'Stop: the running node uses another key.',
    lines: ['A validator registered with this key would be active and never sign a block.'],
    next: [
      ...(isFree || !isInFile(key) ? [] : [BEFORE_A_START]),
      isInFile(key)
        ? parts`restart the node with this home, or choose the home of the running node${THEN_PRESS}`
        : parts`${decides('x')`${KEY} types the public key again; or `}give the node the signer that holds this one${THEN_PRESS}`,
    ],
  }),
  toolKeys: (tool: string): ProblemText => ({
    title: `Stop: ${tool} reads another key from this home.`,
    lines: ['The two must agree in every form before anything is signed with this key.'],
    next: [parts`use the ${tool} of the version that the node runs${PRESS}`],
  }),
  toolStatus: (): ProblemText => ({
    title: 'Stop: client.toml of this home leads to another node.',
    lines: ['The engine that it names is of another network, or signs with another key than this one.'],
    next: [parts`set \`node\` in config/client.toml to the engine of this home’s node${PRESS}`],
  }),
  hung: (slot: bigint, beside: string): ProblemText => ({
    title: 'Stop: your node stands still while the chain goes on.',
    lines: [`The node stays at slot ${formatCount(slot)}${beside}.`],
    next: [parts`restart the node, wait until its head goes on${PRESS}`],
  }),
  burnt: (
    owner: Owner,
    amount: string,
    { givesKeys, isOut }: { givesKeys: boolean; isOut: boolean },
  ): ProblemText => ({
    ...BURNT[owner](amount),
    next: [newKey(givesKeys), isOut ? RESCUE_ANEW : RESCUE[owner]],
  }),
  taken: ({ givesKeys }: { givesKeys: boolean }): ProblemText => ({
    title: 'Stop: somebody has used this key already.',
    lines: [
      'The contract has an operator (the account that manages and receives the rewards) for this key, but the chain has no validator with this key.',
      'A first deposit from here would be refused by the contract.',
    ],
    next: [
      parts`if you have just sent a deposit with another program: wait two slots${PRESS}`,
      newKey(givesKeys),
    ],
  }),
  unused: (): ProblemText => ({
    title: 'Stop: no validator has this key.',
    lines: ['Neither the contract nor the beacon state knows it: a top-up for it would be burnt.'],
    next: [
      parts`compare the key with your own record${back`; ${KEY} leads back to it`}`,
      'to register it: start again with the home of its node',
    ],
  }),
  unproven: ({ index, status, unproven }: RecordFacts, keyOnly: boolean): ProblemText => ({
    title: keyOnly
      ? 'Stop: the record of this validator is not proven.'
      : 'Stop: your node reports that this key is registered already.',
    lines: [
      `The node reports it as validator ${index}, ${status}. It is not proven: ${unproven ?? 'an execution endpoint does not answer'}.`,
      'It can be adopted once it is proven.',
    ],
    next: [
      AGAIN,
      'see that the node and the execution endpoints answer, follow the chain and are of one network',
    ],
  }),
  left: ({ index, status }: RecordFacts, { givesKeys }: { givesKeys: boolean }): ProblemText => ({
    title: `Stop: ${STANDING_TEXT.keyHasLeft}.`,
    lines: [
      `The chain knows it as validator ${index}, ${status}. Its stake is paid back to the address below by itself.`,
      STANDING_TEXT.forEver,
    ],
    next: [newKey(givesKeys), 'do not top this one up'],
  }),
  differ: (): ProblemText => ({
    title: 'Stop: the two execution endpoints name different operators.',
    lines: [
      'One of them is behind, or does not tell the truth. Until they agree nothing is adopted or sent.',
    ],
    next: [
      again`${KEY} asks both again`,
      parts`replace the endpoint that is wrong${back`: ${KEY} leads back to the addresses`}`,
    ],
  }),
  unpaid: (): ProblemText => ({
    title: 'Stop: the stake of this validator can never be paid out.',
    lines: ['Its withdrawal credentials name no address. What is added to it is lost as well.'],
    next: ['do not top it up'],
  }),
  registered: (
    { index, status }: RecordFacts,
    { isOurs, isPools }: { isOurs: boolean; isPools: boolean },
  ): ProblemText => ({
    title: isOurs
      ? 'Stop: this validator is not as your journal has it.'
      : 'Stop: this key is registered already.',
    lines: [
      `The chain knows it as validator ${index}, ${status}. A first deposit for it cannot be sent any more.`,
      isPools ? POOLS_TEXT.onlyItsDoor : ADOPT[isOurs ? 'anew' : 'first'],
    ],
    next: [
      decides('a')`if it is yours: ${KEY} adopts it; have its withdrawal address from your own record ready`,
      'if it is not yours: make a new key (docs/new-key.md)',
    ],
  }),
  /** What the values beside a problem are. */
  labels: {
    key: (key: KeyFacts | TypedKey) => (isInFile(key) ? 'key derived from the file' : 'key typed'),
    ownKey: (key: KeyFacts | TypedKey) => (isInFile(key) ? 'key file' : 'typed'),
    engine: 'engine',
    keyHere: 'key, as read here',
    engineAddress: 'its engine address',
    keyByTool: 'key, by the node tool',
    networkExpected: 'network, expected',
    networkByTool: 'network, by the node tool',
    keyExpected: 'key, expected',
    operator: 'operator set in the contract',
    setBy: (block: bigint) => `set by this transaction of block ${formatCount(block)}`,
    firstOperator: 'operator, first endpoint',
    secondOperator: 'operator, second endpoint',
  },
}
