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
