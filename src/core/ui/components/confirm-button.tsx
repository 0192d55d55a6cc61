import type { ComponentChildren, VNode } from 'preact';
import { ValidationFailedError } from '../../errors.js';
import { Button, type ButtonVariant } from './button.js';
import { fieldId } from './field.js';
import { Form } from './form.js';
import { TextField } from './text-field.js';

/** Name of the field that repeats the path of what is deleted. */
const CONFIRMED_PATH = 'confirmed_path';

interface ConfirmButtonProps {
  /** Of the button that opens the question. */
  label: string;
  /** Dialog title: a question that names its subject. */
  title: string;
  /** Consequence of the action, and that it cannot be undone where it cannot. */
  question: ComponentChildren;
  /** Of the button that does it; names the deed. */
  confirm: string;
  action: string;
  csrfToken: string;
  variant?: ButtonVariant;
  size?: 'small';
  /** Hidden fields. */
  fields?: Record<string, string>;
  /** Has to be typed first; the form sends it as `CONFIRMED_PATH`. */
  path?: string;
  /** Fields to fill in before. */
  children?: ComponentChildren;
}

/** Asks in a dialog before it posts; without a script in a disclosure with the same form inside. */
export function ConfirmButton({ label, title, question, ...props }: ConfirmButtonProps): VNode {
  const {
    confirm,
    action,
    csrfToken,
    variant = 'destructive',
    size,
    fields = {},
    children,
  } = props;
  return (
    <details class="confirm">
      <summary class="btn" data-variant={variant} data-size={size}>
        {label}
      </summary>
      <dialog aria-label={title}>
        <Form action={action} csrfToken={csrfToken} class="grid gap-4">
          <div class="grid gap-1.5">
            <p class="title wrap-anywhere" aria-hidden="true">
              {title}
            </p>
            <p>{question}</p>
          </div>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {children}
          {props.path !== undefined && <PathField path={props.path} label={label} />}
          {/* The first one is what Enter presses. */}
          <div class="answers">
            <Button variant={variant}>{confirm}</Button>
            <button class="btn cancel" data-variant="outline" formMethod="dialog" formNoValidate>
              Cancel
            </button>
          </div>
        </Form>
      </dialog>
    </details>
  );
}

function PathField({ path, label }: { path: string; label: string }): VNode {
  return (
    <TextField
      name={CONFIRMED_PATH}
      id={fieldId(`${CONFIRMED_PATH} ${label.toLowerCase()}`)}
      label={`Enter ${path} to confirm`}
      pattern={path.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}
      autocomplete="off"
      required
    />
  );
}

/** Throws ValidationFailedError unless the form repeats the path of what it deletes. */
export function assertPathConfirmed(form: Record<string, unknown>, path: string): void {
  const given = form[CONFIRMED_PATH];
  if (typeof given === 'string' && given.trim() === path) return;
  throw new ValidationFailedError({ base: [`Enter ${path} to confirm`] });
}
