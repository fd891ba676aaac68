import { formatDuration, type Gwei } from '../../base/format/amount.ts'
import { PLACE_COST_TEXT } from '../../view/place-cost-text.ts'
import type { SetupDraft } from './choice.ts'
import { LAUNCH_TEXT } from './text.ts'

const { places: TEXT } = LAUNCH_TEXT

/** What a place costs now, by one look at the set; amounts in gwei. */
export type PlacesKnown = {
  taken: number
  places: number
  lastGwei: Gwei | undefined
  /** What a new validator needs in all; undefined where no amount is enough. */
  allGwei: Gwei | undefined
  token: string
  /** Whether the execution chain holds the state that says so, or only the node says it. */
  isProven: boolean
  /** Set where the set is not of now, and nothing follows from it. */
  ageMs?: number
}

/** What the form before the first step knows of the places: nobody was named whom one could ask, or what came of asking. */
export type PlacesSeen =
  | { is: 'unnamed' }
  | { is: 'asking' }
  | { is: 'known'; known: PlacesKnown }
  | { is: 'failed'; why: string }

/** Returns what a form begins with. */
export function placesAtFirst({ places }: SetupDraft): { places?: PlacesSeen } {
  if (places === undefined) return {}
  return { places: { is: places === 'asked' ? 'asking' : 'unnamed' } }
}

/** What a form keeps when its home proposes other addresses: whoever is asked for the places was named before. */
export const askedBefore = ({ intro, places }: SetupDraft): Pick<SetupDraft, 'intro' | 'places'> => ({
  intro,
  ...(places === undefined ? {} : { places }),
})

/** Returns the places as sentences of the form, by whom it was asked: the addresses of before, or those that were typed. */
export function placesSentences(places: PlacesSeen, by: 'before' | 'typed'): string[] {
  switch (places.is) {
    case 'unnamed':
      return [TEXT.unnamed, TEXT.elsewhere]
    case 'asking':
      return [TEXT.by[by].asking]
    case 'failed':
      return [TEXT.failed(places.why)]
    case 'known':
      return knownSentences(places.known, by)
  }
}

function knownSentences(
  { taken, places, lastGwei, allGwei, token, isProven, ageMs }: PlacesKnown,
  by: 'before' | 'typed',
): string[] {
  if (ageMs !== undefined) return [TEXT.failed(TEXT.old(formatDuration(Math.abs(ageMs))))]
  const last = lastGwei === undefined ? PLACE_COST_TEXT.noneActive : PLACE_COST_TEXT.lastHas(lastGwei, token)
  const need = allGwei === undefined ? PLACE_COST_TEXT.noAmount : PLACE_COST_TEXT.needs(allGwei, token)
  const now = TEXT.now(PLACE_COST_TEXT.taken(taken, places), last, need)
  return [now, isProven ? TEXT.by[by].proven : TEXT.by[by].reported]
}
