import type { ComponentChildren, VNode } from 'preact';
import { Button, type ButtonVariant } from './button.js';
import { Form } from './form.js';

interface ConfirmButtonProps {
  /** Of the button that opens the question. */
  label: string;
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
  /** Fields to fill in before. */
  children?: ComponentChildren;
}

/** Asks before it posts, without a script: a disclosure with the real button inside. */
export function ConfirmButton({ label, question, confirm, ...props }: ConfirmButtonProps): VNode {
  const { action, csrfToken, variant = 'destructive', size, fields = {}, children } = props;
  return (
    <details class="confirm">
      <summary class="btn" data-variant={variant} data-size={size}>
        {label}
      </summary>
      <div>
        <p>{question}</p>
        <Form action={action} csrfToken={csrfToken} class="grid gap-3">
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          {children}
          <Button variant={variant}>{confirm}</Button>
        </Form>
      </div>
    </details>
  );
}
