/**
 * What an optional question to an endpoint gave. `no`: the endpoint has no such thing, which is no fault of its own.
 * `unheard`: it did not say, and never has; `words` tell why and are safe to draw.
 */
export type Offered<T> = { offer: 'yes'; value: T } | { offer: 'no' } | { offer: 'unheard'; words: string }

/** The optional questions that an endpoint was found to answer, and those that it does not have, by name. */
export type Offers = { readonly has: Set<string>; readonly lacks: Set<string> }

/** The offers of all endpoints, by URL; kept in memory for one session. */
export type OfferBook = Map<string, Offers>

/** Returns the page of one endpoint, opened where there is none yet. */
export function offersOf(book: OfferBook, url: string): Offers {
  const found = book.get(url)
  if (found !== undefined) return found
  const opened = { has: new Set<string>(), lacks: new Set<string>() }
  book.set(url, opened)
  return opened
}

/** Returns what was offered; undefined where nothing was. */
export function offeredValue<T>(offered: Offered<T> | undefined): T | undefined {
  return offered?.offer === 'yes' ? offered.value : undefined
}

/** Whether a value that was offered is good. What was not offered, or never said, is no fault. */
export function holdsWhereOffered<T>(offered: Offered<T>, judge: (value: T) => boolean): boolean {
  return offered.offer !== 'yes' || judge(offered.value)
}
