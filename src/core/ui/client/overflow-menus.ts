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
