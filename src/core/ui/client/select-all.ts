// Checkboxes of a form with bulk actions: all of them, or those between two with Shift.
let last: HTMLInputElement | null = null;

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-select-all]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    for (const box of boxesOf(button.form)) box.checked = true;
  });
}

document.addEventListener('click', ({ target, shiftKey }) => {
  if (!(target instanceof HTMLInputElement) || !boxesOf(target.form).includes(target)) return;
  const boxes = boxesOf(target.form);
  const [from, to] = [last === null ? -1 : boxes.indexOf(last), boxes.indexOf(target)];
  last = target;
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
