const region = document.createElement('div');
region.className = 'sr-only';
region.setAttribute('role', 'status');
document.body.append(region);

/** Has screen readers read the text, also when it is the same as before. */
export function announce(text: string): void {
  region.textContent = '';
  setTimeout(() => {
    region.textContent = text;
  }, 50);
}
