// Selects apply as they are chosen; filters without a value stay out of the address.
document.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLSelectElement)
    target.closest<HTMLFormElement>('form:is(.filter-bar, .ref-switcher)')?.requestSubmit();
});

document.addEventListener('formdata', ({ target, formData }) => {
  if (!(target instanceof Element) || !target.matches('.filter-bar')) return;
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
});
