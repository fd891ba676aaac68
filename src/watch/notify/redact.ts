import { type SafeText, safeText } from '../../core/base/format/text.ts'
import { withoutSecrets } from '../../core/base/format/url-secrets.ts'

/** Makes one drawable line of a reply, with every secret left out. */
export function redacted(text: string, secrets: readonly string[]): SafeText {
  return safeText(withoutSecrets(text, secrets).replaceAll('"', "'").replace(/\s+/g, ' ').trim())
}
