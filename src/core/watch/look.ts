import { createEngineClient } from '../clients/engine/client.ts'
import { createExecutionClient } from '../clients/execution/client.ts'
import { createNodeClient } from '../clients/node/client.ts'
import { createObserver, knownOf } from '../observe/observer.ts'
import { contractQuestions } from './look-contract.ts'
import { headsQuestion } from './look-heads.ts'
import { type Heard, healthyIn, type LookInput, type WatchAnswers } from './look-input.ts'
import { createNodeLook, nodeQuestions } from './look-node.ts'
import { createSetLook, setQuestions, setQuestionsElsewhere } from './look-set.ts'
import { signedQuestions } from './look-signed.ts'
import type { WatchMemory } from './memory.ts'
import type { Sighting } from './sighting.ts'

/** Who looks at a network again and again, with small questions wherever these are enough. */
export type Looker = {
  /** One look. What nobody answered is left out of it. Rejects only when the effects end. */
  look(memory: WatchMemory): Promise<Sighting>
  /** What the first endpoints said in the last one. */
  heard(): Heard
}

/** Makes the questions of a watch. */
export function createLooker(input: LookInput): Looker {
  const { effects, network, endpoints, elsewhere } = input
  const clients = {
    nodes: endpoints.node.map((url) =>
      createNodeClient(effects, url, { proofNamespace: network.names.proofNamespace }),
    ),
    executions: endpoints.execution.map((url) => createExecutionClient(effects, url)),
    engines: endpoints.engine.map((url) => createEngineClient(effects, url)),
  }
  const [node, execution, engine] = [clients.nodes[0], clients.executions[0], clients.engines[0]]
  const own = createNodeLook(input)
  const set = createSetLook(input)
  const observer = createObserver<WatchAnswers, WatchMemory>(
    {
      heads: headsQuestion(input, { clients, hear: own.hear }),
      ...contractQuestions(input),
      ...nodeQuestions(input, { node, execution, engine }),
      ...(elsewhere === undefined ? setQuestions(input) : setQuestionsElsewhere(input, elsewhere)),
      ...signedQuestions(input),
    },
    effects,
  )
  return {
    heard() {
      const { heads, count } = observer.picture()
      const { head, engine } = knownOf(heads) ?? {}
      const deposits = knownOf(count)
      return {
        ...(head === undefined ? {} : { head }),
        ...(engine === undefined ? {} : { engine }),
        ...(deposits === undefined ? {} : { deposits }),
      }
    },
    async look(memory) {
      const picture = await observer.look(memory)
      const { heads = [], nodeKey } = knownOf(picture.heads) ?? {}
      const { validators, ...seen } = set(picture)
      const signed = knownOf(picture.signed)
      return {
        atMs: effects.clock.nowMs(),
        heads,
        others: healthyIn(picture).others,
        ...seen,
        validators: validators.map((each) => {
          const blocks = signed?.get(each.pubkey)
          return blocks === undefined ? each : { ...each, signed: blocks }
        }),
        node: own.look(picture),
        ...(nodeKey === undefined ? {} : { nodeKey }),
      }
    },
  }
}
