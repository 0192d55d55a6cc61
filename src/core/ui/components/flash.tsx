import type { VNode } from 'preact';
import type { FlashMessages } from '../shell.js';
import { CopyField } from './copy-field.js';

/** Result of the previous action, shown on the page after it. */
export function Flash({ messages }: { messages: FlashMessages | null }): VNode | null {
  if (messages === null) return null;
  const { notice, alert, secret } = messages;
  return (
    <div class="grid gap-3">
      {notice !== undefined && (
        <div class="alert" role="status" data-tone="notice">
          {notice}
        </div>
      )}
      {alert !== undefined && (
        <div class="alert" role="alert" data-tone="alert">
          {alert}
        </div>
      )}
      {secret !== undefined && (
        <section class="alert" data-tone="secret" aria-label="Shown once">
          <CopyField
            label={secret.label}
            value={secret.value}
            hint="Copy it now: it is not shown again."
          />
        </section>
      )}
    </div>
  );
}
