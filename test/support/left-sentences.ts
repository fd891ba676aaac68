/** How many sentences a test still expects, by its path. */
export type Left = { readonly [path: string]: number }

/** The sentences that are left outside the tests of texts. None is added; each that goes is taken off. */
export const LEFT: Left = {}
