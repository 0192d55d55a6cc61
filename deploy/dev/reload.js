/**
 * Added to every page by the development server: loads the page again when its process was
 * restarted, and exchanges style sheets in place. The first messages after each connection name
 * the current versions, so that nothing is missed while the page was hidden or the server away.
 */
const script = document.currentScript;
const seen = { page: script.dataset.page, styles: script.dataset.styles };
let events = null;

// A browser opens six connections to a server at most: hidden tabs give theirs back.
function connect() {
  events?.close();
  events = null;
  if (document.visibilityState === 'hidden') return;
  events = new EventSource('/-/dev/events');
  events.addEventListener('page', ({ data }) => {
    if (data !== seen.page) location.reload();
  });
  events.addEventListener('styles', ({ data }) => {
    if (data === seen.styles) return;
    seen.styles = data;
    document.querySelectorAll('link[rel="stylesheet"]').forEach((link) => exchange(link, data));
  });
}

/** Keeps the former style sheet until the new one is there, so that nothing flickers. */
function exchange(link, version) {
  const next = link.cloneNode();
  const address = new URL(link.href);
  address.searchParams.set('styles', version);
  next.href = address.href;
  next.addEventListener('load', () => link.remove());
  link.after(next);
}

document.addEventListener('visibilitychange', connect);
connect();
