/** The language of the texts of this program, as its ISO 639 code: the build of another language says another one here. */
export const LANGUAGE: string = 'en'
