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
