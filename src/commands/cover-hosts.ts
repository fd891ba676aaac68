const isVersion6 = (text: string): boolean => URL.canParse(`http://[${text}]`)

const IPV4 = /\b(?:\d{1,3}\.){3}\d{1,3}\b/g
/** What may be an address of version 6: only one that is one is covered, so a time of the day stays. */
const IPV6 = /(?<![\w:.])(?=[0-9a-f:.]*:[0-9a-f:.]*:)[0-9a-f:.]*[0-9a-f:]/gi
/** A word with a dot that ends as a domain does, and is no part of a path. */
const DOTTED = /(?<![\w.%-]|(?<!\/)[/\\])(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+[a-z]{2,}(?![\w-])/gi
/** A name of one word with the port behind it. */
const WITH_PORT = /(?<![\w.:/-])([a-z][a-z0-9-]*)(?=:\d{2,5}(?![\w:]))/gi
/** What stands before the name of a host where it could not be looked up. */
const LOOKED_UP = /(?<=\b(?:ENOTFOUND|EAI_AGAIN|lookup) )[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?/gi
/** Files that programs name, and tables of `app.toml`: neither is a host. */
const FILE = /\.(?:json|jsonl|toml|txt|db|lock|hex|js|html|log|tmp|bak)$/i
const TABLE = /^beacon-kit\./
/** `v1.2.3-rc.one` and the kernel's like. */
const VERSION = /^v?\d+\.\d+/
const NAMED = /^host-\d+$/

/**
 * The text with every host in it named by `nameOf`, those that nobody told us of too: addresses of both versions, names
 * with a dot, names with a port. This computer itself, files and `ours` stay.
 */
export function coveredHosts(
  text: string,
  ours: ReadonlySet<string>,
  nameOf: (host: string) => string,
): string {
  const byWord = (word: string) => (isNoHost(word) || ours.has(word) ? word : nameOf(word))
  return text
    .replace(IPV6, (found) => (isVersion6(found) && !/^:{2}1?$/.test(found) ? nameOf(written(found)) : found))
    .replace(IPV4, (found) => (/^(?:127|0)\./.test(found) ? found : nameOf(found)))
    .replace(DOTTED, byWord)
    .replace(LOOKED_UP, byWord)
    .replace(WITH_PORT, byWord)
    .replace(/\[(host-\d+)\]/g, '$1')
}

function isNoHost(word: string): boolean {
  return (
    word.toLowerCase() === 'localhost' || [FILE, TABLE, VERSION, NAMED].some((pattern) => pattern.test(word))
  )
}

/** An address of version 6 as a URL writes it: the same for all its spellings. */
function written(address: string): string {
  return new URL(`http://[${address}]/`).hostname
}
