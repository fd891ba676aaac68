import { type SafeText, safeText } from '../../core/base/format/text.ts'
import { withoutSecrets } from '../../core/base/format/url-secrets.ts'

/** What the other side said, in one line that can be drawn and without any of the secrets. */
export function redacted(text: string, secrets: readonly string[]): SafeText {
  return safeText(withoutSecrets(text, secrets).replaceAll('"', "'").replace(/\s+/g, ' ').trim())
}
