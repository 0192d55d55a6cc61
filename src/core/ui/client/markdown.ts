import '@github/markdown-toolbar-element';

const PATH = '/-/markdown_preview';
const CSRF_FIELD = 'authenticity_token';

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('[data-preview]') : null;
  if (button instanceof HTMLElement) void toggle(button);
});

/** Shows the rendered text in place of the field, or the field again. */
async function toggle(button: HTMLElement): Promise<void> {
  const id = button.dataset['preview'] ?? '';
  const field = document.getElementById(id);
  const preview = document.getElementById(`${id}-preview`);
  if (!(field instanceof HTMLTextAreaElement) || preview === null) return;
  const isShown = !preview.hidden;
  if (!isShown) preview.innerHTML = await render(field);
  preview.hidden = isShown;
  field.hidden = !isShown;
  button.setAttribute('aria-pressed', String(!isShown));
  if (isShown) field.focus();
}

/** HTML of the server, which never contains tags of the text itself. */
async function render({ value, form }: HTMLTextAreaElement): Promise<string> {
  const token = form?.elements.namedItem(CSRF_FIELD);
  const body = new URLSearchParams({
    text: value,
    path: location.pathname,
    [CSRF_FIELD]: token instanceof HTMLInputElement ? token.value : '',
  });
  const response = await fetch(PATH, { method: 'POST', body });
  return response.ok ? response.text() : 'The preview is not available. Reload the page.';
}

const TASKS = 'tasks';

// A task is ticked without leaving the page; the answer is the page as it is then.
document.addEventListener('submit', (event) => {
  const { target: form, submitter } = event;
  if (!(form instanceof HTMLFormElement) || form.id !== TASKS) return;
  if (!(submitter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  void tick(form, submitter);
});

async function tick(form: HTMLFormElement, box: HTMLButtonElement): Promise<void> {
  const body = new URLSearchParams(
    [...new FormData(form, box)].map(([name, value]): [string, string] => [name, String(value)]),
  );
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => null);
  if (!response?.ok) return location.reload();
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const renewed = page.getElementById(TASKS);
  const text = renewed?.nextElementSibling;
  // The refusal is shown once only, so it cannot wait for a reload.
  const alert = page.querySelector('[role=alert]');
  if (alert) document.querySelector('main')?.prepend(alert);
  if (alert) return;
  if (!renewed || !text) return location.reload();
  form.nextElementSibling?.replaceWith(text);
  form.replaceWith(renewed);
  document.querySelector<HTMLElement>(`.task-box[value="${box.value}"]`)?.focus();
}
