import { compressedKey, keyOfEngine, runsWithKey } from '../../chain/identity/engine-key.ts'
import { readHome } from '../../chain/identity/home.ts'
import { keyIsElsewhere } from '../../chain/identity/home-findings.ts'
import { findNodeTool, type NodeTool, toolValidatorKeys } from '../../chain/identity/run-tool.ts'
import type { EngineClient } from '../../clients/engine/client.ts'
import { type EngineStatus, getEngineStatus } from '../../clients/engine/get-status.ts'
import { getToolStatus } from '../../clients/engine/tool-status.ts'
import type { EngineAndHead } from '../../clients/engine-and-head.ts'
import { askStandby } from '../../observe/ask-standby.ts'
import { type asker, type CommandContext, clientsOf } from '../../observe/context.ts'
import { knownOf, type Part, type Picture, type Questions, replyIn } from '../../observe/observer.ts'
import type { IdentityAnswers } from './state.ts'

/** What this computer, the node tool and the engine say of the key of a home. */
export type KeyAnswers = Pick<
  IdentityAnswers,
  'home' | 'key' | 'permissions' | 'engine' | 'standby' | 'toolKeys' | 'toolStatus'
> & { tool: NodeTool }

/** Tells the answer to one question, and resolves to it; undefined where there is none. */
type Tell = ReturnType<typeof asker<IdentityAnswers>>

type Asking = {
  context: Pick<CommandContext<never>, 'effects' | 'setup'>
  tell: Tell
  /** What must hold of the home before anything in it is read. Throws where it does not. */
  require?: () => Promise<void>
}

/**
 * The questions about the key of a home, for the step and for whoever looks once. The home comes first: it says where the key
 * is. Of a key that is on another machine the files and the node tool are not asked.
 */
export function keyQuestions({
  context,
  tell,
  require,
}: Asking): Questions<KeyAnswers, Picture<Pick<EngineAndHead, 'status'>>> {
  const { effects, setup } = context
  const { network, homePath } = setup
  const clients = clientsOf(context)
  const { engine } = clients
  const isHere = ({ home }: Picture<KeyAnswers>) => {
    const files = knownOf(home)
    return files !== undefined && !keyIsElsewhere(files)
  }
  return {
    tool: {
      due: () => homePath !== undefined,
      ask: () => findNodeTool(effects, network.names.nodeTool),
    },
    home: {
      due: () => homePath !== undefined,
      ask: () =>
        tell('home', async () => {
          await require?.()
          const { keyFile, remoteSigner, findings } = await readHome(effects, {
            homePath: homePath ?? '',
            network,
          })
          return { keyFile, remoteSigner, findings }
        }),
    },
    key: {
      needs: ['home'],
      due: isHere,
      ask({ home }) {
        const keyFile = knownOf(home)?.keyFile ?? ''
        const { keyTypePrefix } = network.names
        return tell('key', () => effects.signer.inspect({ keyFile, keyTypePrefix }))
      },
    },
    permissions: {
      needs: ['home'],
      due: isHere,
      ask: ({ home }) =>
        tell('permissions', async () => {
          const facts = await effects.files.facts(knownOf(home)?.keyFile ?? '')
          return {
            mode: facts === undefined ? 0 : facts.mode,
            ownedByUser: facts?.ownedByUser ?? false,
          }
        }),
    },
    engine: {
      due: () => engine !== undefined,
      ask: async (_, { status }) =>
        engine && tellEngine(engine, tell, { times: 'once', engineStatus: status }),
    },
    standby: {
      needs: ['key'],
      after: ['engine'],
      due: isHere,
      async ask({ key, engine: status }) {
        const own = knownOf(key)
        if (own === undefined) return undefined
        const { pubkey, catchingUp } = knownOf(status) ?? {}
        const isOwn = pubkey && runsWithKey(pubkey, own)
        const runs = isOwn === true && catchingUp !== false ? undefined : isOwn
        return tell('standby', () =>
          askStandby(effects, { endpoints: clients, address: own.address, runs, homePath }),
        )
      },
    },
    toolKeys: {
      needs: ['tool', 'home'],
      due: isHere,
      async ask({ tool }) {
        const asked = knownOf(tool)
        if (asked === undefined) return undefined
        return tell('toolKeys', () => toolValidatorKeys(asked, { home: homePath ?? '' }), asked.path)
      },
    },
    toolStatus: {
      needs: ['tool', 'home'],
      async ask({ tool }) {
        const asked = knownOf(tool)
        if (asked === undefined) return undefined
        return tell('toolStatus', () => statusOf(asked, homePath ?? ''), asked.path)
      },
    },
  }
}

/**
 * Reports which key the engine runs with, from a status in the same picture or else by asking; `times` says how often
 * an engine that catches up was found to do so.
 */
export function tellEngine(
  engine: EngineClient,
  tell: Tell,
  { times, engineStatus }: { times: 'once' | 'twice'; engineStatus?: Part<EngineStatus> | undefined },
): Promise<IdentityAnswers['engine'] | undefined> {
  return tell('engine', async () => {
    const { publicKey, catchingUp } = replyIn(engineStatus) ?? (await getEngineStatus(engine))
    return { pubkey: keyOfEngine(publicKey.value, engine), catchingUp: catchingUp && times }
  })
}

/** Reads the status that the node tool prints. Throws a `tool.*` error, or what running it throws. */
async function statusOf(tool: NodeTool, home: string): Promise<IdentityAnswers['toolStatus']> {
  const { network, latestHeight, catchingUp, publicKey } = await getToolStatus(tool, { home })
  return { network, height: latestHeight, catchingUp, pubkey: compressedKey(publicKey.value) }
}
