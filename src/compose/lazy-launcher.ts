import type { Session } from '../core/session.ts'
import type { Launcher } from '../hooks/launcher.tsx'
import { checkField } from './check-field.ts'
import type { LauncherInput } from './create-launcher.ts'
import type { Suspend } from './real-effects.ts'

type LazyInput = Omit<LauncherInput, 'effects'> & { suspend?: Suspend; signal: AbortSignal }

type Lazy = {
  launcher: Launcher
  /** Resolves once nothing is being opened any more. */
  settled(): Promise<unknown>
}

/** The launcher, whose heavy parts are loaded with its first use: after the first frame. */
export function lazyLauncher({ suspend, signal, ...input }: LazyInput): Lazy {
  let loaded: Promise<Launcher> | undefined
  const opening = new Set<Promise<Session>>()
  const load = () => {
    loaded ??= Promise.all([import('./create-launcher.ts'), import('./real-effects.ts')]).then(
      ([{ createLauncher }, { realEffects }]) =>
        createLauncher({
          ...input,
          effects: realEffects({ ...(suspend === undefined ? {} : { suspend }), signal, tell: input.tell }),
        }),
    )
    return loaded
  }
  const open = (own: AbortSignal, how: (launcher: Launcher, either: AbortSignal) => Promise<Session>) => {
    const either = AbortSignal.any([own, signal])
    const opened = load().then((launcher) => how(launcher, either))
    opening.add(opened)
    return opened.finally(() => opening.delete(opened))
  }
  const launcher: Launcher = {
    initial: input.initial,
    ...(input.validator === undefined ? {} : { validator: input.validator }),
    check: checkField,
    underWay: async (options) => (await load()).underWay(options),
    openRehearsal: (choice, own) => open(own, (given, either) => given.openRehearsal(choice, either)),
    look: async (path) => (await load()).look(path),
    complete: async (path) => (await load()).complete(path),
    draft: async (...given) => (await load()).draft(...given),
    open: (choice, values, own) => open(own, (given, either) => given.open(choice, values, either)),
  }
  return { launcher, settled: () => Promise.allSettled(opening) }
}
