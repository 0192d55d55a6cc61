import type { VNode } from 'preact';
import { fieldId } from './field-id.js';

interface CopyFieldProps {
  label: string;
  value: string;
  hint?: string;
}

/** A value to be copied: one click or Tab selects it all in most browsers. */
export function CopyField({ label, value, hint }: CopyFieldProps): VNode {
  const id = fieldId(`copy ${label.toLowerCase()}`);
  return (
    <div class="secret field">
      <label for={id}>{label}</label>
      <input
        class="control"
        id={id}
        value={value}
        readOnly
        autocomplete="off"
        spellcheck={false}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
