import type { ComponentChildren, VNode } from 'preact';
import { Button } from './button.js';
import { Form } from './form.js';

interface SideFieldProps {
  label: string;
  /** The value; "None" without one. */
  children?: ComponentChildren;
  /** A form of its own changes it; not given to those who cannot. */
  edit?: { action: string; csrfToken: string; field: VNode } | undefined;
}

/** An attribute in the side bar of a page, which can be changed in place. */
export function SideField({ label, children, edit }: SideFieldProps): VNode {
  return (
    <section class="side-field">
      <h2>{label}</h2>
      {edit !== undefined && (
        <details>
          <summary class="btn" data-variant="ghost" data-size="small" aria-label={`Edit ${label}`}>
            Edit
          </summary>
          <Form action={edit.action} csrfToken={edit.csrfToken} label={label} class="grid gap-2">
            {edit.field}
            <div>
              <Button size="small">Save</Button>
            </div>
          </Form>
        </details>
      )}
      <div class="side-value">{children ?? <span class="text-muted-foreground">None</span>}</div>
    </section>
  );
}
