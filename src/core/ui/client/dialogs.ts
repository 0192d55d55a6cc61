document.addEventListener('click', (event) => {
  if (!(event.target instanceof Element)) return;
  const details = event.target.closest('.confirm > summary')?.parentElement;
  const dialog = details?.querySelector('dialog');
  if (!(details instanceof HTMLDetailsElement) || !dialog) return;
  event.preventDefault();
  // Browsers do not render a dialog inside a closed <details>.
  details.open = true;
  dialog.showModal();
  focusIn(dialog);
  dialog.addEventListener('close', () => close(details), { once: true });
});

document.addEventListener('mousedown', ({ target }) => {
  // The form fills the dialog: a click on the dialog itself is one on the page behind it.
  if (target instanceof HTMLDialogElement && target.open) target.close();
});

/** Nothing destructive has the focus. */
function focusIn(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea');
  (field ?? dialog.querySelector<HTMLElement>('.cancel'))?.focus();
}

function close(details: HTMLDetailsElement): void {
  details.open = false;
  details.querySelector('summary')?.focus();
}

const OPEN = 'details.overflow[open]';

/** A click elsewhere closes the menus; one in a dialog of a menu is not elsewhere. */
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>(OPEN)) {
    if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  }
});

document.addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Escape' || !(target instanceof Element) || target.closest('dialog[open]')) return;
  const menu = target.closest<HTMLDetailsElement>(OPEN);
  if (menu === null) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});
