/** The languages that the program speaks, by their ISO 639 codes. */
export const LANGUAGES = ['en', 'zh'] as const
export type LanguageCode = (typeof LANGUAGES)[number]

/** Regions that write Chinese with traditional characters, which we have not. */
const TRADITIONAL: ReadonlySet<string> = new Set(['tw', 'hk', 'mo', 'hant'])

/**
 * The language to speak: that of `--lang`, else that of the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`: the first that is
 * set decides, as in POSIX), else English. What is no language of ours is English here; the reader of the command line
 * refuses it. A locale of another character set than UTF-8 cannot show ours, nor can the console of the Linux kernel.
 */
export function languageFor(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): LanguageCode {
  const asked = askedFor(argv)
  if (asked !== undefined) return LANGUAGES.find((each) => each === asked) ?? 'en'
  const locale =
    [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((each) => each !== undefined && each !== '') ?? ''
  const [name = '', charset = ''] = locale.toLowerCase().split('@')[0]?.split('.') ?? []
  const [language, ...region] = name.split(/[_-]/)
  const isOurs =
    env.TERM !== 'linux' && /^utf-?8$/.test(charset) && !region.some((each) => TRADITIONAL.has(each))
  return LANGUAGES.find((each) => each === language && isOurs) ?? 'en'
}

/** The language that `--lang` chose where the environment alone would choose another one; undefined where it need not be said again. */
export function languageByOption(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): LanguageCode | undefined {
  const asked = askedFor(argv)
  return LANGUAGES.find((each) => each === asked && each !== languageFor([], env))
}

/** The value of the last `--lang`; what follows `--` is no option. */
function askedFor(argv: readonly string[]): string | undefined {
  const end = argv.indexOf('--')
  const options = end === -1 ? argv : argv.slice(0, end)
  const at = options.findLastIndex((each) => each === '--lang' || each.startsWith('--lang='))
  if (at === -1) return undefined
  return options[at] === '--lang' ? options[at + 1] : options[at]?.slice('--lang='.length)
}
