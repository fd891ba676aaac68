import { decides, KEY, type Next, parts, shows } from '../../base/format/next.ts'
import type { ChronicleEventId } from '../../chain/network/chronicle.ts'
import type { ScenarioName } from '../../chain/network/scenario-names.ts'

const BY_RULES = 'The deposit contract, the signatures, the epoch rules and the proofs are those of mainnet.'
const KEYS = {
  open: parts`The wizard stopped before anything was signed.${decides('k')` A new key goes on: press ${KEY} in step 2.`}`,
}
const PLACE = {
  kept: 'The amount of the top-up: the wizard worked it out from the proven set before anything was paid.',
  open: 'The story is not at its end: your validator is not in the active set.',
}

/** The stories of a rehearsal, as they are told on their end cards, in one language. */
export const STORIES_TEXT = {
  of: (numbers: MainnetNumbers): Readonly<Record<ScenarioName, StoryText>> => ({
    'set-full': {
      teaches:
        'A place in the active set costs more than its last validator has. The wizard works the amount out before you pay.',
      waits: 'All seven steps. It is over when your validator is active, after about 5 minutes.',
      saved: PLACE,
      same: BY_RULES,
      different: `Mainnet has ${numbers.places} places, and an epoch takes ${numbers.epoch}: from the top-up to the place it is two to three of them.`,
    },
    'as-on-mainnet': {
      teaches:
        'What real money asks of you: paper, three accounts, a password in the signer’s prompt, and a second endpoint that agrees.',
      waits:
        'All seven steps, from your paper. It is over when your validator is active, after about 10 minutes.',
      saved: PLACE,
      same: `${BY_RULES} So are the pace of the slots, the keystore and the form of the addresses.`,
      different: `Mainnet has ${numbers.places} places, and an epoch takes ${numbers.epoch}: from the top-up to the place it is two to three of them.`,
    },
    'free-places': {
      teaches:
        'Where places are free, the threshold alone joins the active set. That is no promise: the next validators may take all places.',
      waits: 'All seven steps. It is over when your validator is active, after about 5 minutes.',
      saved: PLACE,
      same: BY_RULES,
      different: `Of the ${numbers.places} places of mainnet few were free when they were last counted. An epoch takes ${numbers.epoch}.`,
    },
    'tie-at-the-last-place': {
      teaches:
        'Equal stake is a tie, and at a tie the larger public key stays. The last place here has the larger key: with the same stake as that one your validator is out.',
      waits: 'All seven steps. In step 6 compare the least amount with that of the last place.',
      saved: {
        ...PLACE,
        kept: 'One step of 10,000 BERA more than the last place had. With equal stake the smaller public key leaves.',
      },
      same: `${BY_RULES} So is the rule of the larger public key.`,
      different: `Mainnet has ${numbers.places} places, and many of the last ones have exactly the threshold.`,
    },
    'squatted-key': {
      teaches:
        'Whoever sees a public key can pay a deposit for it and become its operator for ever. Such a key must not be used.',
      waits: 'Step 2 stops. Then a new key goes the whole way: it is over when that one is active.',
      saved: { ...KEYS, kept: 'A new key. The stranger manages the old one for ever, and nobody uses it.' },
      same: `${BY_RULES} An operator that a stranger has set stays his.`,
      different: 'On mainnet you make the new key with the node tool: docs/new-key.md. Keep the old file.',
    },
    'burnt-deposit': {
      teaches:
        'The chain keeps a first deposit with a wrong signature without an error. The money is gone, and the key is not.',
      waits:
        'Step 2 stops. Register the key after all, or take a new one: it is over when your validator is active.',
      saved: {
        kept: 'Another first deposit, with a valid signature. This wizard checks every signature as the chain does before it sends.',
        anew: 'A new key. The burnt one is used no more. This wizard checks every signature as the chain does before it sends.',
        open: parts`Nothing brings back what was burnt. The key can still be registered, or a new one taken${decides('x')`: press ${KEY} in step 2`}${decides('k')`, or ${KEY} for a new key`}.`,
      },
      same: `${BY_RULES} What was burnt is gone there too.`,
      different:
        'On mainnet no screen knows your operator: compare it with your own record. Where you take a new key, the node tool makes it: docs/new-key.md.',
    },
    'exited-key': {
      teaches:
        'A validator that drops out of the active set never comes back under its key. Its stake is paid back by itself.',
      waits: 'Step 2 stops. Then a new key goes the whole way: it is over when that one is active.',
      saved: {
        ...KEYS,
        kept: 'A new key. The stake of the old one is paid back by itself, and counts for nothing under the new one.',
      },
      same: BY_RULES,
      different: `On mainnet the stake comes back ${numbers.delay} after the validator has dropped out, and the new key is made by the node tool: docs/new-key.md.`,
    },
    'outbid-while-active': {
      teaches:
        'A place is never safe: whoever adds stake may take it. Between the alarm and the boundary a top-up still keeps it.',
      waits:
        'Register with the least amount that is proposed, and stay on the last step. 8 slots after your validator is active somebody adds stake, and 24 slots later the boundary is there.',
      saved: {
        kept: 'Enough stake before the boundary: yours was not the least any more.',
        out: 'Step 7 named the amount, and the block to send it by.',
        open: 'Stay on the last step until the alarm comes.',
      },
      same: BY_RULES,
      different:
        'On mainnet 6 to 13 minutes lie between the first deposit of a rival and the boundary, less where it waits in the queue already. A watch with an alarm wakes you: docs/watch.md.',
    },
    'outbid-at-night': {
      teaches:
        'An alarm in the night saves nobody who sleeps. A guard is a top-up that is agreed and signed beforehand: one amount at most can ever be paid, and only if it keeps your place.',
      waits:
        'Register with the least amount that is proposed. On the last step press g, type a day to come and the word, go back to the last step, and touch nothing. 3 minutes after your validator is active somebody adds stake; 24 slots later the boundary is there.',
      saved: {
        kept: 'Enough stake before the boundary: yours was not the least any more.',
        out: 'A guard whose cap reaches that amount, armed before and held by an open screen, would have added it.',
        open: 'Arm the guard with g on the last step, and leave that step open.',
      },
      same: `${BY_RULES} So are the guard’s rules: all its transactions have one nonce.`,
      different:
        'On mainnet a guard asks two execution endpoints, and a watch with --guard holds it on a machine that stays awake: docs/guard.md.',
    },
    'node-stops': {
      teaches:
        'A node that stops loses blocks and their rewards, not its stake. The screen says since when nothing is known, and shows no old answer as a new one.',
      waits:
        'Register, and stay on the last step. 8 slots after your validator is active its node stops for 40 slots, and comes back by itself.',
      saved: {
        kept: 'Here the node came back by itself. On a real machine you start it again: the watch calls you.',
        open: 'Stay on the last step: the node comes back by itself.',
      },
      same: BY_RULES,
      different:
        'A real node does not come back by itself. Look at its log, start it again, and never start a second one with its key.',
    },
    'troubles-while-active': {
      teaches:
        'Missed blocks and a queued operator change take no stake at once. Each has an alarm of its own, and the change can be cancelled while it waits.',
      waits:
        'Register, and stay on the last step. 8 slots after your validator is active it misses 8 blocks, and 8 more later; an operator change is queued for 40 slots.',
      saved: {
        kept: 'The operator cancelled the change. The missed blocks ended by themselves; the second time many others missed too, so that was no alarm of yours.',
        open: parts`Stay on the last step.${shows('?')` ${KEY} explains each alarm.`}`,
      },
      same: `${BY_RULES} So is the waiting time of an operator change.`,
      different: 'On mainnet only you cancel the change, from the account of the operator: docs/watch.md.',
    },
    'pool-validator': {
      teaches:
        'A staking pool’s validator takes stake through the contract of its pool alone. A direct deposit raises its stake and gives no share: it is a gift to those who hold the shares.',
      waits:
        'Adopt the validator, and compare its withdrawal address: it is the vault of the pools. Step 6 is closed. Once you read step 7 somebody adds 10,000 BERA directly, 16 slots later: that step tells of it.',
      saved: {
        kept: 'Step 6 stayed closed. Whoever wants to add stake does it in the pool itself: its StakingPool, submit.',
        out: 'Stake that comes in through the pool, before the boundary, would have kept the place.',
        open: 'Go to step 7, and stay there until somebody has added stake directly.',
      },
      same: `${BY_RULES} The chain knows nothing of pools: it takes a direct deposit for any key.`,
      different:
        'On mainnet the vault, the factories and each pool are contracts that hand out shares: docs/pools.md. Here they are addresses without code.',
    },
  }),
  card: {
    title: (name: string) => `What happened here: ${name}`,
    labels: {
      teaches: 'to learn',
      waits: 'to wait for',
      rehearsed: 'rehearsed',
      missing: 'not rehearsed',
      happened: 'happened',
      cost: 'it cost',
      saved: 'what helps',
      same: 'as mainnet',
      different: 'not as mainnet',
      next: 'next story',
    },
    happened: (slot: string, words: string) => `slot ${slot}: ${words}`,
    nothing: 'nothing yet',
    next: (name: string, command: string) => `${name}: ${command}`,
    /** Where the place was lost: how much more would have kept it. */
    short: (amount: string) => `${amount} more before that boundary would have kept the place.`,
    /** Behind what goes on, where no key can be pressed. */
    inWizard: (command: string) => `In the wizard: ${command}`,
    left: 'Its withdrawal address asked for the exit: no stake would have kept the place.',
    /** Where a top-up was made once somebody had added stake. */
    inTime: (amount: string) => `Your top-up of ${amount}, counted before the boundary.`,
    verdict: {
      kept: 'The story is over: your validator has its place.',
      out: 'The story is over: your validator has dropped out for ever.',
      open: 'The story is not over yet.',
    },
    /** What somebody did who typed everything from paper, and what no rehearsal can be. */
    asOnMainnet: {
      typed: 'paths, addresses and hidden groups, from paper',
      keystore: 'a keystore of geth’s weight, its password in the prompt of the signer',
      external: 'a signer outside this program',
      second: (endpoint: string) => `a second execution endpoint (${endpoint}) that had to agree`,
      noSecond: 'a second execution endpoint',
      itself: 'everything that you would type: this one ran by itself',
      never: [
        'your own node: its sync, its peers, its disk, its key',
        'a second endpoint of somebody else: here one computer answers for both',
        'others who want your place, and what it costs on that day',
        'a mistake that costs money',
      ],
    },
    explain: {
      what: 'What the rehearsal network itself has seen on its chain.',
      who: 'the rehearsal network',
      later: 'It grows with the chain.',
    },
    money: 'play money: nothing here is worth anything',
    worst: 'nothing is sent on this page',
    cost: {
      stake: (amount: string) => `${amount} of stake, which stays yours`,
      burnt: (amount: string) => `${amount} burnt`,
      strangers: (amount: string) => `${amount} of a stranger burnt`,
      missed: (blocks: string) => `${blocks} blocks not signed, and no reward for those that were its turn`,
      fees: (amount: string) => `${amount} in fees`,
      none: 'nothing',
    },
  },
  /** What happened, by its id: `amount` comes with its token. */
  event: (
    id: ChronicleEventId,
    { amount, index, blocks }: { amount: string; index: string; blocks: string },
  ) => {
    const words: Readonly<Record<ChronicleEventId, string>> = {
      registered: `your deposit of ${amount} registered the key: validator ${index}`,
      'topped-up': `${amount} was added to your validator`,
      burnt: `your first deposit of ${amount} was burnt: its signature was wrong`,
      'burnt-by-stranger': `a stranger made a deposit of ${amount} for your key, and is its operator`,
      active: `your validator ${index} came into the active set with ${amount}`,
      'dropped-out': `your validator ${index} dropped out of the active set with ${amount}`,
      'paid-back': `${amount} came back to the withdrawal address by itself`,
      'gift-added': `somebody added ${amount} directly to the validator of your node, number ${index}`,
      'rival-added': `somebody added ${amount} to validator ${index}`,
      'other-dropped-out': `validator ${index} dropped out of the active set with ${amount}`,
      'node-stopped': 'your node stopped answering',
      'node-back': `your node answered again, after ${blocks} slots`,
      missed: `your validator had missed ${blocks} blocks`,
      'operator-queued': 'an operator change was queued',
      'operator-cancelled': 'the operator change was cancelled',
      'new-key': 'the node got a new key',
    }
    return words[id]
  },
  /** The same as a way on, where a step is stopped and its rows are below what it says. */
  wayOn: decides('h')`${KEY} shows what happened here, what it cost, and what comes next`,
  /** Above the first steps, where the way begins again with another key. */
  anew: 'Your node has a new key, and the way begins again. Nothing that happened to the old key counts for it.',
  keys: { open: 'story', close: 'back to the step', newKey: 'new key', faster: 'faster', slower: 'slower' },
}

/** How a story ended for the user's validator: with a place, without one, or not yet. */
export type StoryEnd = 'kept' | 'out' | 'open'

/** What one story teaches, in sentences. */
export type StoryText = {
  /** What there is to learn. */
  teaches: string
  /** What to wait for, and how long that takes. */
  waits: string
  /**
   * What saved the validator and the money, or would have; `anew`: where another key was taken; `out`: behind how much more
   * stake would have kept the place.
   */
  saved: { kept: string; open: Next; anew?: string; out?: string }
  same: string
  different: string
}

/** Numbers of the mainnet that stand beside those of the rehearsal. */
export type MainnetNumbers = { places: number; epoch: string; delay: string }
