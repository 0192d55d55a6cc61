// Fields with several values, commas between: each value is a chip with a button that removes it.

for (const input of document.querySelectorAll<HTMLInputElement>('input[data-list]')) {
  showChips(input);
}

/** The visible field keeps what is being typed; the form sends a hidden one with all values. */
function showChips(input: HTMLInputElement): void {
  const sent = document.createElement('input');
  sent.type = 'hidden';
  sent.name = input.name;
  const list = document.createElement('ul');
  list.className = 'chips';
  list.setAttribute('aria-label', 'Selected');
  const box = document.createElement('span');
  box.className = 'control chip-field';
  let values = valuesIn(input.value);

  const update = (): void => {
    const typed = valuesIn(input.value).filter((value) => !has(values, value));
    sent.value = [...values, ...typed].join(', ');
  };
  const show = (): void => {
    list.replaceChildren(...values.map((value) => chip(value, () => remove(value))));
    list.hidden = values.length === 0;
    update();
  };
  const remove = (value: string): void => {
    values = values.filter((one) => one !== value);
    show();
    input.focus();
  };
  /** Makes chips of the values that the text has, and leaves the rest to be typed on. */
  const take = (text: string, rest = ''): void => {
    for (const value of valuesIn(text)) if (!has(values, value)) values = [...values, value];
    input.value = rest;
    show();
  };

  input.addEventListener('input', () => {
    const comma = input.value.lastIndexOf(',');
    if (comma === -1) update();
    else take(input.value.slice(0, comma), input.value.slice(comma + 1).trimStart());
  });
  // A suggestion that was chosen, or the field was left.
  input.addEventListener('change', () => take(input.value));
  // After the suggestions, which take Enter while they are open.
  box.addEventListener('keydown', (event) => {
    if (event.target !== input || event.defaultPrevented) return;
    const isEmpty = input.value.trim() === '';
    if (event.key === 'Enter' && !isEmpty) {
      event.preventDefault();
      take(input.value);
    }
    const last = values.at(-1);
    if (event.key === 'Backspace' && isEmpty && last !== undefined) remove(last);
  });
  box.addEventListener('click', ({ target }) => {
    if (target === box || target === list) input.focus();
  });

  input.removeAttribute('name');
  input.classList.remove('control');
  input.replaceWith(box);
  box.append(list, input);
  box.after(sent);
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

function has(values: readonly string[], value: string): boolean {
  return values.some((one) => one.toLowerCase() === value.toLowerCase());
}
