import { exampleConfig } from '../../src/watch/notify/test-alarm.ts'

/** The example of a configuration with every field on, and values of one's own where it has placeholders. */
export function wholeExample(): string {
  return exampleConfig()
    .replaceAll(/^# (?!token = "tk_)(?=\[|[a-z_]+ = )/gm, '')
    .replace('"<index>"', '17')
    .replace('<topic>', 'bearings-XXXXXXXXXXXX')
}
