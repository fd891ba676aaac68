import { createEngineClient } from '../clients/engine/client.ts'
import { createExecutionClient } from '../clients/execution/client.ts'
import { createNodeClient } from '../clients/node/client.ts'
import { contractQuestions } from './ask-contract.ts'
import { headsQuestion } from './ask-heads.ts'
import {
  healthyIn,
  type LookInput,
  type WatchAnswers,
  type WatchPicture,
  type WatchQuestions,
} from './ask-input.ts'
import { createNodeMemory, nodeQuestions } from './ask-node.ts'
import { createSetReader, setQuestions } from './ask-set.ts'
import { signedQuestions } from './ask-signed.ts'
import type { WatchMemory } from './memory.ts'
import { createObserver, knownOf, lastOf } from './observer.ts'
import type { NetworkPicture } from './picture.ts'

/** Who looks at a network again and again, with small questions wherever these are enough. */
export type Looker = {
  /** One look. What nobody answered is left out of it. Rejects only when the effects end. */
  look(memory: WatchMemory): Promise<NetworkPicture>
}

/** Creates what takes the pictures of a watch. */
export function createLooker(input: LookInput): Looker {
  const { questions, picture } = watchQuestions(input)
  const observer = createObserver<WatchAnswers, WatchMemory>(
    { ...questions, ...setQuestions(input) },
    input.effects,
  )
  return {
    async look(memory) {
      return picture(await observer.look(memory))
    },
  }
}

/** Returns the questions of a watch besides the validator set and its records, and how their replies form a picture. */
export function watchQuestions(input: LookInput): {
  questions: Omit<WatchQuestions, 'set' | 'records'>
  picture(known: WatchPicture): NetworkPicture
} {
  const { effects, network, endpoints } = input
  const clients = {
    nodes: endpoints.node.map((url) =>
      createNodeClient(effects, url, { proofNamespace: network.names.proofNamespace }),
    ),
    executions: endpoints.execution.map((url) => createExecutionClient(effects, url)),
    engines: endpoints.engine.map((url) => createEngineClient(effects, url)),
  }
  const [node, execution, engine] = [clients.nodes[0], clients.executions[0], clients.engines[0]]
  const own = createNodeMemory(input)
  const setIn = createSetReader(input)
  return {
    questions: {
      heads: headsQuestion(input, { clients, hear: own.hear }),
      ...contractQuestions(input),
      ...nodeQuestions(input, { node, execution, engine }),
      ...signedQuestions(input),
    },
    picture(known) {
      const { heads = [], nodeKey, engine: engineHead } = knownOf(known.heads) ?? {}
      const { reported } = lastOf(known.forks) ?? {}
      const { validators, ...forks } = setIn(known)
      const signed = knownOf(known.signed)
      const { isRefuted, unproven, proof } = lastOf(known.set)?.snapshot ?? {}
      const isSigned = proof !== undefined && (engine === undefined || proof.signed !== undefined)
      return {
        atMs: effects.clock.nowMs(),
        heads,
        others: isRefuted ? ['node', 'execution', 'engine'] : healthyIn(known).others,
        ...(isRefuted && unproven !== undefined ? { refuted: unproven } : {}),
        ...(isSigned && { isSigned }),
        ...forks,
        ...(reported === undefined ? {} : { namedForks: reported }),
        ...(engineHead === undefined ? {} : { headTimeMs: engineHead.latestBlockTimeMs }),
        validators: validators.map((each) => {
          const blocks = signed?.get(each.pubkey)
          return blocks === undefined ? each : { ...each, signed: blocks }
        }),
        node: own.look(known),
        ...(nodeKey === undefined ? {} : { nodeKey }),
      }
    },
  }
}
