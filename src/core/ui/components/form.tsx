import type { ComponentChildren, VNode } from 'preact';
import { CSRF_FIELD } from '../../access/csrf.js';
import type { FormProblems } from '../forms.js';
import { Button, ButtonLink, type ButtonVariant } from './button.js';
import { fieldId } from './field.js';

interface FormProps {
  action: string;
  method?: 'post' | 'get';
  /** `pageContext.csrfToken`; every form that posts needs it. */
  csrfToken?: string;
  /** Name for assistive technology when a page has several forms. */
  label?: string;
  class?: string;
  /** For fields that stand elsewhere on the page. */
  id?: string;
  /** For forms with files. */
  enctype?: 'multipart/form-data';
  /**
   * ID of the live region that the answer replaces, so that nothing scrolls: the handler answers
   * requests with `HX-Request` with `pageContext.fragment`. Without a script the form loads a page.
   */
  region?: string | undefined;
  children: ComponentChildren;
}

/** A form that works without a script; posted forms carry the session's token. */
export function Form({
  method = 'post',
  csrfToken,
  label,
  region,
  children,
  ...attributes
}: FormProps): VNode {
  const swap =
    region === undefined
      ? {}
      : { 'hx-post': attributes.action, 'hx-target': `#${region}`, 'hx-swap': 'outerMorph' };
  return (
    <form
      method={method}
      aria-label={label}
      {...attributes}
      {...swap}
      class={attributes.class ?? 'form'}
    >
      {method === 'post' && <input type="hidden" name={CSRF_FIELD} value={csrfToken ?? ''} />}
      {children}
    </form>
  );
}

interface FormActionsProps {
  /** Text of the button; others are children. */
  submit?: string;
  /** Address of the link that leaves the form. */
  cancel?: string;
  children?: ComponentChildren;
}

/** The buttons at the end of a form. */
export function FormActions({ submit, cancel, children }: FormActionsProps): VNode {
  return (
    <div class="flex flex-wrap items-center gap-3">
      {submit !== undefined && <Button>{submit}</Button>}
      {children}
      {cancel !== undefined && (
        <ButtonLink href={cancel} variant="ghost">
          Cancel
        </ButtonLink>
      )}
    </div>
  );
}

interface PostButtonProps {
  action: string;
  csrfToken: string;
  variant?: ButtonVariant;
  size?: 'small';
  /** Hidden fields. */
  fields?: Record<string, string>;
  /** As for `Form`. */
  region?: string | undefined;
  children: ComponentChildren;
}

/** One button that posts: revoke, approve, sign out everywhere. */
export function PostButton({ children, ...props }: PostButtonProps): VNode {
  const { action, csrfToken, variant = 'outline', size, fields = {}, region } = props;
  return (
    <Form action={action} csrfToken={csrfToken} class="inline-flex" region={region}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button variant={variant} size={size}>
        {children}
      </Button>
    </Form>
  );
}

interface FormErrorsProps {
  errors?: FormProblems | null | undefined;
  /** Focuses the errors, so that the page scrolls to them; true by default. */
  focused?: boolean;
}

/** Everything that is wrong with a form, above it; each line leads to its field. */
export function FormErrors({ errors, focused = true }: FormErrorsProps): VNode | null {
  if (errors == null) return null;
  const lines = [
    ...errors.general.map((text) => ({ text, name: null })),
    ...Object.entries(errors.fields).flatMap(([name, texts]) =>
      texts.map((text) => ({ text, name })),
    ),
  ];
  if (lines.length === 0) return null;
  return (
    <div class="alert" role="alert" data-tone="alert" tabIndex={-1} autofocus={focused}>
      <p class="font-semibold">
        {lines.length === 1 ? 'There is a problem' : 'There are problems'}
      </p>
      <ul class="w-full">
        {lines.map(({ text, name }) => (
          <li key={text}>{name === null ? text : <a href={`#${fieldId(name)}`}>{text}</a>}</li>
        ))}
      </ul>
    </div>
  );
}

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
