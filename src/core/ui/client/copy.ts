const CONFIRMED_MS = 2_000;

const region = document.createElement('div');
region.className = 'sr-only';
region.setAttribute('role', 'status');
document.body.append(region);

for (const type of ['click', 'keydown']) document.addEventListener(type, setBlockText, true);
document.addEventListener('clipboard-copy', confirm);

/** The button of a block has no value of its own, which would send the text twice. */
function setBlockText({ target }: Event): void {
  if (!(target instanceof Element)) return;
  const button = target.closest('.copyable > clipboard-copy');
  button?.setAttribute('value', button.previousElementSibling?.textContent ?? '');
}

function confirm({ target }: Event): void {
  if (!(target instanceof HTMLElement)) return;
  announce('Copied');
  target.dataset['copied'] = '';
  setTimeout(() => {
    delete target.dataset['copied'];
  }, CONFIRMED_MS);
}

/** Has screen readers read the text, also when it is the same as before. */
function announce(text: string): void {
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
