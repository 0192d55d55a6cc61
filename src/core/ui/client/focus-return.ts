// A form that the keyboard sent and that leads back to its page leaves the focus where it was.

/** Key of the browser's storage for the form that was sent last. */
const SENT = 'sent-form';

interface SentForm {
  path: string;
  action: string;
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

document.addEventListener('submit', ({ target }) => {
  if (!isKeyboard || !(target instanceof HTMLFormElement)) return;
  // Fields of these names would hide the properties of the form.
  if (target.getAttribute('method') !== 'post') return;
  keep({ path: location.pathname, action: target.getAttribute('action') ?? '' });
});

document.addEventListener('htmx:finally:request', restore);
restore();

function restore(): void {
  const sent = taken();
  if (sent?.path !== location.pathname || document.activeElement !== document.body) return;
  const form = document.querySelector(`form[action="${CSS.escape(sent.action)}"]`);
  const opener = form?.closest('details.confirm:not([open])')?.querySelector('summary');
  const button = opener ?? form?.querySelector<HTMLElement>('button:not([disabled])');
  // The outcome of the action stands at the top of the page.
  (button ?? document.getElementById('content'))?.focus({ preventScroll: true });
}

/** Browsers that keep nothing of a site throw. */
function keep(sent: SentForm): void {
  try {
    sessionStorage.setItem(SENT, JSON.stringify(sent));
  } catch {
    // The focus begins at the top of the next page.
  }
}

function taken(): SentForm | null {
  try {
    const sent = sessionStorage.getItem(SENT);
    sessionStorage.removeItem(SENT);
    return sent === null ? null : (JSON.parse(sent) as SentForm);
  } catch {
    return null;
  }
}
