// A form that the keyboard sent and that leads back to its page leaves the focus where it was.
import { store, stored } from './storage.js';

/** Key of the session's storage for the form that was sent last. */
const SENT = 'sent-form';
const CSRF_FIELD = 'authenticity_token';

interface SentForm {
  path: string;
  action: string;
  /** Forms with one action are told apart by their fields. */
  fields: string;
  /** True if no other form of the page had the action. */
  isOnly: boolean;
  /** Position of the pressed button among those that send the form. */
  button: number;
}

let isKeyboard = false;

document.addEventListener(
  'click',
  ({ detail }) => {
    // Pointers count their clicks; keys press a button without.
    isKeyboard = detail === 0;
  },
  true,
);

document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (!isKeyboard || !(form instanceof HTMLFormElement) || !isSent(event, form)) return;
  const action = form.getAttribute('action') ?? '';
  const sent: SentForm = {
    path: location.pathname,
    action,
    fields: fieldsOf(form),
    isOnly: formsTo(action).length === 1,
    button: Math.max(0, buttonsOf(form).indexOf(submitter as HTMLButtonElement)),
  };
  store(SENT, JSON.stringify(sent), 'sessionStorage');
});

document.addEventListener('htmx:finally:request', (event) => {
  const { ctx } = (event as CustomEvent<{ ctx: { request: { method: string } } }>).detail;
  if (ctx.request.method === 'POST') restore();
});
restore();

/** Returns false for a form that only closes its dialog or that another script sends. */
function isSent({ submitter, defaultPrevented }: SubmitEvent, form: HTMLFormElement): boolean {
  if (submitter?.getAttribute('formmethod') === 'dialog') return false;
  // Fields of these names would hide the properties of the form.
  if (form.getAttribute('method') !== 'post') return false;
  return !defaultPrevented || form.hasAttribute('hx-post');
}

function restore(): void {
  const sent = JSON.parse(stored(SENT, 'sessionStorage') ?? 'null') as SentForm | null;
  store(SENT, 'null', 'sessionStorage');
  if (sent?.path !== location.pathname || document.activeElement !== document.body) return;
  // The page itself names the place to go on from.
  if (document.querySelector('[autofocus], :target') !== null) return;
  placeOf(sent)?.focus();
  // A hidden or removed button takes no focus: the outcome of the action is at the top of the page.
  if (document.activeElement === document.body)
    document.getElementById('content')?.focus({ preventScroll: true });
}

/** The pressed button, or what opens the part of the page that it is in. */
function placeOf({ action, fields, isOnly, button: at }: SentForm): HTMLElement | null {
  const forms = formsTo(action);
  // A form that switches something on switches it off afterwards.
  const form = forms.find((one) => fieldsOf(one) === fields) ?? (isOnly ? forms[0] : undefined);
  const button = form && buttonsOf(form)[at];
  if (button === undefined) return null;
  const closed = [...document.querySelectorAll('details:not([open])')];
  return closed.find((one) => one.contains(button))?.querySelector('summary') ?? button;
}

function formsTo(action: string): HTMLFormElement[] {
  return [...document.querySelectorAll<HTMLFormElement>(`form[action="${CSS.escape(action)}"]`)];
}

/** The names of the fields, with the values of the hidden ones. */
function fieldsOf(form: HTMLFormElement): string {
  const fields = [...form.querySelectorAll<HTMLInputElement>('[name]')].filter(
    ({ name }) => name !== CSRF_FIELD,
  );
  return fields.map(({ name, type, value }) => (type === 'hidden' ? [name, value] : name)).join();
}

function buttonsOf(form: HTMLFormElement): HTMLButtonElement[] {
  return [...document.querySelectorAll('button')].filter(
    (button) => button.form === form && button.type === 'submit',
  );
}
