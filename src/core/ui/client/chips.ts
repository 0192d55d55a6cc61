// Fields with several values, commas between: each value is a chip with a button that removes it.
// Filters have chips of their own, which lead to the list without them.

for (const input of document.querySelectorAll<HTMLInputElement>(
  'form:not(.filter-bar) input[data-list]',
)) {
  showChips(input);
}

/**
 * The visible field keeps what is being typed; the form sends a hidden one with all values. Only a
 * comma, Enter and a chosen suggestion make a chip: leaving the field must not move what is clicked.
 */
function showChips(input: HTMLInputElement): void {
  const sent = document.createElement('input');
  sent.type = 'hidden';
  sent.name = input.name;
  const list = document.createElement('ul');
  list.className = 'chips';
  list.setAttribute('role', 'list');
  list.setAttribute('aria-label', 'Selected');
  const box = document.createElement('span');
  box.className = 'control chip-field';
  // Tells screen readers of the values when the field is entered, and of each change.
  const summary = document.createElement('span');
  summary.className = 'sr-only';
  summary.id = `${input.id}-selected`;
  summary.setAttribute('role', 'status');
  const chips = new Map<string, HTMLLIElement>();

  const update = (): void => {
    sent.value = [...new Set([...chips.keys(), ...valuesIn(input.value)])].join(', ');
    list.hidden = chips.size === 0;
    const selected = [...chips.keys()].join(', ');
    if (summary.textContent !== selected) summary.textContent = selected;
  };
  const remove = (value: string): void => {
    chips.get(value)?.remove();
    chips.delete(value);
    update();
    input.focus();
  };
  /** Makes chips of the values that the text has, and leaves the rest to be typed on. */
  const take = (text: string, rest = ''): void => {
    for (const value of valuesIn(text)) {
      if (chips.has(value)) continue;
      const item = chip(value, () => remove(value));
      chips.set(value, item);
      list.append(item);
    }
    input.value = rest;
    input.dispatchEvent(new Event('suggestions:close'));
    update();
  };

  input.addEventListener('input', (event) => {
    const comma = input.value.lastIndexOf(',');
    const isComposing = event instanceof InputEvent && event.isComposing;
    if (comma === -1 || isComposing) update();
    else take(input.value.slice(0, comma), input.value.slice(comma + 1).trimStart());
  });
  // Suggestions tell that one was chosen; browsers, that the field was left.
  input.addEventListener('change', ({ isTrusted }) => {
    if (!isTrusted) take(input.value);
  });
  // After the suggestions, which take Enter while one is active.
  box.addEventListener('keydown', (event) => {
    if (event.target !== input || event.defaultPrevented || event.isComposing) return;
    if (event.key === 'Enter' && input.value.trim() !== '') {
      event.preventDefault();
      take(input.value);
    }
    const last = [...chips.keys()].at(-1);
    const isDeleting = event.key === 'Backspace' && !event.repeat && input.value === '';
    if (isDeleting && last !== undefined) remove(last);
  });
  box.addEventListener('click', ({ target }) => {
    if (target === box) input.focus();
  });

  input.removeAttribute('name');
  input.classList.remove('control');
  input.setAttribute(
    'aria-describedby',
    `${input.getAttribute('aria-describedby') ?? ''} ${summary.id}`,
  );
  input.replaceWith(box);
  box.append(list, input);
  box.after(sent, summary);
  take(input.value);
}

function chip(value: string, remove: () => void): HTMLLIElement {
  const item = document.createElement('li');
  item.className = 'chip';
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('aria-label', `Remove ${value}`);
  button.textContent = '×';
  button.addEventListener('click', remove);
  item.append(value, button);
  return item;
}

function valuesIn(text: string): string[] {
  const values = text.split(',').map((value) => value.trim());
  return values.filter((value) => value !== '');
}
