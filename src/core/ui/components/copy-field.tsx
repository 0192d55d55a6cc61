import type { ComponentChildren, VNode } from 'preact';
import { CopyButton } from './copy-button.js';
import { fieldId } from './field.js';

interface CopyFieldProps {
  label: string;
  value: string;
  hint?: ComponentChildren;
}

/** A value to be copied: by its button, or without a script by one click or Tab and Ctrl+C. */
export function CopyField({ label, value, hint }: CopyFieldProps): VNode {
  const id = fieldId(`copy ${label.toLowerCase()}`);
  return (
    <div class="secret field">
      <label for={id}>{label}</label>
      <div class="copy-field">
        <input
          class="control"
          id={id}
          value={value}
          readOnly
          autocomplete="off"
          spellcheck={false}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        />
        <CopyButton label={`Copy ${label}`} field={id} />
      </div>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
