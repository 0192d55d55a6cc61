// Filter bars and bulk selection of lists, and the switcher of revisions.

/** True while a key is handled: its change is a step through a closed select. */
let isStepping = false;

/** The select of revisions whose step applies with Enter or when it loses the focus. */
let stepped: HTMLSelectElement | null = null;

// Selects apply as they are chosen; filters without a value stay out of the address.
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLSelectElement)) return;
  if (isStepping && target.closest('.ref-switcher') !== null) stepped = target;
  else apply(target);
});

// Arrows step with `keydown`, letters with `keypress`.
for (const type of ['keydown', 'keypress'] as const) {
  document.addEventListener(type, ({ key, target }) => {
    if (key === 'Enter' && target === stepped) applyStep();
    isStepping = true;
    setTimeout(() => (isStepping = false));
  });
}

document.addEventListener('focusout', ({ target }) => {
  if (target === stepped) applyStep();
});

function applyStep(): void {
  if (stepped !== null) apply(stepped);
}

function apply(select: HTMLSelectElement): void {
  stepped = null;
  select.closest<HTMLFormElement>('form:is(.filter-bar, .ref-switcher)')?.requestSubmit();
}

document.addEventListener('formdata', ({ target, formData }) => {
  if (!(target instanceof Element) || !target.matches('.filter-bar')) return;
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
});

// Checkboxes of a form with bulk actions: all of them, or those between two with Shift.
let lastChecked: HTMLInputElement | null = null;

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-select-all]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    for (const box of boxesOf(button.form)) box.checked = true;
  });
}

document.addEventListener('click', ({ target, shiftKey }) => {
  if (!(target instanceof HTMLInputElement) || !boxesOf(target.form).includes(target)) return;
  const boxes = boxesOf(target.form);
  const [from, to] = [
    lastChecked === null ? -1 : boxes.indexOf(lastChecked),
    boxes.indexOf(target),
  ];
  lastChecked = target;
  if (!shiftKey || from === -1) return;
  for (const box of boxes.slice(Math.min(from, to), Math.max(from, to)))
    box.checked = target.checked;
});

function boxesOf(form: HTMLFormElement | null): HTMLInputElement[] {
  if (form?.querySelector('[data-select-all]') == null) return [];
  const all = [...form.elements];
  return all
    .filter((one) => one instanceof HTMLInputElement)
    .filter(({ type }) => type === 'checkbox');
}
