import type { ComponentChildren, VNode } from 'preact';
import { fieldId } from './field.js';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      /** Element of @github/clipboard-copy-element: copies `value` or the element with the ID `for`. */
      'clipboard-copy': {
        class: string;
        value?: string | undefined;
        for?: string | undefined;
        role: 'button';
        tabindex: number;
        title: string;
        'aria-label': string;
      };
    }
  }
}

interface CopyButtonProps {
  /** Verb and object: "Copy commit ID". */
  label: string;
  /** Text to copy. */
  value?: string;
  /** ID of the field whose value is copied instead. */
  field?: string;
}

/** Copies a text to the clipboard and says so; not shown without a script. */
export function CopyButton({ label, value, field }: CopyButtonProps): VNode {
  return (
    <clipboard-copy
      class="copy"
      value={value}
      for={field}
      role="button"
      tabindex={0}
      title={label}
      aria-label={label}
    />
  );
}

interface CopyableCodeProps {
  /** Verb and object: "Copy commit ID". */
  label: string;
  value: string | number;
}

/** An ID or another short text in monospace with a button that copies it. */
export function CopyableCode({ label, value }: CopyableCodeProps): VNode {
  return (
    <span class="inline-flex max-w-full items-center gap-1">
      <code>{value}</code>
      <CopyButton label={label} value={String(value)} />
    </span>
  );
}

interface CopyableProps {
  /** Of the text: "commands". */
  noun: string;
  /** The element with the text. */
  children: ComponentChildren;
}

/** A block of text with a button that copies it. */
export function Copyable({ noun, children }: CopyableProps): VNode {
  return (
    <div class="copyable">
      {children}
      <CopyButton label={`Copy ${noun}`} />
    </div>
  );
}

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
