/** As many words, one beside the other, are said to somebody. */
const WORDS_OF_A_TEXT = 2
const WORD = /^[("']?\p{L}[\p{L}’'-]*[)"']?[,.:;?!…]*$/u

/** Texts in sources that nobody reads on a screen, a page or in a message, and why. */
export const NOT_SAID: readonly { path: RegExp; is: RegExp; why: string }[] = [
  {
    path: /^core\/base\/format\/shapes\.ts$|^commands\/documents\//,
    is: /^/,
    why: 'the shapes of documents, for programs: only their types are in this one',
  },
  {
    path: /^core\/pay\/payment\/decide\.ts$/,
    is: /^/,
    why: 'the names of the rows of a table, for its readers',
  },
  {
    path: /^core\/steps\/(?:(?:confirm|genesis|identity)\/commands|status\/block-commands)\.ts$|^core\/pay\/gate\/following\.ts$/,
    is: /^(?:execution RPC|node API|engine RPC)$/,
    why: 'names of services in the program; the errors have the words for them',
  },
  {
    path: /^core\/steps\/(?:genesis|identity)\/facts\.ts$/,
    is: /^where (?:asked|answered)$/,
    why: 'when a gate waits for a fact: a column of a table',
  },
  {
    path: /^core\/(?:pay\/(?:gate\/facts|payment\/round)|observe\/ask-standby)\.ts$/,
    is: /^(?:no (?:balance|nonce) was asked for|nobody was given who has commits$)/,
    why: 'a fault of the program, which no user can bring about',
  },
  {
    path: /^core\/pay\/payment-view\/text\.ts$/,
    is: /^(?:speed up|send again|never signed|never carried out)$/,
    why: 'what the user types, in every language',
  },
  {
    path: /^core\/steps\/sign\/text\.ts$/,
    is: /^<[a-z ]+>$/,
    why: 'a blank in a shell command, which is ASCII',
  },
  {
    path: /^core\/(?:clients\/|chain\/identity\/engine-key\.ts$)/,
    is: /^(?:execution RPC|node API|engine RPC)$/,
    why: 'the kinds of services, by which an error finds its words',
  },
  {
    path: /^core\/(?:clients|base\/effects|base\/format|chain\/identity|chain\/proofs|wizard\/journal)\/|^watch\/notify\/|^hooks\/|^terminal\//,
    is: /^(?:a quantity is not negative|a pubkey has 48 bytes|the first event was read|a line holds no line break|not 0x-prefixed hexadecimal of whole bytes|a withdrawal address has 20 bytes|a genesis validators root has 32 bytes|a text holds half a character|a number that JSON would change|odd fields|a root is 32 bytes|a number of a header fits 64 bits|use\w+ needs a \w+ above it|the screens are not there yet)$/,
    why: 'assertions for programmers, and faults that are caught where they are thrown',
  },
  {
    path: /^core\/chain\/deposit\/precompile\.ts$/,
    is: /^(?:the pairing precompile does not work|not an answer of the (?:pairing )?precompile)$/,
    why: 'faults that are caught in the same file',
  },
  {
    path: /^core\/base\/effects\/node-(?:listener|lock)\.ts$/,
    is: /^(?:GET, HEAD|PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE|Application Support)$/,
    why: 'a header of HTTP, a statement of SQL, a folder of macOS',
  },
  {
    path: /^core\/base\/format\/text\.ts$/,
    is: /^<a name that cannot be shown here>$/,
    why: 'a word of a command, which is printable ASCII in every language',
  },
  {
    path: /^core\/chain\/identity\/(?:run-tool|tool-output|tool-verdict)\.ts$/,
    is: /^(?:genesis validator-root|deposit (?:validator-keys|create-validator|validate))$/,
    why: 'what the node tool is asked',
  },
  {
    path: /^watch\/notify\/deliver\.ts$/,
    is: /^(?:on run argv|display notification .* of argv\)|end run)$/,
    why: 'a script of macOS',
  },
  {
    path: /^watch\/metrics\.ts$/,
    is: /^/,
    why: 'the HELP of metrics, which is for machines and their dashboards',
  },
  { path: /^screens\/StepScreen\.tsx$/, is: /^by source$/, why: 'the name of a way to fold rows' },
  {
    path: /^core\/wizard\/launch\/start-view\.ts$/,
    is: /^<public key or index>$/,
    why: 'a word of commands, the same in every language',
  },
  {
    path: /^(?:launch|executable|native-library)\.ts$/,
    is: /^/,
    why: 'said before a language is chosen',
  },
  {
    path: /^core\/base\/format\/texts\.ts$/,
    is: /^/,
    why: 'said where no language could be loaded',
  },
  {
    path: /^devnet\/(?:behaviors|consensus|story|execution\/(?:answer|start))|^devnet\/loopback-server\.ts$/,
    is: /^/,
    why: 'what a node and an execution client answer, as the real ones say it',
  },
  {
    path: /^devnet\/execution\/client\.ts$/,
    is: /^(?:already known|the method |insufficient funds|replacement transaction|nonce too low|invalid chain id|intrinsic gas|exceeds block|execution reverted|header not found|rlp: |the reply has)/,
    why: 'what an execution client answers, as the real one says it',
  },
  {
    path: /^devnet\/(?:acts|home|network-files|scenarios)\.ts$/,
    is: /^(?:function |#|(?:lost deposit|second node)$)/,
    why: 'calls of a contract, files of a node, and what a key is derived from',
  },
  {
    path: /^commands\/completion\.ts$/,
    is: /^(?:#|function |complete -c|compgen| {4}\{0\}\))/,
    why: 'code of a shell',
  },
  {
    path: /^commands\/(?:api|doctor)(?:\/.*)?\.ts$/,
    is: /^(?:execution RPC|node API|engine RPC)$/,
    why: 'the names of the services in a JSON document',
  },
  {
    path: /^commands\/api\/endpoints\.ts$/,
    is: /^(?:id\.\.\. status\.\.\.|epoch index slot|height page per_page)$/,
    why: 'the names of the fields of a query',
  },
  {
    path: /^commands\/verify-(?:input|material)\.ts$/,
    is: /^(?:the (?:file|node tool|transaction|calldata)|deposit file|tool output|signed transaction)$/,
    why: 'kinds of what is verified, in a JSON document and between two files',
  },
  {
    path: /^commands\/(?:table|doctor\/row)\.ts$/,
    is: /^(?:there is no command \{0\}|the self-test knows no deposit)$/,
    why: 'a fault of the program itself',
  },
  {
    path: /^core\/observe\/observer\.ts$/,
    is: /^questions wait for one another: \{0\}$/,
    why: 'a fault of the program itself',
  },
  {
    path: /^core\/chain\/deposit\/verify\.ts$/,
    is: /^a point at infinity$/,
    why: 'a refusal, which has its own words',
  },
  {
    path: /^compose\/metrics-server\.ts$/,
    is: /^/,
    why: 'answers to a monitoring system',
  },
  {
    path: /^compose\/state-directory\.ts$/,
    is: /^Application Support$/,
    why: 'the name of a directory',
  },
]

/** Whether a text of a source is one that somebody reads. */
export function isSaid(path: string, text: string): boolean {
  return hasWords(text) && !NOT_SAID.some((each) => each.path.test(path) && each.is.test(text))
}

function hasWords(text: string): boolean {
  let run = 0
  for (const part of text.split(/\s+/)) {
    run = WORD.test(part) ? run + 1 : 0
    if (run === WORDS_OF_A_TEXT) return true
  }
  return false
}
