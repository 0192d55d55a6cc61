// The browser's storage; browsers that keep nothing of a site throw at each access.

/** `sessionStorage` belongs to one tab and ends with it. */
type Kind = 'localStorage' | 'sessionStorage';

/** Returns the value of a key; null without one. */
export function stored(key: string, kind: Kind = 'localStorage'): string | null {
  try {
    return window[kind].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a value for as long as the browser does. */
export function store(key: string, value: string, kind: Kind = 'localStorage'): void {
  try {
    window[kind].setItem(key, value);
  } catch {
    // Pages work without it.
  }
}
