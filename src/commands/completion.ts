import { badUsage } from '../core/base/errors/base.ts'
import { safeText } from '../core/base/format/text.ts'
import { EXIT } from '../output/io.ts'
import { commandOf } from './command.ts'
import { BEFORE_A_COMMAND, COMMANDS, WIZARD } from './table.ts'
import { BUILT_IN, type CommandSpec, type Kind, type Option } from './table-options.ts'

/** The command `completion`: a script for a shell, made from the table of commands. */
export const completion = commandOf('completion', async ({ positionals: [shell = ''], io }) => {
  const script = SHELLS[shell]
  if (script === undefined) {
    const next = `Give one of ${Object.keys(SHELLS).join(', ')}.`
    throw shell === ''
      ? badUsage({ sentence: 'Nothing says for which shell the script is.', next })
      : badUsage({ sentence: 'There is no script for this shell.', found: safeText(shell, 40), next })
  }
  io.out(script())
  return EXIT.done
})

/** What the word `help` is, where commands are listed. */
const HELP_OF_ALL = 'this text, or that of a command'

/** A script of each shell. Nothing is started by it, and no word that was typed is evaluated. */
const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish, powershell }

const ALL: readonly CommandSpec[] = [WIZARD, ...COMMANDS]

/** What a value may be, for a shell: words of its own, or what lies on the disk. */
function choicesOf(kind: Kind | undefined): { words: readonly string[]; path?: 'file' | 'folder' } {
  if (kind === 'network') return { words: BUILT_IN, path: 'file' }
  if (kind === 'file' || kind === 'folder') return { words: [], path: kind }
  return { words: typeof kind === 'object' && 'oneOf' in kind ? kind.oneOf : [] }
}

/** The options that may come before a command, as they are typed: those with a value, and those without one. */
const BEFORE = {
  valued: BEFORE_A_COMMAND.filter(({ value }) => value !== undefined).map(({ name }) => `--${name}`),
  bare: ['-h', ...BEFORE_A_COMMAND.filter(({ value }) => value === undefined).map(({ name }) => `--${name}`)],
}

const optionsOf = ({ options }: CommandSpec): string => options.map(({ name }) => `--${name}`).join(' ')

/** Options of a kind of value, each once, whichever command takes them. */
function valued(): Option[] {
  const all = ALL.flatMap(({ options }) => options).filter(({ value }) => value !== undefined)
  return [...new Map(all.map((option) => [`${option.name} ${JSON.stringify(option.kind)}`, option])).values()]
}

function bash(): string {
  const compgen = (kind: Kind | undefined): string => {
    const { words, path } = choicesOf(kind)
    const flags = { file: '-f', folder: '-d' }
    const list = words.length === 0 ? '' : ` -W '${words.join(' ')}'`
    return `compgen${list}${path === undefined ? '' : ` ${flags[path]}`} -- "$cur"`
  }
  const byOption = valued().map(({ name, kind }) => {
    const { words, path } = choicesOf(kind)
    const isEmpty = words.length === 0 && path === undefined
    return `    --${name}) ${isEmpty ? 'return' : `list="$(${compgen(kind)})"`} ;;`
  })
  const byCommand = COMMANDS.map(
    (command) =>
      `    ${command.name}) words='${optionsOf(command)}'; arguments='${argumentWords(command)}' ;;`,
  )
  const files = COMMANDS.filter(({ takes }) => takes?.kind === 'file').map(({ name }) => name)
  return `# bash completion of bearings; made by: bearings completion bash
_bearings() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local words='' arguments='' list='' line at=1
  COMPREPLY=()
  while ((at < COMP_CWORD)); do
    case "\${COMP_WORDS[at]}" in
      ${BEFORE.valued.join('|')}) if [[ "\${COMP_WORDS[at+1]}" == '=' ]]; then ((at += 3)); else ((at += 2)); fi ;;
      ${BEFORE.bare.join('|')}) ((at += 1)) ;;
      *) break ;;
    esac
  done
  local command="\${COMP_WORDS[at]}"
  if [[ "$cur" == '=' ]]; then cur=''; elif [[ "$prev" == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$prev" in
${[...new Set(byOption)].join('\n')}
    *)
      case "$command" in
${byCommand.map((line) => `  ${line}`).join('\n')}
        *) words='${optionsOf(WIZARD)}' ;;
      esac
      if ((COMP_CWORD == at)) && [[ "$cur" != -* ]]; then
        words='${COMMANDS.map(({ name }) => name).join(' ')} help'
      fi
      if [[ "$command" == help ]]; then words='${COMMANDS.map(({ name }) => name).join(' ')}'; fi
      if ((COMP_CWORD > at)) && [[ "$cur" != -* ]]; then words="$arguments \${words}"; fi
      list="$(compgen -W "$words" -- "$cur")"
      case "$command" in
        ${files.join('|')}) ((COMP_CWORD > at)) && [[ "$cur" != -* ]] && list="$list"$'\\n'"$(compgen -f -- "$cur")" ;;
      esac
      ;;
  esac
  while IFS='' read -r line; do
    if [[ -n "$line" ]]; then COMPREPLY+=("$line"); fi
  done <<< "$list"
}
complete -o filenames -o bashdefault -F _bearings bearings`
}

function argumentWords({ takes }: CommandSpec): string {
  return choicesOf(takes?.kind).words.join(' ')
}

function zsh(): string {
  const bracketed = (text: string) => quoted(text.replace(/[[\]:\\]/g, String.raw`\$&`))
  const action = (kind: Kind | undefined): string => {
    const { words, path } = choicesOf(kind)
    const paths = { file: '_files', folder: '_files -/' }
    if (words.length === 0) return path === undefined ? ' ' : paths[path]
    return path === undefined ? `(${words.join(' ')})` : `_bearings_networks`
  }
  const spec = ({ name, value, kind, what }: Option): string => {
    const words = bracketed(what)
    return value === undefined
      ? `'--${name}[${words}]'`
      : `'--${name}=[${words}]:${bracketed(value)}:${action(kind)}'`
  }
  const takes = ({ takes: given }: CommandSpec): string[] =>
    given === undefined ? [] : [`'${given.most > 1 ? '*' : '1'}:argument:${action(given.kind)}'`]
  const all = (command: CommandSpec) =>
    [...command.options.map(spec), ...takes(command)].join(' \\\n        ')
  return `#compdef bearings
# zsh completion of bearings; made by: bearings completion zsh
_bearings_networks() {
  compadd ${BUILT_IN.join(' ')}
  _files
}
_bearings() {
  local -a commands
  commands=(
${COMMANDS.map(({ name, summary }) => `    '${name}:${bracketed(summary)}'`).join('\n')}
    'help:${bracketed(HELP_OF_ALL)}'
  )
  while ((CURRENT > 2)); do
    case "$words[2]" in
      ${BEFORE.valued.join('|')}) ((CURRENT > 3)) || break; words[2,3]=(); ((CURRENT -= 2)) ;;
      ${[...BEFORE.valued.map((each) => `${each}=*`), ...BEFORE.bare].join('|')}) words[2]=(); ((CURRENT -= 1)) ;;
      *) break ;;
    esac
  done
  if ((CURRENT == 2)) && [[ "$words[2]" != -* ]]; then
    _describe command commands
    return
  fi
  local command="$words[2]"
  case "$command" in
    help) ((CURRENT == 3)) && _describe command commands ;;
${COMMANDS.map(
  (command) => `    ${command.name})
      words=("\${(@)words[2,-1]}"); ((CURRENT -= 1))
      _arguments \\
        ${all(command)} ;;`,
).join('\n')}
    *)
      _arguments \\
        ${all(WIZARD)} ;;
  esac
}
if [[ "$funcstack[1]" == _bearings ]]; then _bearings "$@"; else compdef _bearings bearings; fi`
}

function fish(): string {
  const line = (condition: string, { name, value, kind, what }: Option): string => {
    const { words, path } = choicesOf(kind)
    const list = words.length === 0 ? '' : ` -a '${words.join(' ')}'`
    const form = path === undefined ? ' -x' : ' -r -F'
    const taken = value === undefined ? '' : form
    return `complete -c bearings -n '${condition}' -l ${name}${taken}${list} -d '${fishQuoted(what)}'`
  }
  const inCommand = (name: string) => `__fish_seen_subcommand_from ${name}`
  return [
    '# fish completion of bearings; made by: bearings completion fish',
    `function __bearings_no_command
  string match -qr -- '^\\S+(?: (?:(?:${BEFORE.valued.join('|')}) \\S+|-\\S*))*$' (string join -- ' ' (commandline -opc))
end`,
    'complete -c bearings -f',
    ...COMMANDS.map(
      ({ name, summary }) =>
        `complete -c bearings -n __bearings_no_command -a ${name} -d '${fishQuoted(summary)}'`,
    ),
    ...WIZARD.options.map((option) => line('__bearings_no_command', option)),
    ...COMMANDS.flatMap((command) => {
      const { words, path } = choicesOf(command.takes?.kind)
      const argument = [
        ...(words.length > 0 ? [`-a '${words.join(' ')}'`] : []),
        ...(path === 'file' ? ['-F'] : []),
      ]
      return [
        ...argument.map((each) => `complete -c bearings -n '${inCommand(command.name)}' ${each}`),
        ...command.options.map((option) => line(inCommand(command.name), option)),
      ]
    }),
    `complete -c bearings -n '${inCommand('help')}' -a '${COMMANDS.map(({ name }) => name).join(' ')}'`,
  ].join('\n')
}

function powershell(): string {
  const table = ALL.map(
    (command) =>
      `    '${command.name}' = @(${[...command.options.map(({ name }) => `--${name}`), ...choicesOf(command.takes?.kind).words].map((word) => `'${word}'`).join(', ')})`,
  )
  const values = valued().flatMap(({ name, kind }) => {
    const { words } = choicesOf(kind)
    return words.length === 0 ? [] : [`    '--${name}' = @(${words.map((word) => `'${word}'`).join(', ')})`]
  })
  const whats = new Map<string, string>(
    ALL.flatMap(({ options }) => options.map(({ name, what }) => [`--${name}`, what] as const)),
  )
  for (const { name, summary } of COMMANDS) whats.set(name, summary)
  return `# PowerShell completion of bearings; made by: bearings completion powershell
Register-ArgumentCompleter -Native -CommandName bearings -ScriptBlock {
  param($word, $ast, $position)
  $commands = @(${COMMANDS.map(({ name }) => `'${name}'`).join(', ')}, 'help')
  $options = @{
${table.join('\n')}
  }
  $values = @{
${[...new Set(values)].join('\n')}
  }
  $about = @{
${[...whats].map(([name, what]) => `    '${name}' = '${what.replaceAll("'", "''")}'`).join('\n')}
  }
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $last = $before[-1]
  $options_before = '^\\S+(?: (?:(?:${BEFORE.valued.join('|')})[ =]\\S+|${BEFORE.bare.join('|')})(?= |$))*'
  $command = "$(($before -join ' ') -replace $options_before)".Trim().Split(' ')[0]
  $found = if ($values.ContainsKey("$last")) { $values["$last"] }
    elseif ($command -eq '' -and -not $word.StartsWith('-')) { $commands }
    elseif ($command -eq 'help') { $commands }
    elseif ($options.ContainsKey($command)) { $options[$command] }
    else { $options[''] }
  $found | Where-Object { $_.StartsWith($word) } | ForEach-Object {
    $what = if ($about.ContainsKey($_)) { $about[$_] } else { $_ }
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $what)
  }
}`
}

/** Within single quotes of a POSIX shell. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`)
}

function fishQuoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
}
