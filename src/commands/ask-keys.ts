import type { NodeSetup } from '../core/chain/facts.ts'
import type { EngineAndHead } from '../core/clients/engine-and-head.ts'
import { asker } from '../core/observe/context.ts'
import { createObserver, type Picture } from '../core/observe/observer.ts'
import { IDENTITY_FACTS } from '../core/steps/identity/facts.ts'
import { type KeyAnswers, keyQuestions } from '../core/steps/identity/key-commands.ts'
import { identityTransition, initialIdentity } from '../core/steps/identity/machine.ts'
import type { IdentityAnswers, IdentityEvent, IdentityState } from '../core/steps/identity/state.ts'
import type { Call } from './command.ts'
import { requireHome } from './setup.ts'

/** What a home says whose key is not in it. */
const NO_KEY_HERE = { keyFile: '', remoteSigner: 'another machine', findings: [] }

/**
 * Asks the home, the key file (through the signer child), the node tool and the running engine which key this validator has. With
 * `typedKey`, the public key of a key on another machine, only the engine is asked; without
 * `asksEngine` it is not, nor where it was heard in the same look.
 */
export async function askKeys(
  call: Call,
  setup: NodeSetup,
  {
    typedKey,
    asksEngine,
    asksVotes = false,
    picture = {},
  }: {
    typedKey?: string
    asksEngine: boolean
    /** Whether the last commits are asked for votes of the key. */
    asksVotes?: boolean
    picture?: Picture<EngineAndHead>
  },
): Promise<IdentityState> {
  const { effects, io } = call
  const context = { effects, setup, signal: io.signal }
  let state = initialIdentity
  const apply = (event: IdentityEvent) => {
    const [next] = identityTransition(state, event)
    state = next
  }
  const isTyped = typedKey !== undefined
  const sources = {
    ...IDENTITY_FACTS,
    home: { source: () => (isTyped ? 'you' : setup.homePath) },
    key: { source: () => 'signer child' },
  }
  const tell = asker<IdentityAnswers>(context, sources, async (entry) =>
    apply({ step: 'identity', type: 'observed', ...entry }),
  )
  const questions = keyQuestions({ context, tell, require: () => requireHome(call, setup, '') })
  if (isTyped) {
    await tell('home', async () => NO_KEY_HERE)
    apply({ step: 'identity', type: 'keyTyped', text: typedKey })
  }
  const ofHome = isTyped ? { due: () => false } : {}
  await createObserver<KeyAnswers, Picture<EngineAndHead>>(
    {
      ...questions,
      tool: { ...questions.tool, ...ofHome },
      home: { ...questions.home, ...ofHome },
      engine: { ...questions.engine, due: () => asksEngine },
      ...(asksVotes ? {} : { standby: { ...questions.standby, due: () => false } }),
    },
    effects,
  ).look(picture)
  return state
}
