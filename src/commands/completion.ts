import { badUsage } from '../core/base/errors/base.ts'
import { safeText } from '../core/base/format/text.ts'
import { EXIT } from '../output/io.ts'
import { commandOf } from './command.ts'
import { COMMAND_NAMES, COMMANDS, WIZARD } from './table.ts'
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

/**
 * A script of each shell. The first word that is a command's name is the command. Nothing is started by a script, and no word
 * that was typed is evaluated.
 */
const SHELLS: Readonly<Record<string, () => string>> = { bash, zsh, fish, powershell }

/** The word `help` has no entry in the table of commands; its words are the commands. */
const HELP: CommandSpec = {
  ...WIZARD,
  options: [],
  summary: 'this text, or that of a command',
  takes: { most: 1, kind: { oneOf: COMMANDS.map(({ name }) => name) } },
}
const NAMED: readonly (readonly [name: string, spec: CommandSpec])[] = [
  ...COMMANDS.map((command) => [command.name, command] as const),
  ['help', HELP],
]
const OPTIONS: readonly Option[] = [WIZARD, ...COMMANDS].flatMap(({ options }) => options)

/** What may stand at a place of the line: words, or what lies on the disk. */
type Choices = { words: readonly string[]; path?: 'file' | 'folder' }

function choicesOf(kind: Kind | undefined): Choices {
  if (kind === 'network') return { words: BUILT_IN, path: 'file' }
  if (kind === 'file' || kind === 'folder') return { words: [], path: kind }
  return { words: typeof kind === 'object' && 'oneOf' in kind ? kind.oneOf : [] }
}

const flag = ({ name }: Option): string => `--${name}`

/** What may stand behind a command: what it takes, and its options. */
function choicesBehind({ takes, options }: CommandSpec): Choices {
  const taken = choicesOf(takes?.kind)
  return { ...taken, words: [...taken.words, ...options.map(flag)] }
}

function bash(): string {
  const flags = { file: ' -f', folder: ' -d' }
  const find = ({ words, path }: Choices): string =>
    words.length === 0 && path === undefined
      ? 'return'
      : `list="$(compgen -W '${words.join(' ')}'${path === undefined ? '' : flags[path]} -- "$cur")"`
  const values = OPTIONS.filter(({ value }) => value !== undefined).map(
    (option) => `    ${flag(option)}) ${find(choicesOf(option.kind))} ;;`,
  )
  return `# bash completion of bearings; made by: bearings completion bash
_bearings() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" command='' list='' word
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in ${COMMAND_NAMES.join('|')}) command="$word"; break ;; esac
  done
  if [[ "$cur" == '=' ]]; then cur=''; elif [[ "$prev" == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  case "$prev" in
${[...new Set(values)].join('\n')}
    *)
      case "$command" in
        '') if [[ "$cur" == -* ]]; then ${find(choicesBehind(WIZARD))}; else ${find({ words: COMMAND_NAMES })}; fi ;;
${NAMED.map(([name, command]) => `        ${name}) ${find(choicesBehind(command))} ;;`).join('\n')}
      esac ;;
  esac
  while IFS='' read -r word; do
    if [[ -n "$word" ]]; then COMPREPLY+=("$word"); fi
  done <<< "$list"
}
complete -o filenames -o bashdefault -F _bearings bearings`
}

function zsh(): string {
  const bracketed = (text: string) => quoted(text.replace(/[[\]:\\]/g, String.raw`\$&`))
  const action = (kind: Kind | undefined): string => {
    const { words, path } = choicesOf(kind)
    const paths = { file: '_files', folder: '_files -/' }
    if (words.length === 0) return path === undefined ? ' ' : paths[path]
    return path === undefined ? `(${words.join(' ')})` : '_bearings_networks'
  }
  const spec = (option: Option): string => {
    const words = `[${bracketed(option.what)}]`
    const { value, kind } = option
    return value === undefined
      ? `'${flag(option)}${words}'`
      : `'${flag(option)}=${words}:${bracketed(value)}:${action(kind)}'`
  }
  const takes = ({ takes: given }: CommandSpec): string[] =>
    given === undefined ? [] : [`'${given.most > 1 ? '*' : '1'}:argument:${action(given.kind)}'`]
  const all = (command: CommandSpec) => [...command.options.map(spec), ...takes(command)].join(' \\\n      ')
  return `#compdef bearings
# zsh completion of bearings; made by: bearings completion zsh
_bearings_networks() {
  compadd ${BUILT_IN.join(' ')}
  _files
}
_bearings_commands() {
  local -a commands
  commands=(
${NAMED.map(([name, { summary }]) => `    '${name}:${bracketed(summary)}'`).join('\n')}
  )
  _describe command commands
}
_bearings() {
  local command='' at="\${words[(i)(${COMMAND_NAMES.join('|')})]}"
  if ((at < CURRENT)); then
    command="$words[at]"; words=("\${(@)words[at,-1]}"); ((CURRENT -= at - 1))
  fi
  case "$command" in
    help) _arguments '1:command:_bearings_commands' ;;
${COMMANDS.map((command) => `    ${command.name}) _arguments \\\n      ${all(command)} ;;`).join('\n')}
    *) _arguments '1:command:_bearings_commands' \\
      ${all(WIZARD)} ;;
  esac
}
if [[ "$funcstack[1]" == _bearings ]]; then _bearings "$@"; else compdef _bearings bearings; fi`
}

function fish(): string {
  const choices = ({ words, path }: Choices): string =>
    `${path === undefined ? '' : ' -F'}${words.length === 0 ? '' : ` -a '${words.join(' ')}'`}`
  const lines = (condition: string, { takes, options }: CommandSpec): string[] => {
    const line = `complete -c bearings -n '${condition}'`
    const argument = choices(choicesOf(takes?.kind))
    return [
      ...(argument === '' ? [] : [line + argument]),
      ...options.map(({ name, value, kind, what }) => {
        const taken = choices(choicesOf(kind))
        const form = taken.startsWith(' -F') ? ' -r' : ' -x'
        return `${line} -l ${name}${value === undefined ? '' : form + taken} -d '${fishQuoted(what)}'`
      }),
    ]
  }
  return [
    '# fish completion of bearings; made by: bearings completion fish',
    `function __bearings_no_command
  not __fish_seen_subcommand_from ${COMMAND_NAMES.join(' ')}
end`,
    'complete -c bearings -f',
    ...NAMED.map(
      ([name, { summary }]) =>
        `complete -c bearings -n __bearings_no_command -a ${name} -d '${fishQuoted(summary)}'`,
    ),
    ...lines('__bearings_no_command', WIZARD),
    ...NAMED.flatMap(([name, command]) => lines(`__fish_seen_subcommand_from ${name}`, command)),
  ].join('\n')
}

function powershell(): string {
  const table = (rows: readonly (readonly [string, readonly string[]])[]) =>
    [...new Map(rows.filter(([, words]) => words.length > 0))]
      .map(([name, words]) => `    '${name}' = @(${words.map((word) => `'${word}'`).join(', ')})`)
      .join('\n')
  const about = new Map([
    ...OPTIONS.map((option) => [flag(option), option.what] as const),
    ...NAMED.map(([name, { summary }]) => [name, summary] as const),
  ])
  return `# PowerShell completion of bearings; made by: bearings completion powershell
Register-ArgumentCompleter -Native -CommandName bearings -ScriptBlock {
  param($word, $ast, $position)
  $choices = @{
${table([['', WIZARD] as const, ...NAMED].map(([name, command]) => [name, choicesBehind(command).words]))}
  }
  $values = @{
${table(OPTIONS.map((option) => [flag(option), choicesOf(option.kind).words]))}
  }
  $about = @{
${[...about].map(([name, what]) => `    '${name}' = '${what.replaceAll("'", "''")}'`).join('\n')}
  }
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $last = "$($before[-1])"
  $commands = @('${COMMAND_NAMES.join("', '")}')
  $command = "$($before | Where-Object { $commands -ccontains $_ } | Select-Object -First 1)"
  $found = if ($values.ContainsKey($last)) { $values[$last] }
    elseif ($command -eq '' -and -not $word.StartsWith('-')) { $commands }
    else { $choices[$command] }
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
