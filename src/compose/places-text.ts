/** What the files are called that the program keeps, and what a form has of them. */
export const PLACES_TEXT = {
  guard: 'guard',
  journal: 'journal',
  keystore: 'keystore',
  locks: 'locks',
  settings: 'settings',
  validator: 'validator',
} as const
